import { Agent } from 'node:http'
import { expectOk } from '@sotto/test-kit'
import type { Installation } from '@sotto/server'
import { createChance, type Chance } from '../support/chance.ts'
import { addOwner } from '../support/owner.ts'
import { makePlace, openPlace } from '../support/place.ts'
import { checkFact } from './check.ts'
import { kinds, type Kind } from './facts.ts'
import { keyKinds } from './key-facts.ts'
import { keepBusy, type Busy } from './requests.ts'
import { makeProgram, startForgetful, type Program, type Remembered } from './servers.ts'

export interface StaleOptions {
  readonly steps: number
  readonly seed: number
  /** Processes of each server: 1 by default. */
  readonly workers?: number
}

interface Figures {
  steps: number
  checks: number
  retiredKeys: number
  otherRequests: number
  /** Processes that have refused a request, of all servers that were started. */
  processes: number
}

export interface StaleOutcome {
  readonly figures: Readonly<Figures>
  /** A sentence for each answer that was older than what had been acknowledged before its request began. */
  readonly violations: readonly string[]
}

/** Connections of each server that are busy with other requests all the time. */
const busyConnections = 4
/** Steps until the next installation. */
const stepsOnInstallation = 200
/**
 * Keys are retired in the first steps on an installation, while there are few rows. No other step runs meanwhile: each needs the keys as it
 * left them.
 */
const keySteps = keyKinds.length
/** So many other steps run at the same time. */
const stepsAtOnce = 8

/**
 * Two servers on one installation, under load; this process is the third. In each step it makes something true, sees that both servers know
 * it, and ends it. It sends requests as soon as that is acknowledged: on fresh connections, on kept-alive ones, and behind a request that
 * is still being answered. None may find what is over.
 */
export async function runStaleCampaign({ steps, seed, workers = 1 }: StaleOptions): Promise<StaleOutcome> {
  const program = await makeProgram()
  const outcome = emptyOutcome()
  try {
    const run = { outcome, chance: createChance(seed), workers, program }
    while (outcome.figures.steps < steps)
      await runOnInstallation(run, Math.min(stepsOnInstallation, steps - outcome.figures.steps))
  } finally {
    program.remove()
  }
  return outcome
}

/** Runs the campaign with a server in this process that is broken on purpose, without load: speed must not matter. */
export async function runStaleControl(
  remembered: Remembered,
  { steps, seed }: StaleOptions,
): Promise<StaleOutcome> {
  const outcome = emptyOutcome()
  await runOnInstallation({ outcome, chance: createChance(seed), workers: 1, remembered }, steps)
  return outcome
}

type Outcome = { readonly figures: Figures; readonly violations: string[] }

function emptyOutcome(): Outcome {
  return {
    figures: { steps: 0, checks: 0, retiredKeys: 0, otherRequests: 0, processes: 0 },
    violations: [],
  }
}

type Run = {
  readonly outcome: Outcome
  readonly chance: Chance
  readonly workers: number
} & ({ readonly program: Program } | { readonly remembered: Remembered })

async function runOnInstallation(run: Run, steps: number): Promise<void> {
  const { outcome, chance, workers } = run
  const place = makePlace(undefined, { SOTTO_WORKERS: String(workers), SOTTO_LOG_LEVEL: 'info' })
  const installation = await openPlace(place)
  const refusing = new Set<string>()
  const servers = await ('program' in run
    ? run.program.start(place, (pid) => refusing.add(pid))
    : startForgetful(place, run.remembered))
  const agent = new Agent({ keepAlive: true })
  try {
    const { token: otherToken } = await makeReader(installation, 'other@example.org')
    const checking = {
      ...{ origins: servers.origins, agent, otherToken, figures: outcome.figures },
      connections: 2 * workers - 1,
    }
    const busy = await makeBusy(installation)
    const loaded = 'program' in run ? servers.origins : []
    const load = loaded.map((origin) => keepBusy(origin, busy, busyConnections))
    const runStep = async (step: number): Promise<void> => {
      const kind = nextKind(step, outcome, chance)
      // The choices have a generator of their own, because the steps that run at the same time go on in any order.
      const choices = createChance(chance.between(0, 2 ** 31))
      const found = await checkFact(await kind(installation, step), { ...checking, chance: choices })
      outcome.violations.push(...found)
      outcome.figures.steps += 1
    }
    for (let step = 0; step < steps;) {
      const atOnce = step < keySteps ? 1 : Math.min(stepsAtOnce, steps - step)
      await Promise.all(Array.from({ length: atOnce }, (_, at) => runStep(step + at)))
      step += atOnce
    }
    for (const { stop } of load) outcome.figures.otherRequests += await stop()
  } finally {
    agent.destroy()
    await servers.stop()
    await installation.close()
    place.remove()
  }
  outcome.figures.processes += refusing.size
}

function nextKind(step: number, { figures }: Outcome, chance: Chance): Kind {
  const keyKind = keyKinds[step]
  if (keyKind === undefined) return chance.pick(kinds) ?? kinds[0]
  figures.retiredKeys += 1
  return keyKind
}

/** An owner whose list takes a moment. */
async function makeReader({ sotto }: Installation, email: string) {
  const owner = await addOwner(sotto, email)
  const { accountId, folderId } = owner
  for (let made = 0; made < 50; made += 1)
    expectOk(await sotto.createSecret({ accountId, folderId, label: `Secret ${made}`, note: 'a note' }))
  return owner
}

async function makeBusy({ sotto }: Installation): Promise<Busy> {
  const { folderId, token } = await addOwner(sotto, 'busy@example.org')
  const { id: accountId } = expectOk(await sotto.createAccount({ email: 'reader@example.org' }))
  const { token: readerToken } = expectOk(await sotto.createAccessToken({ accountId, name: 'campaign' }))
  return { folderId, token, readerToken }
}
