// Measures the built server, and the straight line beside it, and writes the results into lab/performance.md.
//
//   npm run bench sqlite               about a quarter of an hour, and two gigabytes of disk for a store with a million secrets
//   npm run bench sqlite -- --smoke    a few seconds: only checks that everything runs, and writes nothing
//
//   --rounds N   --millis N   --secrets N (in the large store)   --store DIRECTORY (uses the large store again in the next run)
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasFlag, optionsFrom } from '../campaigns/support/command.ts'
import { startGenerator } from './load/load.ts'
import { get } from './load/requests.ts'
import { measureCreateMemory } from './measure/create-memory.ts'
import { measureLongList } from './measure/long-list.ts'
import { measurePasswords } from './measure/passwords.ts'
import { measureQueue } from './measure/queue.ts'
import type { Results } from './measure/results.ts'
import { measureInRounds } from './measure/rounds.ts'
import { otherScenarios, storeScenarios, strictScenarios } from './measure/scenarios.ts'
import { measureSlowDisk } from './measure/slow-disk.ts'
import { measureStart } from './measure/start.ts'
import { buildServer } from './processes/build.ts'
import { openPipe } from './processes/pipe.ts'
import { findFreePort } from '@sotto/system'
import { startServer, startStraightLine } from './processes/servers.ts'
import { machine } from './report/machine.ts'
import { loadOptions, say } from './report/options.ts'
import { writeReport } from './report/write.ts'
import { makeStore, type Store } from './stores/store.ts'

const { smoke, rounds, millis, secrets, store, report } = optionsFrom({
  ...loadOptions(),
  secrets: hasFlag('smoke') ? 10_000 : 1_000_000,
  store: '',
  report: '',
})
const plan = {
  rounds,
  millis,
  secrets,
  long: smoke ? 500 : 43_200,
  messages: smoke ? 200 : 10_000,
  waiting: smoke ? 500 : 100_000,
  restMillis: smoke ? 300 : 10_000,
  createMillis: smoke ? 40 : 300_000,
}

if (report === '') {
  buildServer()
  const results = await measureAll()
  const figures = join(tmpdir(), 'sotto-bench.json')
  if (smoke) say('everything runs')
  else {
    writeFileSync(figures, JSON.stringify(results, null, 2))
    writeReport(results)
    say(`written to lab/performance.md; the figures are also in ${figures}`)
  }
} else writeReport(JSON.parse(readFileSync(report, 'utf8')) as Results)

async function measureAll(): Promise<Results> {
  const directory = mkdtempSync(join(tmpdir(), 'sotto-bench-'))
  try {
    return await measureIn(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function measureIn(directory: string): Promise<Results> {
  const before = loadavg()[0] ?? NaN
  say('making the stores')
  const lists = [10, 1000]
  const smallDirectory = join(directory, 'small')
  const smallStore = await makeStore({
    directory: smallDirectory,
    secrets: 0,
    lists,
    lockedLinks: smoke ? 3 : 16,
  })
  const others = ['straight', 'metered', 'piped', 'socket'] as const
  const otherStores = {} as Record<(typeof others)[number], Store>
  for (const name of others)
    otherStores[name] = await makeStore({ directory: join(directory, name), secrets: 0, lists })
  const strictStore = await makeStore({ directory: join(directory, 'strict'), secrets: 0, lists: [0] })
  const start = performance.now()
  const largeStore = await makeOrFindLargeStore(store === '' ? join(directory, 'large') : store)
  const fillSeconds = (performance.now() - start) / 1000

  say('starting the server')
  const started = await measureStart(smallStore.directory, plan.rounds)
  const small = await startServer({ directory: smallStore.directory, freeOfQuota: true })
  const large = await startServer({ directory: largeStore.directory, freeOfQuota: true })
  const strict = await startServer({ directory: strictStore.directory, freeOfQuota: false })
  const free = (name: (typeof others)[number]) => ({
    directory: otherStores[name].directory,
    freeOfQuota: true,
  })
  const settings = { SOTTO_METRICS_PORT: String(await findFreePort()) }
  const pipe = openPipe(join(directory, 'log'))
  const servers = {
    small,
    large,
    strict,
    straight: await startStraightLine(free('straight')),
    metered: await startServer({ ...free('metered'), settings }),
    piped: await startServer({ ...free('piped'), log: pipe.fd }),
    socket: await startServer({ ...free('socket'), log: 'read' }),
  }
  const generator = startGenerator()
  try {
    await useUpQuota(strict.port, strictStore)
    const options = { generator, servers, rounds, millis, say }
    const scenarios = [
      ...storeScenarios('small', smallStore),
      ...storeScenarios('large', largeStore),
      ...strictScenarios(strictStore),
      ...others.flatMap((name) => otherScenarios(name, otherStores[name])),
    ]
    // The long list comes first, on a server that has just been started: later its heap has already grown.
    say('the long list')
    const longList = await measureLongList(largeStore, { server: large, generator, rounds })
    const measured = await measureInRounds(scenarios, options)
    say('passwords')
    const password = { server: small, generator, rounds, millis: smoke ? 150 : 2000 }
    const passwords = await measurePasswords(smallStore, password)
    say('the queue of messages')
    const queue = await measureQueue(join(directory, 'queue'), plan)
    say('memory')
    const createMemory = await measureCreateMemory(join(directory, 'memory'), {
      generator,
      millis: plan.createMillis,
    })
    say('a slow disk')
    const slowDisk = smoke ? [] : await measureSlowDisk(join(directory, 'slow'), options)
    return {
      machine: machine(),
      date: new Date().toISOString().slice(0, 10),
      rounds,
      millis,
      loads: [before, loadavg()[0] ?? NaN],
      smallSecrets: 2_026,
      largeSecrets: plan.secrets,
      fillSeconds,
      measured,
      longList,
      passwords,
      queue,
      slowDisk,
      start: started,
      createMemory,
    }
  } finally {
    generator.stop()
    await Promise.all(Object.values(servers).map((server) => server.stop()))
    pipe.close()
  }
}

/** A store of an earlier run is used again as it is, with what that run created in it. */
async function makeOrFindLargeStore(directory: string): Promise<Store> {
  const description = join(directory, `store-${plan.secrets}.json`)
  if (existsSync(description)) return JSON.parse(readFileSync(description, 'utf8')) as Store
  mkdirSync(directory, { recursive: true })
  const store = await makeStore({ directory, secrets: plan.secrets, lists: [10, 1000, plan.long] })
  writeFileSync(description, JSON.stringify(store))
  return store
}

async function useUpQuota(port: number, { members }: Store): Promise<void> {
  const authorization = /Authorization: (.*)\r/.exec(get('/', members[0]?.token))?.[1] ?? ''
  for (let status = 200; status === 200;) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/folders`, { headers: { authorization } })
    status = answer.status
    await answer.arrayBuffer()
  }
}
