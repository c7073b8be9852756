import t from 'tap'
import { errAsync, ok, ResultAsync, type Result } from 'neverthrow'
import { createFakePasskey, createMemoryStorage, expectErr, expectOk } from '@sotto/test-kit'
import type { StorageFailed } from '../src/shared/errors.ts'
import type { Ports } from '../src/storage/ports.ts'
import { createSotto, type Sotto } from '../src/sotto.ts'
import type { Pages } from '../src/shared/pages.ts'
import { reauthenticationMicros, sessionsMax } from '../src/sessions/session.ts'
import {
  addWebhook,
  ask,
  awayAddress,
  choosePassword,
  comeBack,
  connect,
  createWorld,
  dayMicros,
  email,
  goodPassword,
  requestChange,
  homeAddress,
  leaseDue,
  newSecret,
  openTimes,
  shareHeard,
  signInAs,
  webhookUrl,
  unknownId,
  type World,
} from './world.ts'
import { addPasskey, ceremonyOf, relyingParty, usedToSignIn } from './passkeys.ts'
import { arriving, shareFiles, uploaded } from './files.ts'
import { corruptEachKind } from './corruption.ts'

const broken: StorageFailed = { code: 'storage_failed', detail: 'broken' }

/** Prepares a world in which the use-case succeeds, and returns the call. */
type Scenario = (world: World) => Promise<(sotto: Sotto) => ResultAsync<unknown, unknown>>

const bucket = { kind: 'address', address: '192.0.2.1' } as const

const urlOf = (token: string): string => token

const scenarios: Readonly<
  Record<Exclude<keyof Sotto, 'policy' | 'beginSso' | 'beginPasskeySignIn'>, Scenario>
> = {
  authenticate: async ({ sotto, accountId }) => {
    const { token } = expectOk(await sotto.createAccessToken({ accountId, name: 'ci' }))
    return (failing) => failing.authenticate({ token })
  },
  takeQuota: async () => (failing) => failing.takeQuota({ bucket }),
  peekQuota: async () => (failing) => failing.peekQuota({ bucket }),
  signIn: async (world) => {
    await choosePassword(world)
    const right = { email, password: goodPassword, address: awayAddress }
    for (let nr = 0; nr < sessionsMax; nr += 1) expectOk(await world.sotto.signIn(right))
    return (failing) => failing.signIn(right)
  },
  authenticateSession: async (world) => {
    const { token } = await choosePassword(world)
    return (failing) => failing.authenticateSession({ token })
  },
  listSessions: async (world) => {
    const { accountId } = await choosePassword(world)
    return (failing) => lastOf(failing.listSessions({ accountId, pageSize: 1 }))
  },
  nameSession: async (world) => {
    const { accountId, id } = await choosePassword(world)
    return (failing) => failing.nameSession({ accountId, id, name: 'laptop' })
  },
  endSession: async (world) => {
    const { accountId, id } = await choosePassword(world)
    return (failing) => failing.endSession({ accountId, id })
  },
  ensureReauthentication: async (world) => {
    const session = await choosePassword(world)
    world.deps.clock.advance(reauthenticationMicros)
    const proof = { accountId: world.accountId, session, password: goodPassword, address: awayAddress }
    return (failing) => failing.ensureReauthentication(proof)
  },
  signInWithIdentity: async (world) => {
    await connect(world)
    const callback = await comeBack(world)
    for (let nr = 0; nr < sessionsMax; nr += 1) expectOk(await signInAs(world))
    return (failing) => failing.signInWithIdentity({ ...callback, address: awayAddress })
  },
  takeInvitation: async (world) => {
    const { token } = expectOk(await world.sotto.inviteAccount({ email }))
    const callback = await comeBack(world)
    return (failing) => failing.takeInvitation({ token, ...callback, address: homeAddress })
  },
  reauthenticateWithIdentity: async (world) => {
    const { accountId, id: sessionId } = await choosePassword(world)
    await connect(world)
    const callback = await comeBack(world, { authenticatedAtMicros: world.deps.clock.nowMicros() })
    return (failing) => failing.reauthenticateWithIdentity({ accountId, sessionId, ...callback })
  },
  endSessionsOfIdentity: async ({ deps }) => {
    const logout = { subject: 'x', id: '1', expiresAtMicros: deps.clock.nowMicros() }
    const logoutToken = deps.identityProvider.logoutToken(logout)
    return (failing) => failing.endSessionsOfIdentity({ logoutToken })
  },
  showAuthenticators:
    async ({ accountId }) =>
    (failing) =>
      failing.showAuthenticators({ accountId }),
  listIdentities:
    async ({ accountId }) =>
    (failing) =>
      failing.listIdentities({ accountId }),
  connectIdentity: async (world) => {
    const callback = await comeBack(world)
    return (failing) => failing.connectIdentity({ accountId: world.accountId, ...callback })
  },
  disconnectIdentity: async (world) => {
    const { accountId, id: sessionId } = await choosePassword(world)
    const id = await connect(world)
    return (failing) => failing.disconnectIdentity({ accountId, id, sessionId })
  },
  removeIdentity: async (world) => {
    const id = await connect(world)
    return (failing) => failing.removeIdentity({ accountId: world.accountId, id })
  },
  listPasskeys:
    async ({ accountId }) =>
    (failing) =>
      failing.listPasskeys({ accountId }),
  signInWithPasskey: async (world) => {
    const { passkey } = await addPasskey(world)
    const signIn = async (sotto: Sotto) =>
      sotto.signInWithPasskey({ ...(await usedToSignIn(world, passkey)), address: awayAddress })
    for (let nr = 0; nr < sessionsMax; nr += 1) expectOk(await signIn(world.sotto))
    const used = await usedToSignIn(world, passkey)
    return (failing) => failing.signInWithPasskey({ ...used, address: awayAddress })
  },
  beginPasskey:
    async ({ accountId }) =>
    (failing) =>
      failing.beginPasskey({ accountId, sessionId: unknownId }),
  addPasskey: async ({ sotto, accountId }) => {
    const session = { accountId, sessionId: unknownId }
    const { challenge } = expectOk(await sotto.beginPasskey(session))
    const made = createFakePasskey('mine').made(ceremonyOf(challenge))
    return (failing) => failing.addPasskey({ ...session, name: 'Phone', made, relyingParty })
  },
  beginPasskeyProof:
    async ({ accountId }) =>
    (failing) =>
      failing.beginPasskeyProof({ accountId, sessionId: unknownId, rpId: relyingParty.id }),
  deletePasskey: async (world) => {
    const { id } = await addPasskey(world)
    await choosePassword(world)
    const { accountId } = world
    return (failing) => failing.deletePasskey({ accountId, id, sessionId: unknownId })
  },
  previewInvitation: async ({ sotto }) => {
    const { token } = expectOk(await sotto.inviteAccount({ email }))
    return (failing) => failing.previewInvitation({ token })
  },
  choosePassword: async ({ sotto }) => {
    const { token } = expectOk(await sotto.inviteAccount({ email }))
    return (failing) => failing.choosePassword({ token, password: goodPassword, address: homeAddress })
  },
  changePassword: async (world) => {
    const { accountId, id: sessionId } = await choosePassword(world)
    return (failing) => failing.changePassword({ accountId, sessionId, password: `${goodPassword} 2` })
  },
  getAccount:
    async ({ accountId }) =>
    (failing) =>
      failing.getAccount({ accountId }),
  inviteAccount: async () => (failing) => failing.inviteAccount({ email: 'bob@example.org' }),
  resetAccount: async () => (failing) => failing.resetAccount({ email }),
  changeEmail:
    async ({ accountId }) =>
    (failing) =>
      failing.changeEmail({ accountId, email: 'bob@example.org' }),
  requestReset: async () => (failing) =>
    failing.requestReset({ email, address: homeAddress, urlOf }).andThen(({ mail }) => mail()),
  requestEmailChange:
    async ({ accountId }) =>
    (failing) =>
      failing.requestEmailChange({ accountId, email: 'bob@example.org', urlOf }),
  previewEmailChange: async (world) => {
    const token = await requestChange(world)
    return (failing) => failing.previewEmailChange({ token })
  },
  confirmEmailChange: async (world) => {
    const token = await requestChange(world)
    return (failing) => failing.confirmEmailChange({ token })
  },
  setLanguage:
    async ({ accountId }) =>
    (failing) =>
      failing.setLanguage({ accountId, language: 'de' }),
  rememberNotify:
    async ({ accountId }) =>
    (failing) =>
      failing.rememberNotify({ accountId, notify: true }),
  setDisplayName:
    async ({ accountId }) =>
    (failing) =>
      failing.setDisplayName({ accountId, displayName: 'Ann Reed' }),
  setMails:
    async ({ accountId }) =>
    (failing) =>
      failing.setMails({ accountId, enabled: false, nameLabels: false }),
  createWebhook:
    async ({ accountId }) =>
    (failing) =>
      failing.createWebhook({ accountId, url: webhookUrl }),
  listWebhooks:
    async ({ accountId }) =>
    (failing) =>
      failing.listWebhooks({ accountId }),
  deleteWebhook: async (world) => {
    const id = await addWebhook(world)
    return (failing) => failing.deleteWebhook({ accountId: world.accountId, id })
  },
  testWebhook: async (world) => {
    const id = await addWebhook(world)
    return (failing) => failing.testWebhook({ accountId: world.accountId, id })
  },
  testMail:
    async ({ accountId }) =>
    (failing) =>
      failing.testMail({ accountId }),
  mailInvitation:
    async ({ accountId }) =>
    (failing) =>
      failing.mailInvitation({
        accountId,
        invitation: 'reset',
        url: 'https://example.org/w',
        expiresAtMicros: 0,
      }),
  distributeEvents: async (world) => {
    await addWebhook(world)
    await openTimes(world, await shareHeard(world))
    return (failing) => failing.distributeEvents()
  },
  leaseDeliveries: async (world) => {
    await openTimes(world, await shareHeard(world))
    expectOk(await world.sotto.distributeEvents())
    return (failing) => failing.leaseDeliveries({ kind: 'mail', targets: 1, perTarget: 1 })
  },
  deliverLease: async (world) => {
    const { deps, sotto, accountId } = world
    const webhookId = await addWebhook(world)
    expectOk(await deps.webhooks.update(accountId, webhookId, () => ({ failingSinceMicros: 1 })))
    expectOk(await sotto.setMails({ accountId, enabled: true, nameLabels: true }))
    await openTimes(world, await shareHeard(world))
    const mail = await leaseDue(world, 'mail')
    const webhook = await leaseDue(world, 'webhook')
    return (failing) =>
      failing.deliverLease({ lease: mail }).andThen(() => failing.deliverLease({ lease: webhook }))
  },
  listDeliveries: async (world) => {
    for (let nr = 0; nr < 3; nr += 1) await openTimes(world, await shareHeard(world))
    expectOk(await world.sotto.distributeEvents())
    return (failing) => lastOf(failing.listDeliveries({ pageSize: 2 }))
  },
  retryDelivery: async (world) => {
    await openTimes(world, await shareHeard(world))
    const { deliveries } = await leaseDue(world, 'mail')
    return (failing) => failing.retryDelivery({ id: deliveries[0]!.id })
  },
  getQueueState: async () => (failing) => failing.getQueueState(),
  exportAccount: async (world) => {
    const { accountId } = await choosePassword(world)
    expectOk(await world.sotto.createAccessToken({ accountId, name: 'ci' }))
    expectOk(await world.sotto.createSecret(newSecret(world)))
    expectOk(await world.sotto.saveDraft(newSecret(world)))
    return (failing) => lastOf(failing.exportAccount({ accountId }))
  },
  deleteAccount:
    async ({ accountId }) =>
    (failing) =>
      failing.deleteAccount({ accountId }),
  createAccount: async () => (failing) => failing.createAccount({ email: 'bob@example.org' }),
  ensureAccount: async () => (failing) => failing.ensureAccount({ externalId: 'user-1' }),
  findAccount: async () => (failing) => failing.findAccount({ email: 'ada@example.org' }),
  listAccounts: async () => (failing) => lastOf(failing.listAccounts()),
  releaseAccount:
    async ({ accountId }) =>
    (failing) =>
      failing.releaseAccount({ accountId }),
  disableAccount:
    async ({ accountId }) =>
    (failing) =>
      failing.disableAccount({ accountId }),
  createAccessToken:
    async ({ accountId }) =>
    (failing) =>
      failing.createAccessToken({ accountId, name: 'ci' }),
  listAccessTokens:
    async ({ accountId }) =>
    (failing) =>
      lastOf(failing.listAccessTokens({ accountId })),
  revokeAccessToken: async ({ sotto, accountId }) => {
    const { id } = expectOk(await sotto.createAccessToken({ accountId, name: 'ci' }))
    return (failing) => failing.revokeAccessToken({ accountId, id })
  },
  createFolder:
    async ({ accountId }) =>
    (failing) =>
      failing.createFolder({ accountId, label: 'x' }),
  listFolders:
    async ({ accountId }) =>
    (failing) =>
      lastOf(failing.listFolders({ accountId })),
  getFolder:
    async ({ accountId, folderId: id }) =>
    (failing) =>
      failing.getFolder({ accountId, id }),
  renameFolder:
    async ({ accountId, folderId: id }) =>
    (failing) =>
      failing.renameFolder({ accountId, id, label: 'x' }),
  deleteFolder:
    async ({ accountId, folderId: id }) =>
    (failing) =>
      failing.deleteFolder({ accountId, id }),
  createRequest: async (world) => (failing) =>
    failing.createRequest({ accountId: world.accountId, folderId: world.folderId, title: 'x' }),
  listRequests: async (world) => {
    for (let nr = 0; nr < 3; nr += 1) await ask(world)
    return (failing) => lastOf(failing.listRequests({ accountId: world.accountId, pageSize: 2 }))
  },
  getRequest: async (world) => {
    const { id } = await ask(world)
    return (failing) => failing.getRequest({ accountId: world.accountId, id })
  },
  countRequests:
    async ({ accountId }) =>
    (failing) =>
      failing.countRequests({ accountId }),
  closeRequest: async (world) => {
    const { id } = await ask(world)
    return (failing) => failing.closeRequest({ accountId: world.accountId, id })
  },
  previewRequest: async (world) => {
    const { token } = (await ask(world)).link
    return (failing) => failing.previewRequest({ token })
  },
  admitAnswer: async (world) => {
    const { token } = (await ask(world)).link
    return (failing) => failing.admitAnswer({ token, address: homeAddress })
  },
  answerRequest: async (world) => {
    const { token } = (await ask(world)).link
    return (failing) => failing.answerRequest({ token, address: homeAddress, note: 'x' })
  },
  checkNewSecret: async (world) => (failing) => failing.checkNewSecret(newSecret(world)),
  createSecret: async (world) => (failing) => failing.createSecret(newSecret(world)),
  isKeyUsed:
    async ({ accountId }) =>
    (failing) =>
      failing.isKeyUsed({ accountId, idempotencyKey: 'k' }),
  createSecretOnce: async (world) => {
    const input = (idempotencyKey: string) => ({ ...newSecret(world), idempotencyKey })
    expectOk(await world.sotto.createSecretOnce(input('replayed')))
    return (failing) =>
      failing.createSecretOnce(input('replayed')).andThen(() => failing.createSecretOnce(input('first')))
  },
  getSecret: async (world) => {
    const { id } = expectOk(await world.sotto.createSecret(newSecret(world)))
    return (failing) => failing.getSecret({ accountId: world.accountId, id })
  },
  listSecrets: async (world) => {
    for (let nr = 0; nr < 101; nr += 1) expectOk(await world.sotto.createSecret(newSecret(world)))
    return (failing) => lastOf(failing.listSecrets({ accountId: world.accountId }))
  },
  viewSecret: async (world) => {
    const { id } = expectOk(await world.sotto.createSecret(newSecret(world)))
    return (failing) => failing.viewSecret({ accountId: world.accountId, id })
  },
  browseSecrets: async (world) => {
    for (let nr = 0; nr < 3; nr += 1) expectOk(await world.sotto.createSecret(newSecret(world)))
    return (failing) => lastOf(failing.browseSecrets({ accountId: world.accountId, pageSize: 2 }))
  },
  searchSecrets: async (world) => {
    expectOk(await world.sotto.createSecret(newSecret(world, { label: 'Router' })))
    return (failing) => failing.searchSecrets({ accountId: world.accountId, words: 'router' })
  },
  deleteSecrets: async (world) => {
    const { id } = expectOk(await world.sotto.createSecret(newSecret(world)))
    const draft = expectOk(await world.sotto.saveDraft(newSecret(world)))
    return (failing) => failing.deleteSecrets({ accountId: world.accountId, ids: [id], drafts: [draft.id] })
  },
  removeFinished: async (world) => {
    const { link } = expectOk(await world.sotto.createSecret(newSecret(world, { openLimit: 1 })))
    expectOk(await world.sotto.openSecret({ token: link.token }))
    return (failing) => failing.removeFinished({ accountId: world.accountId })
  },
  countSecrets:
    async ({ accountId }) =>
    (failing) =>
      failing.countSecrets({ accountId }),
  destroySecret: async (world) => {
    const { id } = expectOk(await world.sotto.createSecret(newSecret(world)))
    return (failing) => failing.destroySecret({ accountId: world.accountId, id })
  },
  saveDraft: async (world) => (failing) => failing.saveDraft(newSecret(world)),
  listDrafts: async (world) => {
    for (let nr = 0; nr < 101; nr += 1) expectOk(await world.sotto.saveDraft(newSecret(world)))
    return (failing) => lastOf(failing.listDrafts({ accountId: world.accountId }))
  },
  getDraft: async (world) => {
    const { id } = expectOk(await world.sotto.saveDraft(newSecret(world)))
    return (failing) => failing.getDraft({ accountId: world.accountId, id })
  },
  editDraft: async (world) => {
    const { id } = expectOk(await world.sotto.saveDraft(newSecret(world)))
    const { note: _, ...fields } = newSecret(world)
    return (failing) => failing.editDraft({ ...fields, id, content: { note: 'another note' } })
  },
  shareDraft: async (world) => {
    const { id } = expectOk(await world.sotto.saveDraft(newSecret(world)))
    return (failing) => failing.shareDraft({ accountId: world.accountId, id })
  },
  deleteDraft: async (world) => {
    const { id } = expectOk(await world.sotto.saveDraft(newSecret(world)))
    return (failing) => failing.deleteDraft({ accountId: world.accountId, id })
  },
  previewLink: async (world) => {
    const { token } = expectOk(await world.sotto.createSecret(newSecret(world))).link
    return (failing) => failing.previewLink({ token })
  },
  openSecret: async (world) => {
    const { token } = expectOk(await world.sotto.createSecret(newSecret(world, { password: 'right' }))).link
    return (failing) => failing.openSecret({ token, password: 'right' })
  },
  uploadFiles:
    async ({ accountId }) =>
    (failing) =>
      failing.uploadFiles({ accountId, files: arriving({ name: 'a' }, { name: 'b' }) }),
  dropUpload: async (world) => {
    const upload = await uploaded(world, ['a', 'b'])
    return (failing) => failing.dropUpload(upload)
  },
  fileUsage:
    async ({ accountId }) =>
    (failing) =>
      failing.fileUsage({ accountId }),
  readTicket: async (world) => {
    const { link } = await shareFiles(world, ['a'])
    const { attached } = expectOk(await world.sotto.openSecret({ token: link.token }))
    return (failing) => failing.readTicket({ ticket: attached!.ticket, number: 1 })
  },
  sweepFiles: async (world) => {
    const { id } = await shareFiles(world, ['a'])
    expectOk(await world.sotto.destroySecret({ accountId: world.accountId, id }))
    await uploaded(world, ['b'])
    world.deps.clock.advance(dayMicros)
    return (failing) => failing.sweepFiles({ withOrphans: true })
  },
  examineFiles: async (world) => {
    await shareFiles(world, ['a'])
    return (failing) => failing.examineFiles()
  },
  sweepExpired: async () => (failing) => failing.sweepExpired(),
  findCorruptedRows: async (world) => {
    expectOk(await world.sotto.createSecret(newSecret(world)))
    expectOk(await world.sotto.saveDraft(newSecret(world)))
    return (failing) => failing.findCorruptedRows()
  },
  dropCorruptedRows: async (world) => {
    const ids = Object.values(await corruptEachKind(world))
    const accountName = { email: 'ada@example.org', externalId: undefined }
    return (failing) => failing.dropCorruptedRows({ ids, accountName })
  },
  fitKeyRing: async () => (failing) => failing.fitKeyRing(),
  checkActiveKey: async () => (failing) => failing.checkActiveKey(),
  showServer: async () => (failing) => failing.showServer({ id: unknownId, name: 'web-1' }),
  hideServer: async () => (failing) => failing.hideServer({ id: unknownId }),
  addKey: async () => (failing) => failing.addKey(),
  keyStatus: async () => (failing) => failing.keyStatus(),
  rotateKeys: async (world) => {
    expectOk(await world.sotto.createSecret(newSecret(world)))
    expectOk(await world.sotto.createAccessToken({ accountId: world.accountId, name: 'ci' }))
    return (failing) => failing.rotateKeys()
  },
  retireKey: async ({ sotto }) => {
    expectOk(await sotto.rotateKeys())
    return (failing) => failing.retireKey({ kid: 1 })
  },
}

/** Calls after the one that did what was asked: their errors are no error of the use-case. */
const ignored: Readonly<Partial<Record<keyof Sotto, readonly string[]>>> = {
  signIn: ['signIns.rememberAddress', 'sessions.page', 'sessions.erase'],
  choosePassword: ['signIns.rememberAddress'],
  signInWithIdentity: ['identities.recordUse', 'signIns.rememberAddress', 'sessions.page', 'sessions.erase'],
  takeInvitation: ['signIns.rememberAddress'],
  signInWithPasskey: ['signIns.rememberAddress', 'sessions.page', 'sessions.erase'],
  deleteAccount: ['accounts.eraseBegun'],
}

for (const [name, scenario] of Object.entries(scenarios)) {
  t.test(`${name} returns the error of every storage call that fails`, async (t) => {
    const mayFail = ignored[name as keyof Sotto] ?? []
    const failures = new Set<string>()
    let step = 0
    for (;;) {
      step += 1
      const world = await createWorld()
      const call = await scenario(world)
      // A fresh store knows no key, so that fitting the ring has to add one.
      const deps =
        name === 'fitKeyRing' ? { ...world.deps, ...createMemoryStorage({ activeKids: [] }) } : world.deps
      const { ports, failed } = failingAt(step, deps)
      const outcome = await call(createSotto({ ports, policy: deps.policy }))
      const method = failed()
      if (method === undefined) {
        t.ok(outcome.isOk(), 'without a failing call it succeeds')
        break
      }
      failures.add(method)
      if (mayFail.includes(method)) t.ok(outcome.isOk(), `${method} may fail`)
      else t.strictSame(expectErr(outcome), broken, `call ${String(step)}, ${method}, fails`)
    }
    t.strictSame(
      mayFail.filter((method) => !failures.has(method)),
      [],
      'every ignored error was made',
    )
    t.ok(step > 1, `${String(step - 1)} calls`)
  })
}

const stores = [
  ...(['accounts', 'folders', 'secrets', 'drafts', 'links', 'requests', 'outbox', 'deliveries'] as const),
  ...(['webhooks', 'accessTokens', 'idempotencyKeys', 'secretFiles', 'fileContents'] as const),
  ...([
    'passwords',
    'identities',
    'passkeys',
    'usedTokens',
    'sessions',
    'invitations',
    'emailChanges',
    'signIns',
    'keys',
    'servers',
    'rewraps',
    'corruption',
    'quota',
  ] as const),
]

/** They answer nothing, so they cannot fail. */
const answersNothing: readonly string[] = ['sessions.recordUse', 'accessTokens.recordUse']

/** Ports of which the storage call number `step` fails; `failed` names it as `store.method`. */
function failingAt(step: number, deps: World['deps']) {
  let calls = 0
  let failed: string | undefined
  const guarded = stores.map((name) => {
    const store: object = deps[name]
    const proxy = new Proxy(store, {
      get(target, method) {
        const original: unknown = Reflect.get(target, method)
        if (typeof original !== 'function' || answersNothing.includes(`${name}.${String(method)}`))
          return original
        return (...given: unknown[]): unknown => {
          calls += 1
          if (calls !== step) return Reflect.apply(original, target, given)
          failed = `${name}.${String(method)}`
          return errAsync(broken)
        }
      },
    })
    return [name, proxy] as const
  })
  const ports = { ...deps, ...Object.fromEntries(guarded) } as Ports
  return { ports, failed: () => failed }
}

/** The last page of a list: the error if there is one. */
function lastOf<T, E>(pages: Pages<T, E>): ResultAsync<unknown, E> {
  const read = async (): Promise<Result<unknown, E>> => {
    let last: Result<unknown, E> = ok()
    for await (const page of pages) last = page
    return last
  }
  return new ResultAsync(read())
}
