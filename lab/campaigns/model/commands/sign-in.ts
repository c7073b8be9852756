import type { FullSotto, NewInvitation } from '@sotto/identity'
import fc from 'fast-check'
import type { ResultAsync } from 'neverthrow'
import { expectOk } from '@sotto/test-kit'
import { accountLimits, addressLimits, correct, countWrong, forget, lockedFor } from '../attempts.ts'
import {
  command,
  faults,
  nobody,
  perhapsOther,
  perhapsStranger,
  pick,
  picked,
  short,
  shortNameFault,
  shortNames,
} from '../command.ts'
import {
  accountOf,
  byCreation,
  day,
  hour,
  minute,
  remove,
  type Account,
  type Limits,
  type Session,
} from '../model.ts'
import { ask, type Refusal, type World } from '../world.ts'
import { isRecorded, recorded } from './callers.ts'
import { addAccount, emailFault, plainEmail, shownAccount, withEmail } from './owners.ts'

const emails = fc.constantFrom(
  'owner@example.org',
  ' OWNER@example.org',
  'ada@example.org',
  'eve@example.org',
  'bad',
)
const addresses = fc.constantFrom('192.0.2.1', '192.0.2.2', '2001:db8::')
const good = 'a good long pass wörd'
const chosen = fc.oneof(
  { arbitrary: fc.constantFrom(good, good.normalize('NFD'), 'another long password'), weight: 9 },
  { arbitrary: fc.constantFrom('too short', `it is owner's own phrase`, 'the owners of all', ''), weight: 1 },
)
/** `own` stands for the account's password. */
const typed = fc.constantFrom('own', 'own', 'own', 'own', 'another long password', 'wrong', 'wrong', '')

function typedBy(account: Account | undefined, password: string): string {
  return password === 'own' ? (account?.password?.text.normalize('NFD') ?? 'none') : password
}

function passwordFault(password: string, email: string | undefined) {
  const word = email?.split('@')[0]
  const isNamed = word !== undefined && password.split(/[^\p{L}\p{N}]+/u).includes(word)
  const rule = isNamed ? { rule: 'contains_email', word } : undefined
  const short = Array.from(password).length < 15 ? { rule: 'too_short', limit: 15 } : rule
  const broken = password === '' ? { rule: 'empty' } : short
  return faults(broken && { field: 'password', ...broken })
}

/** A new session; at most 50 of an account are kept after a sign-in, the newest. */
function addSession(world: World, account: Account, given: { readonly id: string; readonly token: string }) {
  const now = world.clock.nowMicros()
  const session: Session = {
    ...{ id: given.id, name: undefined },
    createdAtMicros: now,
    reauthenticatedAtMicros: now,
    lastUsedAtMicros: now,
  }
  account.sessions.push(session)
  world.model.sessionTokens.push({ token: given.token, accountId: account.id, id: given.id })
  const { name: _, ...shown } = session
  return { ...shown, accountId: account.id, token: given.token }
}

/** An address is known for 90 days. */
function remember({ model, clock }: World, account: Account, address: string): void {
  account.known = account.known.filter((each) => each.address !== address || each.kid !== model.keys.active)
  account.known.push({ address, at: clock.nowMicros(), kid: model.keys.active })
}

function isKnown({ model, clock }: World, account: Account | undefined, address: string): boolean {
  const since = clock.nowMicros() - 90 * day
  return (account?.known ?? []).some(
    (each) => each.address === address && each.at > since && model.keys.ring.includes(each.kid),
  )
}

/** One attempt, counted in both buckets. What is kept of a bucket's name is made with the active key. */
function attempt(world: World, names: readonly [string, string], isRight: boolean): Refusal | undefined {
  const { model, clock } = world
  const now = clock.nowMicros()
  const limits = [accountLimits, addressLimits] as const
  const buckets = names.map((name, at) => {
    const { name: under, bucket } = bucketOf(world, name, limits[at] ?? accountLimits)
    if (model.signIns.has(under)) keep(world, under, bucket)
    return { under, bucket }
  })
  for (const { bucket } of buckets) {
    const retryAfterSeconds = lockedFor(bucket, bucket.limits, now)
    if (retryAfterSeconds !== undefined) {
      return { code: 'sign_in_locked', reason: 'wrong_passwords', retryAfterSeconds }
    }
  }
  for (const { under, bucket } of buckets) {
    forget(bucket, bucket.limits, now)
    if (!isRight) countWrong(bucket, bucket.limits, now)
    keep(world, under, bucket)
  }
  return undefined
}

type Bucket = {
  wrongAt: number[]
  total: number
  lockedUntil: number | undefined
  limits: Limits
  eraseAt: number
}

/** A copy of a bucket, with what a wrong clock left in the future corrected. Its name is made with the active key. */
export function bucketOf({ model, clock }: World, what: string, limits: Limits) {
  const name = `${what} under ${model.keys.active}`
  const empty = { wrongAt: [], total: 0, lockedUntil: undefined, limits, eraseAt: 0 }
  const bucket: Bucket = { ...(model.signIns.get(name) ?? empty) }
  const { wrongAt, lockedUntil } = bucket
  correct(bucket, limits, clock.nowMicros())
  const isCorrected =
    lockedUntil !== bucket.lockedUntil || wrongAt.some((at, nth) => at !== bucket.wrongAt[nth])
  return { name, bucket, isCorrected }
}

/** Kept for as long as it says something. */
export function keep({ model }: World, name: string, bucket: Bucket): void {
  const { wrongAt, lockedUntil, limits } = bucket
  if (wrongAt.length === 0 && lockedUntil === undefined) return void model.signIns.delete(name)
  const last = wrongAt.length === 0 ? 0 : Math.max(...wrongAt) + Math.max(limits.window, limits.lock)
  bucket.eraseAt = Math.max(last, lockedUntil ?? 0)
  model.signIns.set(name, bucket)
}

async function signIn(world: World, email: string, password: string, address: string): Promise<void> {
  const { model } = world
  const account = withEmail(model, email)
  const isRight =
    account?.disabledAtMicros === undefined && account?.password?.text === password.normalize('NFC')
  const name = `account ${plainEmail(email)}${isKnown(world, account, address) ? ` from ${address}` : ''}`
  const refused = password === '' ? undefined : attempt(world, [name, address], isRight)
  const refusal = refused ?? (isRight ? undefined : { code: 'sign_in_wrong' })
  await ask(world, 'signIn', ({ sotto }) => sotto.signIn({ email, password, address }), {
    refusal,
    value: (session) => account && addSession(world, account, session),
  })
  if (refusal !== undefined || account === undefined) return
  remember(world, account, address)
  const [newest] = account.sessions.slice(-1)
  const surplus = account.sessions
    .filter((session) => session !== newest)
    .toSorted(byCreation)
    .slice(0, -49)
  for (const session of surplus) remove(account.sessions, session)
}

function isAlive({ clock }: World, session: Session): boolean {
  const now = clock.nowMicros()
  return session.createdAtMicros + 14 * day > now && session.lastUsedAtMicros + 12 * hour > now
}

function sessionAt(world: World, nr: number) {
  const { sessionTokens, accounts } = world.model
  const status = accounts.flatMap(({ sessions }) => sessions.map(({ id }) => id))
  const live = sessionTokens.filter(({ id }) => status.includes(id))
  const given =
    nr % 20 === 19 ? undefined : picked(nr % 6 === 5 || live.length === 0 ? sessionTokens : live, nr)
  const account = accountOf(world.model, given?.accountId ?? '')
  return { given, account, session: account?.sessions.find(({ id }) => id === given?.id) }
}

async function useSession(world: World, nr: number, say: (text: string) => void): Promise<void> {
  const { given, account, session } = sessionAt(world, nr)
  say(given === undefined ? 'an unknown session' : short(given.id))
  const now = world.clock.nowMicros()
  const token = given?.token ?? 'A'.repeat(43)
  const isAccepted =
    session !== undefined && account?.disabledAtMicros === undefined && isAlive(world, session)
  await ask(world, 'authenticateSession', ({ sotto }) => sotto.authenticateSession({ token }), {
    refusal: isAccepted ? undefined : { code: 'session_invalid' },
    value: () => ({
      caller: {
        accountId: account?.id,
        via: { kind: 'session', id: session?.id },
        scopes: ['read', 'write'],
      },
      ...{ session: { ...session, name: undefined }, language: account?.language, nowMicros: now },
      notifies: account?.notifies,
    }),
  })
  if (!isAccepted || account === undefined || !isRecorded(session.lastUsedAtMicros, now)) return
  session.lastUsedAtMicros = now
  await recorded(world, 'last use of a session', now, async ({ ports }) => {
    const page = await ports.sessions.page(account.id, undefined, 1_000)
    return page.isOk() ? page.value.find(({ id }) => id === session.id)?.lastUsedAtMicros : undefined
  })
}

async function prove(world: World, nr: number, password: string | undefined, address: string): Promise<void> {
  const { account, session } = sessionAt(world, nr)
  if (account === undefined || session === undefined) return
  const now = world.clock.nowMicros()
  const age = now - session.reauthenticatedAtMicros
  const isFresh = age >= 0 && age < 10 * minute
  const isRight = account.password?.text === password?.normalize('NFC')
  let refusal: Refusal | undefined
  if (!isFresh && (password === undefined || password === '')) refusal = { code: 'proof_required' }
  else if (!isFresh) {
    refusal =
      attempt(world, [`session ${session.id}`, address], isRight) ??
      (isRight ? undefined : { code: 'password_wrong' })
  }
  const { name: _, ...given } = session
  await ask(
    world,
    'ensureReauthentication',
    async ({ sotto }) =>
      (await sotto.ensureReauthentication({ accountId: account.id, session: given, password, address })).map(
        () => true,
      ),
    { refusal },
  )
  if (!isFresh && refusal === undefined) session.reauthenticatedAtMicros = now
}

async function invitation(world: World, email: string, kind: 'invite' | 'reset'): Promise<void> {
  const { model, clock } = world
  const found = withEmail(model, email)
  const missing = kind === 'reset' && found === undefined ? { code: 'account_not_found' } : undefined
  const disabled = found?.disabledAtMicros === undefined ? undefined : { code: 'account_disabled' }
  const invalid = kind === 'invite' ? emailFault(email) : undefined
  const made = await ask(
    world,
    kind,
    ({ sotto }): ResultAsync<NewInvitation, unknown> =>
      kind === 'invite' ? sotto.inviteAccount({ email }) : sotto.resetAccount({ email }),
    {
      refusal: invalid ?? missing ?? disabled,
      value: ({ account: { id }, token }) => {
        const account = found ?? addAccount(world, id, { email: plainEmail(email) })
        const expiresAtMicros = clock.nowMicros() + (kind === 'invite' ? 72 * hour : hour)
        account.invitation = { token, kind, expiresAtMicros }
        const replacesPassword = account.password !== undefined
        const removedWebhookHosts = removedHosts(account, kind)
        return {
          account: shownAccount(account),
          kind,
          token,
          expiresAtMicros,
          replacesPassword,
          removedWebhookHosts,
        }
      },
    },
  )
  if (made === undefined) return
  model.invitationTokens.push({ token: made.token, accountId: made.account.id })
  if (kind === 'invite') await addFirstFolder(world, made.account.id)
}

/** The folder that an invitation makes where there is none. */
async function addFirstFolder({ model, clock, systems }: World, accountId: string): Promise<void> {
  const [system] = systems
  if (system === undefined || model.folders.some((folder) => folder.accountId === accountId)) return
  for await (const page of system.sotto.listFolders({ accountId }))
    for (const { id } of expectOk(page).items) {
      const createdAtMicros = clock.nowMicros()
      model.folders.push({ id, accountId, label: 'Inbox', createdAtMicros, kid: model.keys.active })
    }
}

/** A reset, and an invitation that replaces a password, remove the webhooks; all that can be added here have one host. */
function removedHosts({ password, webhooks }: Account, kind: 'invite' | 'reset'): readonly string[] {
  const areRemoved = kind === 'reset' || password !== undefined
  return areRemoved && webhooks.length > 0 ? ['hooks.example.org'] : []
}

/** A new owner, who has a password and is signed in. */
export async function invitationOwner(world: World, email: string): Promise<void> {
  await invitation(world, email, 'invite')
  await choose(world, 0, good, '192.0.2.1')
}

async function choose(world: World, nr: number, password: string, address: string): Promise<void> {
  const { model, clock } = world
  const given =
    nr % 20 === 19 ? undefined : picked(model.invitationTokens.toReversed(), nr % 5 === 4 ? nr : 0)
  const token = given?.token ?? 'malformed'
  const account = accountOf(model, given?.accountId ?? '')
  const status = account?.invitation?.token === token ? account.invitation : undefined
  const now = clock.nowMicros()
  const isUsable =
    status !== undefined && status.expiresAtMicros > now && account?.disabledAtMicros === undefined
  const notFound = isUsable ? undefined : { code: 'welcome_not_found' }
  const removedWebhookHosts = isUsable && account ? removedHosts(account, status.kind) : []
  await ask(world, 'previewInvitation', ({ sotto }) => sotto.previewInvitation({ token }), {
    refusal: notFound,
    value: () =>
      account && {
        account: shownAccount(account),
        kind: status?.kind,
        expiresAtMicros: status?.expiresAtMicros,
        replacesPassword: account.password !== undefined,
        removedWebhookHosts,
      },
  })
  const refusal = notFound ?? passwordFault(password, account?.email)
  const choose = ({ sotto }: { readonly sotto: Pick<FullSotto, 'choosePassword'> }) =>
    sotto.choosePassword({ token, password, address }).map(({ mailed: _, ...session }) => session)
  await ask(world, 'choosePassword', choose, {
    refusal,
    value: (session) => {
      if (account === undefined) return undefined
      if (status?.kind === 'invite' && account.password !== undefined) {
        for (const each of account.tokens) each.revokedAtMicros ??= now
      }
      if (removedWebhookHosts.length > 0) account.webhooks.length = 0
      account.sessions = []
      account.invitation = undefined
      account.password = { text: password.normalize('NFC'), kid: model.keys.active }
      return { ...addSession(world, account, session), removedWebhookHosts }
    },
  })
  if (refusal === undefined && account !== undefined) remember(world, account, address)
}

async function changePassword(world: World, nr: number, password: string): Promise<void> {
  const { account, session } = sessionAt(world, nr)
  if (account === undefined || session === undefined) return
  const refusal =
    account.password === undefined ? { code: 'password_changed' } : passwordFault(password, account.email)
  await ask(
    world,
    'changePassword',
    ({ sotto }) =>
      sotto.changePassword({ accountId: account.id, sessionId: session.id, password }).map(() => true),
    { refusal },
  )
  if (refusal !== undefined) return
  account.password = { text: password.normalize('NFC'), kid: world.model.keys.active }
  account.sessions = [session]
  account.invitation = undefined
}

export const signInCommands = [
  command(
    'one-time link',
    fc.tuple(emails, fc.constantFrom('invite' as const, 'reset' as const)),
    async (world, [email, kind], say) => {
      say(`to ${kind} “${email}”`)
      await invitation(world, email, kind)
    },
  ),
  ...Array.from({ length: 2 }, () =>
    command(
      'choose password',
      fc.tuple(pick, chosen, addresses),
      async (world, [nr, password, address], say) => {
        say(`“${password}” from ${address}`)
        await choose(world, nr, password, address)
      },
    ),
  ),
  command(
    'sign in',
    fc.tuple(pick, emails, typed, addresses, fc.integer({ min: 1, max: 6 })),
    async (world, [nr, other, chosenPassword, address, times], say) => {
      const able = world.model.accounts.filter((account) => account.password !== undefined)
      const email = (nr % 5 === 0 ? undefined : picked(able, nr)?.email) ?? other
      const password = typedBy(withEmail(world.model, email), chosenPassword)
      // Wrong ones again and again, until they lock.
      const again = password === 'wrong' ? times : 1
      say(`“${email}” with “${password}” from ${address}, ${again} times`)
      for (let nth = 0; nth < again; nth += 1) await signIn(world, email, password, address)
    },
  ),
  ...Array.from({ length: 2 }, () => command('use session', pick, useSession)),
  command(
    'prove',
    fc.tuple(pick, fc.option(typed, { nil: undefined }), addresses),
    async (world, [nr, chosenPassword, address], say) => {
      const password = chosenPassword && typedBy(sessionAt(world, nr).account, chosenPassword)
      say(`with ${password ?? 'nothing'} from ${address}`)
      await prove(world, nr, password, address)
    },
  ),
  command('change password', fc.tuple(pick, chosen), async (world, [nr, password], say) => {
    say(`to “${password}”`)
    await changePassword(world, nr, password)
  }),
  command(
    'name session',
    fc.tuple(pick, pick, pick, shortNames),
    async (world, [nr, other, stranger, chosenName], say) => {
      const { account, session } = sessionAt(world, nr)
      const id = perhapsOther(session?.id, other)
      const accountId = session === undefined ? nobody : perhapsStranger(world, account?.id, stranger)
      const name = chosenName ?? 'laptop'
      say(`${short(id)} of ${short(accountId)} “${name}”`)
      const isFound = session !== undefined && account?.id === accountId && session.id === id.toLowerCase()
      const refusal =
        faults(shortNameFault('name', name)) ?? (isFound ? undefined : { code: 'session_not_found' })
      await ask(world, 'nameSession', ({ sotto }) => sotto.nameSession({ accountId, id, name }), { refusal })
      if (refusal === undefined && session !== undefined)
        session.name = { text: name.trim(), kid: world.model.keys.active }
    },
  ),
  command('end session', fc.tuple(pick, pick, pick), async (world, [nr, other, stranger], say) => {
    const { account, session } = sessionAt(world, nr)
    const id = perhapsOther(session?.id, other)
    const accountId = session === undefined ? nobody : perhapsStranger(world, account?.id, stranger)
    say(`${short(id)} of ${short(accountId)}`)
    const isFound = session !== undefined && account?.id === accountId && session.id === id.toLowerCase()
    await ask(world, 'endSession', ({ sotto }) => sotto.endSession({ accountId, id }), {
      refusal: isFound ? undefined : { code: 'session_not_found' },
    })
    if (isFound) remove(account.sessions, session)
  }),
]
