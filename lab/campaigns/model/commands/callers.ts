import fc from 'fast-check'
import {
  command,
  faults,
  labelFault,
  labels,
  nobody,
  perhapsOther,
  perhapsStranger,
  pick,
  picked,
  short,
} from '../command.ts'
import { accountOf, day, minute, type Token, type Window } from '../model.ts'
import { ask, Divergence, policy, type World } from '../world.ts'

const scopes = fc.oneof<fc.WeightedArbitrary<readonly string[] | undefined>[]>(
  { arbitrary: fc.constantFrom(undefined, ['read'], ['write', 'read'], ['write']), weight: 15 },
  { arbitrary: fc.constantFrom(['admin'], []), weight: 1 },
)
const lifetimes = fc.oneof<fc.WeightedArbitrary<number | undefined>[]>(
  { arbitrary: fc.constantFrom(undefined, 60, 3_600, 90 * 86_400), weight: 15 },
  { arbitrary: fc.constantFrom(0, 1.5), weight: 1 },
)

function isUsable({ revokedAtMicros, expiresAtMicros }: Token, now: number): boolean {
  return revokedAtMicros === undefined && (expiresAtMicros === undefined || expiresAtMicros > now)
}

/** The time of a use is kept to the minute. */
export function isRecorded(last: number | undefined, now: number): boolean {
  return last === undefined || Math.abs(now - last) >= minute
}

/** A use is recorded in the background: waits until it is, on every storage. */
export async function recorded(
  world: World,
  what: string,
  expected: number,
  read: (system: World['systems'][number]) => Promise<number | undefined>,
): Promise<void> {
  for (const system of world.systems) {
    let last: number | undefined
    for (let tried = 0; tried < 200 && last !== expected; tried += 1) {
      if (tried > 0) await new Promise((resolve) => setTimeout(resolve, 5))
      last = await read(system)
    }
    if (last !== expected) throw new Divergence(what, [system.name, last], ['model', expected])
  }
}

async function createToken(
  world: World,
  input: {
    accountId: string
    name: string
    scopes: readonly string[] | undefined
    expiresInSeconds: number | undefined
  },
): Promise<void> {
  const { model, clock } = world
  const { accountId, name, scopes: named = ['read', 'write'], expiresInSeconds } = input
  const account = accountOf(model, accountId)
  const isLifetime = expiresInSeconds === undefined || expiresInSeconds >= 60
  const refusal = faults(
    labelFault('name', name),
    named.length === 0 || named.includes('admin') ? { field: 'scopes', rule: 'unknown_scope' } : undefined,
    isLifetime ? undefined : { field: 'expiresIn', rule: 'out_of_range', limit: 3_650 * 86_400 },
  )
  const made = await ask(world, 'createAccessToken', ({ sotto }) => sotto.createAccessToken(input), {
    refusal: refusal ?? (account === undefined ? { code: 'account_not_found' } : undefined),
    value: ({ id, token }) => {
      const createdAtMicros = clock.nowMicros()
      const expiresAtMicros =
        expiresInSeconds === undefined ? undefined : createdAtMicros + expiresInSeconds * 1_000_000
      const times = {
        createdAtMicros,
        expiresAtMicros,
        revokedAtMicros: undefined,
        lastUsedAtMicros: undefined,
      }
      const shown = { id, name, scopes: named.toSorted(), ...times }
      account?.tokens.push({ ...shown, kid: model.keys.active })
      return { ...shown, token }
    },
  })
  if (made !== undefined) model.accessTokens.push({ token: made.token, accountId, id: made.id })
}

async function authenticate(world: World, nr: number, say: (text: string) => void): Promise<void> {
  const { model, clock } = world
  const own = new Set(
    model.accounts.flatMap(({ tokens }) =>
      tokens.filter((each) => isUsable(each, clock.nowMicros())).map(({ id }) => id),
    ),
  )
  const live = model.accessTokens.filter(({ id }) => own.has(id))
  const given =
    nr % 20 === 19 ? undefined : picked(live.length === 0 || nr % 6 === 5 ? model.accessTokens : live, nr)
  const account = accountOf(model, given?.accountId ?? '')
  const row = account?.tokens.find(({ id }) => id === given?.id)
  say(given === undefined ? 'an unknown token' : short(given.id))
  const now = clock.nowMicros()
  const isAccepted = row !== undefined && account?.disabledAtMicros === undefined && isUsable(row, now)
  const token = given?.token ?? `sotto_${'0'.repeat(46)}`
  await ask(world, 'authenticate', ({ sotto }) => sotto.authenticate({ token }), {
    refusal: isAccepted ? undefined : { code: 'token_invalid' },
    value: () => ({
      accountId: account?.id,
      via: { kind: 'access_token', id: row?.id },
      scopes: row?.scopes,
    }),
  })
  if (!isAccepted || !isRecorded(row.lastUsedAtMicros, now)) return
  row.lastUsedAtMicros = now
  await recorded(world, 'last use of an access token', now, async ({ sotto }) => {
    for await (const page of sotto.listAccessTokens({ accountId: account?.id ?? '' })) {
      const found = page.isOk() ? page.value.items.find(({ id }) => id === row.id) : undefined
      if (found !== undefined) return found.lastUsedAtMicros
    }
    return undefined
  })
}

/** A window of the quota, as it is shown. One that begins in the future begins now. */
function current(window: Window | undefined, length: number, now: number): Window {
  if (window === undefined || now >= window.startedAtMicros + length)
    return { startedAtMicros: now, count: 0 }
  return { startedAtMicros: Math.min(window.startedAtMicros, now), count: window.count }
}

export function isOver({ minute: short, day: long }: { minute: Window; day: Window }, now: number): boolean {
  return now >= short.startedAtMicros + minute && now >= long.startedAtMicros + day
}

type Bucket =
  { kind: 'account' | 'pages' | 'tests'; accountId: string } | { kind: 'address'; address: string }

async function quota(world: World, bucket: Bucket, times: number): Promise<void> {
  const { model, clock } = world
  const { perMinute, perDay } = bucket.kind === 'tests' ? { perMinute: 5, perDay: 50 } : policy.quota
  // What is kept of an address is made with the active key.
  const name =
    bucket.kind === 'address'
      ? `${bucket.address} under ${model.keys.active}`
      : `${bucket.kind} ${bucket.accountId}`
  const now = clock.nowMicros()
  const rest = (windows: { minute: Window; day: Window }) => ({
    limit: perMinute,
    remaining: Math.max(0, Math.min(perMinute - windows.minute.count, perDay - windows.day.count)),
  })
  const windowsNow = () => {
    const stored = model.quota.get(name)
    return { minute: current(stored?.minute, minute, now), day: current(stored?.day, day, now) }
  }
  for (let nth = 0; nth < times; nth += 1) {
    const windows = windowsNow()
    const ends = [
      windows.minute.count >= perMinute ? windows.minute.startedAtMicros + minute : 0,
      windows.day.count >= perDay ? windows.day.startedAtMicros + day : 0,
    ]
    const resetAtMicros = Math.max(...ends)
    const retryAfterSeconds = Math.max(1, Math.ceil((resetAtMicros - now) / 1_000_000))
    const refusal =
      resetAtMicros > 0 ? { code: 'quota_exceeded', resetAtMicros, retryAfterSeconds } : undefined
    if (refusal === undefined) {
      windows.minute.count += 1
      windows.day.count += 1
    }
    const stored = model.quota.get(name)
    const call = { now, counted: refusal === undefined ? 1 : 0 } as const
    model.quota.set(name, {
      minute: after(stored?.minute, minute, call),
      day: after(stored?.day, day, call),
    })
    await ask(world, 'takeQuota', ({ sotto }) => sotto.takeQuota({ bucket }), {
      refusal,
      value: () => rest(windows),
    })
  }
  await ask(world, 'peekQuota', ({ sotto }) => sotto.peekQuota({ bucket }), {
    value: () => rest(windowsNow()),
  })
}

/** What is stored of a window after a call. One that begins in the future keeps its start, if it is no further ahead than it is long. */
function after(
  stored: Window | undefined,
  length: number,
  { now, counted }: { now: number; counted: 0 | 1 },
) {
  if (stored === undefined) return { startedAtMicros: now, count: counted }
  const isOver = now >= stored.startedAtMicros + length
  if (isOver) return counted === 1 ? { startedAtMicros: now, count: 1 } : stored
  const startedAtMicros = stored.startedAtMicros > now + length ? now : stored.startedAtMicros
  return { startedAtMicros, count: stored.count + counted }
}

export const callerCommands = [
  command(
    'create token',
    fc.tuple(pick, labels, scopes, lifetimes),
    async (world, [nr, name, named, expiresInSeconds], say) => {
      const accountId = nr % 20 === 19 ? nobody : (picked(world.model.accounts, nr)?.id ?? nobody)
      say(`of ${short(accountId)}: ${named?.join() ?? 'all'}, ${expiresInSeconds ?? 'no'} s`)
      await createToken(world, { accountId, name, scopes: named, expiresInSeconds })
    },
  ),
  ...Array.from({ length: 2 }, () => command('call with token', pick, authenticate)),
  command('revoke token', fc.tuple(pick, pick, pick), async (world, [nr, other, stranger], say) => {
    const { model, clock } = world
    const all = model.accounts.flatMap((account) =>
      account.tokens.map((token) => ({ accountId: account.id, token })),
    )
    const own = picked(all, nr)
    const id = perhapsOther(own?.token.id, other)
    const accountId = perhapsStranger(world, own?.accountId, stranger)
    say(`${short(id)} of ${short(accountId)}`)
    const isFound = own?.accountId === accountId && own.token.id === id.toLowerCase()
    await ask(world, 'revokeAccessToken', ({ sotto }) => sotto.revokeAccessToken({ accountId, id }), {
      refusal: isFound ? undefined : { code: 'access_token_not_found' },
    })
    if (isFound) own.token.revokedAtMicros ??= clock.nowMicros()
  }),
  command('take quota', fc.tuple(pick, fc.integer({ min: 1, max: 6 })), async (world, [nr, times], say) => {
    const accountId = picked(world.model.accounts, nr)?.id ?? nobody
    const kinds: Bucket[] = [
      { kind: 'account', accountId },
      { kind: 'pages', accountId },
      { kind: 'tests', accountId },
      { kind: 'address', address: '192.0.2.1' },
    ]
    const bucket = picked(kinds, Math.floor(nr / 7))
    if (bucket === undefined) return
    say(
      `of ${bucket.kind === 'address' ? bucket.address : `${bucket.kind} ${short(accountId)}`}, ${times} times`,
    )
    await quota(world, bucket, times)
  }),
]
