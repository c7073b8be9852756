import fc from 'fast-check'
import {
  anAccount,
  later,
  mostly,
  of,
  one,
  ownerOf,
  ownFolder,
  place,
  tokenOf,
  type Chosen,
} from './choices.ts'
import type { Book } from './book.ts'
import type { Input, Name } from './rules.ts'
import { isFinished } from './rules/secrets.ts'

/** A use-case, and what it is called with at random. */
export interface Call {
  readonly name: Name
  readonly input: fc.Arbitrary<Readonly<Record<string, unknown>>>
  /** How often it is called with the same. */
  readonly times: fc.Arbitrary<number>
  /** How often it comes, beside the others. */
  readonly weight: number
}

type Fields<N extends Name> = {
  readonly [Field in keyof Input<N>]: fc.Arbitrary<Chosen<Input<N>[Field]> | undefined>
}

function call<N extends Name>(
  name: N,
  fields: Fields<N> & Readonly<Record<string, fc.Arbitrary<unknown>>>,
  { weight = 4, times = fc.constant(1) }: Partial<Pick<Call, 'weight' | 'times'>> = {},
): Call {
  return { name, input: fc.record<Readonly<Record<string, unknown>>>(fields), times, weight }
}

/** Once, or one time in ten so often. */
const sometimes = (times: number) => fc.nat(9).map((nr) => (nr === 0 ? times : 1))
const yesOrNo = fc.boolean()
const maybe = <T>(...values: readonly T[]) => fc.constantFrom<(T | undefined)[]>(undefined, ...values)

const label = mostly(
  ['a secret', 'work', 'Ärger', 'private', '𝄞'.repeat(255)],
  ['x'.repeat(256), 'x'.repeat(256), '', 'tab\t', 'turned\u202e'],
)
const shortName = mostly(['Ann Reed', ' Büro ', '𝄞'.repeat(60)], ['x'.repeat(61), ' ', 'tab\there'])
const rightPassword = 'pass wörd'
const typed = maybe(rightPassword, rightPassword, rightPassword.normalize('NFD'), 'wrong', 'wrong')
const note = mostly(
  ['a note', 'another note', 'ä'.repeat(32), 'x'.repeat(64)],
  ['x'.repeat(65), '', 'nul \0'],
)
const password = mostly([undefined, rightPassword], [''])
const fields = { label, openLimit: mostly([undefined, 1, 2, 3, 1_001], [0]), notify: yesOrNo }
const content = { note, password }
const lifetimeSeconds = maybe(3_600, 86_400, 604_800, 2_592_000)
const email = mostly(
  ['owner@example.org', ' Ada@Example.org', 'bob@example.org', 'ada@example.org', 'eve@example.org'],
  ['no address'],
)
const address = fc.constantFrom('192.0.2.1', '192.0.2.1', '198.51.100.7', '2001:db8::')
const good = 'a good long pass wörd'
const chosen = mostly([good, good.normalize('NFD'), 'another long password'], ['too short', ''])
const form = (digit: string, other: string) => maybe(digit.repeat(32), other.repeat(32))

const folders = (book: Book) => book.folders
const secrets = (book: Book) => book.secrets
const sessions = (book: Book) => book.sessions
const drafts = of(secrets, ({ link }) => link === undefined)
const shared = of(secrets, ({ link }) => link !== undefined)
/** The password of the account that is named, or another one. */
const ownPassword = later((nr, { accounts }, { email, accountId }) => {
  const account = accounts.values().find((each) => each.id === accountId || each.email === email)
  return nr % 7 < 4
    ? (account?.password?.normalize('NFD') ?? 'none')
    : nr % 7 === 4
      ? 'another long password'
      : 'wrong'
})

const webhookUrl = mostly(
  ['https://hooks.example.org/a', 'https://hooks.example.org/b'],
  ['http://hooks.example.org', 'https://localhost'],
)
const idempotencyKey = mostly(['key-1', 'key-2'], ['key 3'])
/** A request that is sent again and again. */
const usual = {
  folderId: later((_, book) => one(book.folders.values(), 0).id),
  accountId: ownerOf('folderId', false),
  ...{
    label: fc.constant('once'),
    note: fc.constant('once'),
    openLimit: fc.constant(1),
    notify: fc.constant(true),
  },
  idempotencyKey: fc.constantFrom('key-1', 'key-1', 'key-2'),
}
const text = mostly(['', 'two\nlines', 'x'.repeat(2_000)], ['x'.repeat(2_001), 'bell \u0007'])
const answersAllowed = mostly([undefined, 1, 2, 30, 100], [101, 0])
const requestSeconds = mostly([undefined, 86_400, 30 * 86_400], [30 * 86_400 + 1, 1.5])
const scopes = mostly<readonly string[] | undefined>(
  [undefined, ['read'], ['write', 'read'], ['write']],
  [['admin'], []],
)
const expiresInSeconds = mostly([undefined, 60, 3_600, 90 * 86_400], [0, 1.5])

/** Secrets of an account that is known, or drafts. */
const some = (isShared: boolean) =>
  later((nr, book, { accountId }) => {
    const all = [...book.secrets.values()].filter(({ link }) => (link !== undefined) === isShared)
    return all
      .filter((each, at) => (each.accountId === accountId ? at % 4 === nr % 4 : at % 9 === nr % 9))
      .map(({ id }) => id)
  })
const guesses = fc.integer({ min: 4, max: 7 })
/** A link that asks for a password. */
const guarded = later((nr, { secrets, now }) => {
  const open = secrets.values().filter((each) => (each.expiresAtMicros ?? 0) > now() && !isFinished(each))
  return one(
    open.flatMap(({ link, password }) => (link && password !== undefined ? [link.token] : [])),
    nr,
  )
})
/** A version with which the draft was read. */
const version = later((nr, book, { id }) => {
  const read = book.secrets.get(String(id).toLowerCase())
  return [read?.version, read?.oldVersion ?? read?.version, undefined][nr % 3]
})

const emails = fc.constantFrom(
  'owner@example.org',
  ' OWNER@example.org',
  'ada@example.org',
  'eve@example.org',
)
/** A session as it is now, and its account. */
const ownSession = later((nr, book) => {
  const { id, createdAtMicros, reauthenticatedAtMicros, lastUsedAtMicros } = one(book.sessions.values(), nr)
  return { id, createdAtMicros, reauthenticatedAtMicros, lastUsedAtMicros }
})
const ownerOfSession = later((_, book, { session }) => {
  const { id } = session as Input<'ensureReauthentication'>['session']
  return book.sessions.get(id)?.accountId ?? ''
})
const proof = {
  session: ownSession,
  accountId: ownerOfSession,
  password: fc.oneof(ownPassword, fc.constant(undefined)),
}
const bucket = later((nr, { accounts }): Input<'takeQuota'>['bucket'] => {
  if (nr % 4 === 3) return { kind: 'address', address: '192.0.2.1' }
  const accountId = one(accounts.values(), Math.floor(nr / 4)).id
  return { kind: (['account', 'pages', 'tests'] as const)[nr % 3] ?? 'account', accountId }
})

export const calls: readonly Call[] = [
  call('createAccount', { email }),
  call('ensureAccount', { externalId: mostly(['7', 'user 8'], ['']) }),
  call('disableAccount', { accountId: anAccount }, { weight: 1 }),
  call('deleteAccount', { accountId: anAccount }, { weight: 1 }),
  call('changeEmail', { accountId: anAccount, email }),
  call('setLanguage', { accountId: anAccount, language: mostly(['de', undefined], ['xx']) }, { weight: 2 }),
  call('setMails', { accountId: anAccount, enabled: yesOrNo, nameLabels: yesOrNo }, { weight: 2 }),
  call('rememberNotify', { accountId: anAccount, notify: yesOrNo }, { weight: 2 }),
  call('setDisplayName', { accountId: anAccount, displayName: fc.oneof(shortName, fc.constant(undefined)) }),
  call('createFolder', { accountId: anAccount, label }, { weight: 8 }),
  call('renameFolder', { ...of(folders), label }),
  call('deleteFolder', { ...of(folders), withContents: yesOrNo }),
  call('createWebhook', { accountId: anAccount, url: webhookUrl }, { times: sometimes(6) }),
  call(
    'deleteWebhook',
    of(({ webhooks }) => webhooks),
  ),

  call('createSecret', { ...place, ...fields, ...content, lifetimeSeconds }, { weight: 16 }),
  call('createSecretOnce', { ...place, ...fields, ...content, idempotencyKey }),
  call('createSecretOnce', usual, { weight: 4 }),
  call('destroySecret', shared),
  call('unlockSecret', shared),
  call('markSeen', { ...of(secrets), news: fc.constantFrom(0, 1, 1, 2) }),
  call('deleteSecrets', { accountId: anAccount, ids: some(true), drafts: some(false) }),
  call('removeFinished', { accountId: anAccount, folderId: fc.oneof(ownFolder, fc.constant(undefined)) }),
  call('searchSecrets', { accountId: anAccount, words: fc.constantFrom('SECRET', 'a', 'arger', 'none') }),
  call('previewLink', { token: tokenOf('link') }),
  call('openSecret', { token: tokenOf('link'), password: typed, formId: form('0', '1') }, { weight: 16 }),
  call('openSecret', { token: guarded, password: fc.constant(rightPassword) }, { weight: 6 }),
  call('openSecret', { token: guarded, password: fc.constant('wrong') }, { times: guesses, weight: 8 }),

  call('saveDraft', { ...place, ...fields, ...content }, { weight: 16 }),
  call('getDraft', { ...drafts, password: typed }, { weight: 12 }),
  call('getDraft', { ...drafts, password: fc.constant('wrong') }, { times: guesses }),
  call(
    'editDraft',
    {
      ...drafts,
      folderId: ownFolder,
      ...fields,
      version,
      content: fc.option(fc.record(content), { nil: undefined }),
    },
    { weight: 8 },
  ),
  call('shareDraft', { ...drafts, lifetimeSeconds }),
  call('deleteDraft', drafts),

  call(
    'createRequest',
    { ...place, title: label, text, answersAllowed, lifetimeSeconds: requestSeconds, notify: yesOrNo },
    { weight: 8 },
  ),
  call(
    'closeRequest',
    of(({ requests }) => requests),
  ),
  call('previewRequest', { token: tokenOf('request') }),
  call('answerRequest', { token: tokenOf('request'), note, address, formId: form('2', '3') }, { weight: 12 }),
  call('answerRequest', { token: tokenOf('request'), note, address }, { times: fc.constant(22), weight: 2 }),

  call('createAccessToken', { accountId: anAccount, name: label, scopes, expiresInSeconds }),
  call('authenticate', { token: tokenOf('access', `sotto_${'0'.repeat(46)}`) }, { weight: 8 }),
  call(
    'revokeAccessToken',
    of(({ accessTokens }) => accessTokens),
  ),
  call('takeQuota', { bucket }, { times: fc.integer({ min: 1, max: 6 }) }),
  call('peekQuota', { bucket }),

  call('inviteAccount', { email }),
  call('resetAccount', { email: emails }),
  call('previewInvitation', { token: tokenOf('invitation') }),
  call('choosePassword', { token: tokenOf('invitation'), password: chosen, address }, { weight: 8 }),
  call('signIn', { email: emails, password: ownPassword, address }, { weight: 8 }),
  call(
    'signIn',
    { email: emails, password: fc.constant('wrong'), address },
    { times: fc.integer({ min: 4, max: 24 }) },
  ),
  call('authenticateSession', { token: tokenOf('session') }, { weight: 8 }),
  call('ensureReauthentication', { ...proof, address }, { weight: 10 }),
  call('changePassword', {
    sessionId: later((nr, book) => one(book.sessions.values(), nr).id),
    accountId: ownerOf('sessionId', false),
    password: chosen,
  }),
  call('nameSession', { ...of(sessions), name: shortName }),
  call('endSession', of(sessions)),

  call('sweepExpired', {}),
  call('rotateKeys', {}),
  call('addKey', {}, { weight: 1 }),
  call('retireKey', {
    kid: later((nr, { keys }) => (nr % 20 === 19 ? 99 : (keys.ring[nr % keys.ring.length] ?? 99))),
  }),
]
