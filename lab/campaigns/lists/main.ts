/**
 * Measures what others notice while accounts ask for many long lists at the same time, each on a connection of its own. Another account
 * sends short requests at a steady pace, on connections of their own and on kept-alive ones.
 *
 *     npm run campaign lists -- [--rows N] [--lists N] [--accounts N]
 *
 * `rows` are those of each account, `lists` are those of all accounts together.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expectOk } from '@sotto/test-kit'
import { bundle } from '../support/bundle.ts'
import { conclude, optionsFrom } from '../support/command.ts'
import { memoryOf, pace, partOf, shown, warmUp } from '../support/others.ts'
import { addOwner } from '../support/owner.ts'
import { makePlace, openPlace } from '../support/place.ts'
import { serve } from '../support/served.ts'

/** What others may wait at p99, and what the server may use of memory. */
const boundMillis = 100
const boundMebibytes = 200

const { rows, lists, accounts } = optionsFrom({ rows: 43_200, lists: 60, accounts: 1 })
const place = makePlace()
// The server runs as it is published: run from its sources it takes some 50 MiB more.
const { programs, remove } = await bundle({
  main: new URL('../../../packages/server/src/main.ts', import.meta.url),
})
try {
  const tokens = await seed()
  const server = await serve(fileURLToPath(programs.main), place)
  try {
    await measure(server.origin, tokens, server.pid)
  } finally {
    await server.stop()
  }
} finally {
  place.remove()
  remove()
}

interface Tokens {
  readonly busy: readonly string[]
  readonly other: string
}

async function seed(): Promise<Tokens> {
  const installation = await openPlace(place)
  const { sotto } = installation
  const other = await addOwner(sotto, 'other@example.org')
  const busy: string[] = []
  while (busy.length < accounts) {
    const { accountId, folderId, token } = await addOwner(sotto, `busy${busy.length}@example.org`)
    for (let made = 0; made < rows; made += 200) {
      const some = Array.from({ length: Math.min(200, rows - made) }, (_, at) =>
        sotto.createSecret({ accountId, folderId, label: `Secret ${made + at}`, note: 'a note' }),
      )
      for (const created of some) expectOk(await created)
    }
    busy.push(token)
  }
  await installation.close()
  return { busy, other: other.token }
}

async function measure(origin: string, { busy, other }: Tokens, pid: number): Promise<void> {
  const short = { url: `${origin}/api/folders`, token: other }
  await warmUp(short)
  const until = performance.now() + 2_000
  const unloaded = await pace(() => performance.now() < until, short, false)
  const memoryBefore = memoryOf(pid)
  let reading = true
  const start = performance.now()
  const reader = fork(new URL('read.ts', import.meta.url))
  // The lists are read elsewhere in practice: their reader leaves the server its processor.
  setPriority(reader.pid ?? 0, constants.priority.PRIORITY_BELOW_NORMAL)
  reader.send({ url: `${origin}/api/secrets`, tokens: busy, lists })
  const read = once(reader, 'message').finally(() => (reading = false))
  const keptAlive = new Agent({ keepAlive: true })
  const [ofNew, ofOld] = await Promise.all(
    [false as const, keptAlive].map((agent) => pace(() => reading, short, agent)),
  )
  const [statuses] = (await read) as [number[]]
  keptAlive.destroy()
  const of = (status: number): number => statuses.filter((given) => given === status).length
  const memory = memoryOf(pid)
  const figures = {
    listsAnswered: of(200),
    listsRefused: of(503),
    seconds: Math.round((performance.now() - start) / 100) / 10,
    newConnections: shown(ofNew ?? []),
    keptAliveConnections: shown(ofOld ?? []),
    newConnectionsBefore: shown(unloaded),
    memoryMebibytes: Math.round(memory),
    memoryMebibytesBefore: Math.round(memoryBefore),
  }
  const slowest = Math.max(partOf(ofNew ?? [], 0.99), partOf(ofOld ?? [], 0.99))
  conclude(figures, [
    ...(slowest > boundMillis ? [`others waited ${slowest.toFixed(1)} ms at p99`] : []),
    ...(memory > boundMebibytes ? [`the server used ${Math.round(memory)} MiB`] : []),
    ...(of(200) + of(503) < lists ? ['some lists were neither complete nor refused'] : []),
  ])
}
