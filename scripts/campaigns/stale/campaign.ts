import { Agent } from 'node:http'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { startServer, type Installation } from '../../../packages/server/src/index.ts'
import { expectOk } from '../../../packages/test-kit/src/index.ts'
import { bundle } from '../support/bundle.ts'
import { createChance, type Chance } from '../support/chance.ts'
import { makePlace, openPlace, type Place } from '../support/place.ts'
import { serve } from '../support/served.ts'
import { kinds, type Fact } from './facts.ts'
import { answerOf, keepBusy, secondOfPipeline } from './requests.ts'

export interface StaleOptions {
  readonly steps: number
  readonly seed: number
  /** Lets the servers remember for this long who sent a token, which the campaign must notice. */
  readonly rememberMillis?: number
}

export interface StaleOutcome {
  readonly figures: { readonly steps: number; readonly checks: number; readonly otherRequests: number }
  /** A sentence for each answer that was older than what had been acknowledged before its request began. */
  readonly violations: readonly string[]
}

/** Connections of each server that are busy with other requests all the time. */
const busyConnections = 12

/**
 * Two servers on one installation, under load; this process is the third. In each step it makes something true, sees that both servers know
 * it, ends it, and sends requests as soon as that is acknowledged: on fresh connections, on kept-alive ones, and behind a request that is
 * still being answered. None may find what is over.
 */
export async function runStaleCampaign({ steps, seed, rememberMillis }: StaleOptions): Promise<StaleOutcome> {
  const place = makePlace()
  const installation = await openPlace(place)
  const servers = await (rememberMillis === undefined
    ? startServers(place)
    : startForgetful(installation, rememberMillis))
  const chance = createChance(seed)
  const agent = new Agent({ keepAlive: true })
  const violations: string[] = []
  const figures = { steps: 0, checks: 0, otherRequests: 0 }
  try {
    const other = await makeOwner(installation, 'other@example.org')
    const busy = await makeOwner(installation, 'busy@example.org')
    const load = servers.origins.map((origin) => keepBusy(origin, busy, busyConnections))
    for (; figures.steps < steps; figures.steps += 1) {
      const kind = chance.pick(kinds) ?? kinds[0]
      const fact = await kind(installation.sotto, figures.steps)
      violations.push(...(await checkFact(fact, { origins: servers.origins, agent, chance, other, figures })))
    }
    for (const { stop } of load) figures.otherRequests += await stop()
  } finally {
    agent.destroy()
    await servers.stop()
    await installation.close()
    place.remove()
  }
  return { figures, violations }
}

interface Servers {
  readonly origins: readonly string[]
  stop(): Promise<void>
}

async function startServers(place: Place): Promise<Servers> {
  const main = new URL('../../../packages/server/src/main.ts', import.meta.url)
  const { programs, remove } = await bundle({ main })
  const program = fileURLToPath(programs.main)
  const servers = await Promise.all([serve(program, place), serve(program, place)])
  return {
    origins: servers.map(({ origin }) => origin),
    async stop() {
      await Promise.all(servers.map((server) => server.stop()))
      remove()
    },
  }
}

/** A server in this process that is broken on purpose. */
async function startForgetful(installation: Installation, rememberMillis: number): Promise<Servers> {
  const remembered = new Map<string, ReturnType<Installation['sotto']['authenticate']>>()
  const authenticate: Installation['sotto']['authenticate'] = ({ token }) => {
    const known = remembered.get(token) ?? installation.sotto.authenticate({ token })
    if (!remembered.has(token)) {
      remembered.set(token, known)
      setTimeout(() => remembered.delete(token), rememberMillis).unref()
    }
    return known
  }
  const sotto = { ...installation.sotto, authenticate }
  const logStream = new PassThrough().resume()
  const server = expectOk(await startServer({ installation: { ...installation, sotto }, logStream }))
  return { origins: [server.address], stop: () => server.stop() }
}

async function makeOwner({ sotto }: Installation, email: string): Promise<Owner> {
  const { id: accountId } = expectOk(await sotto.createAccount({ email }))
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'a folder' }))
  const { token } = expectOk(await sotto.createAccessToken({ accountId, name: 'campaign' }))
  for (let made = 0; made < 50; made += 1)
    expectOk(await sotto.createSecret({ accountId, folderId, label: `Secret ${made}`, note: 'a note' }))
  return { folderId, token }
}

interface Owner {
  readonly folderId: string
  readonly token: string
}

interface Checking {
  readonly origins: readonly string[]
  readonly agent: Agent
  readonly chance: Chance
  readonly other: Owner
  readonly figures: { checks: number }
}

async function checkFact(
  { name, request, statusBefore, statusAfter, end }: Fact,
  { origins, agent, chance, other, figures }: Checking,
): Promise<string[]> {
  const found: string[] = []
  const note = (status: number, expected: number, how: string): void => {
    figures.checks += 1
    if (status !== expected) found.push(`${name}, ${how}: ${status} instead of ${expected}`)
  }
  if (statusBefore !== undefined)
    for (const origin of origins) note(await answerOf(origin, request, agent), statusBefore, 'before its end')
  // The first answer of a pipeline may still be on its way when the second request is sent.
  const pipelined = chance.pick(origins) ?? ''
  const pipeline = secondOfPipeline(pipelined, other.token, request)
  await pipeline.started
  await end()
  const answers = origins.flatMap((origin) => [
    answerOf(origin, request, agent).then((status) =>
      note(status, statusAfter, 'on a kept-alive connection'),
    ),
    answerOf(origin, request, false).then((status) => note(status, statusAfter, 'on a fresh connection')),
  ])
  note(await pipeline.sendSecond(), statusAfter, 'behind another request')
  await Promise.all(answers)
  return found
}
