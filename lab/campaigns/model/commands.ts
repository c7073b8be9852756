import type { Lease } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import fc from 'fast-check'
import { inspect } from 'node:util'
import { day, forget, hour, minute, second, withToken, wrongToDisable, type Book } from './book.ts'
import { calls, type Call } from './calls.ts'
import { Faulty, Later, Nothing, pick } from './choices.ts'
import { activated } from './rules/upkeep.ts'
import { like } from './compare.ts'
import { compareViews } from './view.ts'
import { ask, everywhere, type System, type World } from './world.ts'

/** fast-check hands the same world over as model and as reality: a command compares the storages by itself. */
type Command = fc.AsyncCommand<World, World>

/** A kind of command. Its text names what was chosen at the time of its run. */
function command<Choice>(
  name: string,
  choices: fc.Arbitrary<Choice>,
  run: (world: World, choice: Choice, say: (text: string) => void) => Promise<void> | void,
): fc.Arbitrary<Command> {
  return choices.map((choice) => ({
    check: () => true,
    async run(world) {
      const at = world.log.push(name) - 1
      await run(world, choice, (text) => (world.log[at] = `${name} ${text}`))
    },
    toString: () => name,
  }))
}

function callCommand({ name, input: arbitrary, times }: Call): fc.Arbitrary<Command> {
  return command(name, fc.tuple(arbitrary, times), async (world, [given, often], say) => {
    const chosen = chooseInput(world.book, given)
    if (chosen === undefined) return
    say(`${printed(chosen.input)}${often === 1 ? '' : `, ${often} times`}`)
    for (let nth = 0; nth < often; nth += 1)
      if ((await callOnce(world, name, chosen)).endsWith('_not_found')) return
  })
}

async function callOnce(world: World, name: Call['name'], { input, isFaulty }: ChosenInput): Promise<string> {
  // While an account is half erased, the storages may differ in how many of its rows are left under a key.
  if (world.book.isErasing && (name === 'rotateKeys' || name === 'retireKey'))
    await ask(world, 'sweepExpired', {})
  const { code } = await ask(world, name, input as never, isFaulty)
  if (code === 'ok' && name.startsWith('authenticate')) await recorded(world, String(input['token']))
  if (code === 'ok' && name === 'rotateKeys') {
    const left = async ({ sotto }: System) =>
      expectOk(await sotto.keyStatus()).filter(({ active }) => !active)
    for (const { rows } of await everywhere(world, 'the other keys', left))
      like('what is left under a key', rows, 0)
  }
  return code
}

interface ChosenInput {
  readonly input: Readonly<Record<string, unknown>>
  readonly isFaulty: boolean
}

/** The input that stands for what was chosen; `undefined` when it needs something that is not there. */
function chooseInput(book: Book, given: Readonly<Record<string, unknown>>): ChosenInput | undefined {
  let isFaulty = false
  const valueOf = (value: unknown, before: Readonly<Record<string, unknown>>): unknown => {
    if (value instanceof Later) return value.choose(book, before)
    if (value instanceof Faulty) return ((isFaulty = true), value.value)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? membersOf(value) : value
  }
  const membersOf = (all: object) => {
    const input: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(all)) {
      const chosen = valueOf(value, input)
      if (chosen !== undefined) input[name] = chosen
    }
    return input
  }
  try {
    const input = membersOf(given)
    return { input, isFaulty }
  } catch (error) {
    if (error instanceof Nothing) return undefined
    throw error
  }
}

function printed(input: object): string {
  const short = (value: unknown): unknown =>
    typeof value === 'string' && value.length > 30 ? `${value.slice(0, 9)}…${value.slice(-4)}` : value
  const members = Object.entries(input).map(([name, value]) => [name, short(value)])
  return inspect(Object.fromEntries(members), { breakLength: Infinity, compact: true })
}

/** The use of a token or session is recorded in the background: waits until it is, on every storage. */
async function recorded({ book, systems }: World, token: string): Promise<void> {
  const row = withToken(book.accessTokens, token) ?? withToken(book.sessions, token)
  if (row === undefined) return
  for (const { ports } of systems) {
    const read = async () =>
      book.sessions.has(row.id)
        ? expectOk(await ports.sessions.page(row.accountId, undefined, 1_000))
        : expectOk(await ports.accessTokens.page(row.accountId, undefined, 1_000))
    for (let tried = 0; tried < 200; tried += 1) {
      const used = (await read()).find(({ id }) => id === row.id)?.lastUsedAtMicros
      if (used === row.lastUsedAtMicros) break
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}

/** Every event that waits is replaced by messages, and these are sent. */
async function deliver(world: World, kind: 'mail' | 'webhook'): Promise<void> {
  await ask(world, 'distributeEvents', { limit: 10_000 })
  const lease = async ({ sotto }: System) =>
    // Targets that are due for equally long come in any order, so all of them are leased.
    expectOk(await sotto.leaseDeliveries({ kind, targets: 100, perTarget: 1 })).toSorted((one, other) =>
      nameOf(one) < nameOf(other) ? -1 : 1,
    )
  const leases = new Map<System, readonly Lease[]>()
  await everywhere(world, 'the leases', async (system) => {
    const own = await lease(system)
    leases.set(system, own)
    return own.map(({ target, deliveries }) => ({ target, deliveries }))
  })
  const [first = []] = leases.values()
  for (const nr of first.keys())
    await everywhere(world, 'a delivery', async (system) => {
      const own = leases.get(system)?.[nr]
      if (own === undefined) return undefined
      const delivered = await system.sotto.deliverLease({ lease: own })
      return delivered.isOk() ? delivered.value : delivered.error
    })
}

function nameOf({ target }: Lease): string {
  return target.kind === 'mail' ? target.accountId : target.webhookId
}

/** An erasure of an account that is killed when it has begun. */
async function beginErasure(world: World, nr: number): Promise<void> {
  const ids = [...world.book.accounts.keys()]
  const accountId = ids[nr % ids.length]
  if (accountId === undefined) return
  await everywhere(world, 'beginErasure', async ({ ports }) =>
    expectOk(await ports.accounts.beginErasure(accountId)),
  )
  forget(world.book, accountId)
  world.book.isErasing = true
}

/** A rotation that is killed after its new key is active. */
async function beginRotation(world: World): Promise<void> {
  const kid = await everywhere(world, 'beginRotation', async ({ ports, sotto }) => {
    const { kid: next } = expectOk(await sotto.addKey())
    expectOk(await ports.keys.activate(next))
    expectOk(await ports.keyRing.activate(next))
    return next
  })
  activated(world.book, kid)
}

/** A link gets as many wrong passwords as it takes to disable it, with pauses for its locks. */
async function guessOn(world: World, nr: number): Promise<void> {
  const guarded = [...world.book.secrets.values()].filter(
    ({ link, password }) => link && password !== undefined,
  )
  const token = guarded[nr % guarded.length]?.link?.token
  if (token === undefined) return
  for (let nth = 0; nth <= wrongToDisable; nth += 1) {
    if (nth > 0 && nth % 5 === 0) world.clock.advance(30 * minute)
    await ask(world, 'openSecret', { token, password: 'wrong' })
  }
}

/** When something ends or begins by itself. */
function momentsOf({
  accounts,
  secrets,
  requests,
  accessTokens,
  sessions,
  claims,
  quota,
  wrong,
}: Book): readonly number[] {
  const locks = [...secrets.values().map(({ wrongAt }) => wrongAt), ...wrong.values()].flatMap(
    (times) => times.at(-1) ?? [],
  )
  return [
    ...[...secrets.values()].flatMap(({ expiresAtMicros = 0 }) => [
      expiresAtMicros,
      expiresAtMicros + 10 * minute,
    ]),
    ...[...requests.values()].flatMap(({ closesAtMicros }) => [closesAtMicros, closesAtMicros + 10 * minute]),
    ...[...accessTokens.values()].map(({ expiresAtMicros = 0 }) => expiresAtMicros),
    ...[...sessions.values()].flatMap((session) => [
      session.lastUsedAtMicros + 12 * hour,
      session.createdAtMicros + 14 * day,
      session.reauthenticatedAtMicros + 10 * minute,
    ]),
    ...[...accounts.values()].map(({ invitation }) => invitation?.expiresAtMicros ?? 0),
    ...claims.map(({ at }) => at + day),
    ...[...quota.values()].flatMap(([ofMinute, ofDay]) => [
      (ofMinute?.startedAt ?? 0) + minute,
      (ofDay?.startedAt ?? 0) + day,
    ]),
    ...locks.flatMap((last) => [last + 10 * minute, last + 15 * minute, last + 30 * minute, last + hour]),
  ]
}

const passing = fc.oneof(
  ...[second, second, minute, minute].map((unit) =>
    fc.integer({ min: 1, max: 59 }).map((count) => count * unit),
  ),
  fc.integer({ min: 1, max: 30 }).map((count) => count * hour),
  fc.integer({ min: 1, max: 31 }).map((count) => count * day),
  fc.integer({ min: 1, max: 90_000_000 }),
)

const others: readonly { readonly arbitrary: fc.Arbitrary<Command>; readonly weight: number }[] = [
  {
    weight: 12,
    arbitrary: command('look at everything', fc.constantFrom(2, 3, 100), compareViews),
  },
  {
    weight: 12,
    arbitrary: command(
      'time passes until',
      fc.tuple(pick, fc.constantFrom(-1, 0, 0, 1)),
      ({ book, clock }, [nr, offset], say) => {
        const later = momentsOf(book).filter((at) => at + offset > clock.nowMicros())
        const moment = later[nr % later.length]
        if (moment === undefined) return
        say(`a moment ${(moment - clock.nowMicros()) / second} s from now, and ${offset} µs`)
        clock.set(moment + offset)
      },
    ),
  },
  {
    weight: 12,
    arbitrary: command('time passes', passing, ({ clock }, micros, say) => {
      say(`${micros / second} s`)
      clock.advance(micros)
    }),
  },
  {
    weight: 1,
    arbitrary: command(
      'the clock is set back',
      fc.constantFrom(second, minute, hour, 2 * day),
      ({ book, clock }, micros, say) => {
        say(`${micros / second} s`)
        clock.advance(-micros)
        book.clockWasSetBack = true
      },
    ),
  },
  { weight: 8, arbitrary: command('send', fc.constantFrom('mail', 'webhook'), deliver) },
  { weight: 3, arbitrary: command('an erasure that is killed', pick, beginErasure) },
  { weight: 2, arbitrary: command('a rotation that is killed', fc.constant(undefined), beginRotation) },
  { weight: 2, arbitrary: command('guess on and on', pick, guessOn) },
]

/** All commands, each as often as it is to come. */
export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  ...calls.map((call) => ({ arbitrary: callCommand(call), weight: call.weight })),
  ...others,
)
