import type { Installation } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'
import { bundle } from '../support/bundle.ts'
import { createChance, type Chance } from '../support/chance.ts'
import { startChild, type Child } from '../support/child.ts'
import { addOwner, type Owner } from '../support/owner.ts'
import { makePlace, openPlace } from '../support/place.ts'
import { startPostgres } from '../support/postgres.ts'
import { createShiftedClock, type ShiftedClock } from './faketime.ts'
import { startReceiver, type Receiver } from './receiver.ts'
import { callQuota, guess, openTogether, untilSent, type Asking } from './requests.ts'

export interface ClocksOptions {
  readonly rounds: number
  readonly seed: number
  /** The library of faketime. */
  readonly faketime: string
  /** Uses servers that count by the clocks of their machines, which the campaign must notice. */
  readonly ownClocks?: boolean
}

export interface ClocksFigures {
  rounds: number
  /** Calls of the API, and those of them that were accepted. */
  calls: number
  accepted: number
  /** Wrong passwords that were given, and those that were verified before the link was locked. */
  guesses: number
  verified: number
  /** Opens that were tried, and those that were delivered. */
  opens: number
  delivered: number
  messages: number
}

export interface ClocksOutcome {
  readonly figures: Readonly<ClocksFigures>
  readonly violations: readonly string[]
}

/** How far a clock may be off, in seconds: ten minutes. */
const offMaxSeconds = 600
const perMinute = 60
/** Calls of an account, wrong passwords at a link, and opens of another one, in each round. */
const times = { calls: 200, guesses: 40, links: 3, opens: 12, openLimit: 5 }

/**
 * Two servers on one PostgreSQL, each with a wall clock of its own that is up to ten minutes off, and that is set to another time while
 * requests alternate between the two. The quota, open limits and locks have to hold as with one server. Each message has to be sent once, with
 * a timestamp that an independent verifier on a machine with the right time accepts.
 */
export async function runClocksCampaign(options: ClocksOptions): Promise<ClocksOutcome> {
  const database = await startPostgres()
  const receiver = await startReceiver()
  const settings = {
    ...(await database.newSettings()),
    SOTTO_WEBHOOK_ALLOW: '127.0.0.0/8',
    SOTTO_LIMIT_PER_MINUTE: String(perMinute),
  }
  const place = makePlace(undefined, settings)
  const installation = await openPlace(place)
  const { programs, remove } = await bundle({
    server: new URL('../notify/server-process.ts', import.meta.url),
  })
  const args = [
    place.directory,
    JSON.stringify(settings),
    // The clock of the machine, in place of the database's.
    ...(options.ownClocks === true ? ['0'] : []),
  ]
  const children: Child[] = []
  try {
    const clocks = ['one', 'other'].map((name) => createShiftedClock(options.faketime, place.directory, name))
    setApart(clocks, offMaxSeconds)
    const origins: string[] = []
    for (const { env } of clocks) {
      const child = startChild({ program: programs.server, args, env: { ...place.env, ...env } })
      children.push(child)
      origins.push((JSON.parse(await child.line()) as { readonly listening: string }).listening)
    }
    return await runRounds({ options, clocks, origins, installation, receiver })
  } finally {
    await Promise.all(children.map((child) => child.kill()))
    await installation.close()
    await Promise.all([receiver.close(), database.stop()])
    place.remove()
    remove()
  }
}

interface Run {
  readonly options: ClocksOptions
  readonly clocks: readonly ShiftedClock[]
  readonly origins: readonly string[]
  readonly installation: Installation
  readonly receiver: Receiver
}

async function runRounds(run: Run): Promise<ClocksOutcome> {
  const figures = {
    ...{ rounds: 0, calls: 0, accepted: 0, guesses: 0, verified: 0, opens: 0, delivered: 0, messages: 0 },
  }
  const violations: string[] = []
  const chance = createChance(run.options.seed)
  for (; figures.rounds < run.options.rounds; figures.rounds += 1) {
    const found = await runRound(run, { chance, figures })
    violations.push(...found.map((text) => `round ${figures.rounds}: ${text}`))
  }
  const { ids, refused } = run.receiver
  figures.messages = ids.length
  violations.push(...refused.map((why) => `a message was refused: ${why}`))
  const again = ids.length - new Set(ids).size
  if (again > 0) violations.push(`${again} messages were sent again`)
  return { figures, violations }
}

/** One round, with an owner of its own. In the middle of it the clock that was behind is set ahead, and the other one back. */
async function runRound(
  { options, clocks, origins, installation, receiver }: Run,
  { chance, figures }: { readonly chance: Chance; readonly figures: ClocksFigures },
): Promise<readonly string[]> {
  const owner = await addOwner(installation.sotto, `owner${figures.rounds}@example.org`)
  await addWebhook(installation, receiver, owner)
  const links = await makeLinks(installation, owner)
  const seconds = options.ownClocks === true ? offMaxSeconds : chance.between(1, offMaxSeconds)
  const asking: Asking = {
    origins,
    setClocks: () => setApart(clocks, figures.rounds % 2 === 0 ? -seconds : seconds),
  }
  const sentBefore = new Set(receiver.ids).size

  const [quota, locks, delivered] = await Promise.all([
    callQuota(asking, owner.token, times.calls),
    guess(asking, links.locked, times.guesses),
    Promise.all(links.limited.map((token) => openTogether(asking, token, times.opens))),
  ])
  figures.calls += times.calls
  figures.accepted += quota.accepted
  figures.guesses += times.guesses
  figures.verified += locks.verified
  figures.opens += times.links * times.opens
  for (const count of delivered) figures.delivered += count

  const messages = times.links * times.openLimit + 1
  // A message that fails is tried again after five minutes, so there is no need to wait for long where some may fail.
  const withinMillis = options.ownClocks === true ? 10_000 : 40_000
  const sent = await untilSent(() => new Set(receiver.ids).size - sentBefore, { messages, withinMillis })
  return [
    ...quota.violations,
    ...locks.violations,
    ...(quota.accepted === perMinute
      ? []
      : [`${quota.accepted} calls were accepted instead of ${perMinute}`]),
    ...(locks.verified === 5 ? [] : [`${locks.verified} wrong passwords were verified instead of 5`]),
    ...delivered
      .filter((count) => count !== times.openLimit)
      .map((count) => `a link was delivered ${count} times instead of ${times.openLimit}`),
    ...(sent === messages ? [] : [`${sent} messages were sent instead of ${messages}`]),
  ]
}

/** One clock is ahead by so many seconds, the other one behind. */
function setApart(clocks: readonly ShiftedClock[], seconds: number): void {
  for (const [at, clock] of clocks.entries()) clock.set(at % 2 === 0 ? seconds : -seconds)
}

async function addWebhook({ sotto }: Installation, receiver: Receiver, { accountId }: Owner): Promise<void> {
  const { secret } = expectOk(await sotto.createWebhook({ accountId, url: receiver.urlOf(accountId) }))
  receiver.verifyWith(accountId, secret)
}

/** The tokens of links whose owner wants to know: of one with a password, and of some with a limit. */
async function makeLinks({ sotto }: Installation, { accountId, folderId }: Owner) {
  const make = async (fields: { readonly password?: string; readonly openLimit?: number }) => {
    const input = { accountId, folderId, label: 'Secret', note: 'a note', notify: true, ...fields }
    return expectOk(await sotto.createSecret(input)).link.token
  }
  const limited: string[] = []
  for (let nth = 0; nth < times.links; nth += 1) limited.push(await make({ openLimit: times.openLimit }))
  return { locked: await make({ password: 'sesame' }), limited }
}
