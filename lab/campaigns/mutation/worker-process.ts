// Runs tests on instrumented sources. The campaign starts it, and ends it when a mutant keeps it busy for ever.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import type { Answer, Ran, Request, Trial, Verdict } from './messages.ts'
import { installHooks } from './hooks.ts'
import type { Collected } from './collector.ts'

/** How long a test without a mutant may take: there is no hurry then. */
const patienceMillis = 60_000

/** A test counts as failed when it has waited so much longer than without a mutant for what does not come, */
const idleMillisMax = 3_000

/** or has worked so much longer. On a loaded machine time passes without work, so this is time of the processor. */
const busyMillisMax = 3_000

type TrialOf<Kind extends Trial['kind']> = Extract<Trial, { readonly kind: Kind }>

const root = resolve(import.meta.dirname, '../../..')
const nothing = -1
let active = nothing
let reloads = 0
let reached: Set<number> | undefined
Object.assign(globalThis, {
  mutants: {
    at(id: number): boolean {
      reached?.add(id)
      return id === active
    },
  },
})

// A mutant would be noticed in one run and not in the next if the values changed from run to run.
fc.configureGlobal({ seed: 1 })

const hooks = installHooks(root)
const { passes, takeCollected } = await import('./collector.ts')
const loaded = new Map<string, readonly Collected[]>()
let onStray: () => void = () => undefined
process.on('uncaughtException', () => onStray())
process.on('unhandledRejection', () => onStray())

process.on('message', (request: Request) => {
  void answer(request).then(
    (message) => process.send?.(message),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit())

// A mutant may loop without an end, so that nothing here runs any more.
const beats = new SharedArrayBuffer(4)
new Worker(new URL('watchdog-thread.ts', import.meta.url), { workerData: beats })
setInterval(() => Atomics.add(new Int32Array(beats), 0, 1), 100)

async function answer(request: Request): Promise<Answer> {
  switch (request.kind) {
    case 'sources':
      hooks.code = request.code
      return { kind: 'ready' }
    case 'record':
      return record(request.file)
    case 'imports':
      return { kind: 'imported', imports: hooks.imports() }
    case 'run':
      return run(request)
    case 'reload':
      return reload(request)
  }
}

async function record(file: string): Promise<Answer> {
  const loading = (reached = new Set())
  const tests = []
  for (const collected of await testsOf(file)) {
    const reaches = (reached = new Set())
    const start = performance.now()
    const passed = (await verdictOn(collected)) === 'passed'
    tests.push({ name: collected.name, passed, millis: performance.now() - start, reaches: [...reaches] })
  }
  reached = undefined
  return { kind: 'recorded', loading: [...loading], tests }
}

async function run({ mutant, tests, patience = 1 }: TrialOf<'run'>): Promise<Answer> {
  for (const id of tests) {
    const collected = (await testsOf(id.file))[id.index]
    active = mutant
    const verdict = collected === undefined ? 'failed' : await verdictOn(collected, id.millis, patience)
    active = nothing
    if (verdict !== 'passed') return failure(id, collected?.name, verdict)
  }
  return { kind: 'ran', failed: undefined, name: undefined, verdict: 'passed' }
}

async function reload({ mutant, files, patience = 1 }: TrialOf<'reload'>): Promise<Answer> {
  hooks.generation = reloads += 1
  active = mutant
  try {
    for (const { file, millis } of files) {
      const tests = await load(file).catch(() => undefined)
      if (tests === undefined) return failure({ file, index: nothing }, 'loading', 'failed')
      for (const [index, collected] of tests.entries()) {
        const verdict = await verdictOn(collected, millis[index], patience)
        if (verdict !== 'passed') return failure({ file, index }, collected.name, verdict)
      }
    }
    return { kind: 'ran', failed: undefined, name: undefined, verdict: 'passed' }
  } finally {
    hooks.generation = 0
    active = nothing
  }
}

function failure(failed: Ran['failed'], name: string | undefined, verdict: Verdict): Ran {
  return { kind: 'ran', failed, name, verdict }
}

async function testsOf(file: string): Promise<readonly Collected[]> {
  const known = loaded.get(file)
  if (known !== undefined) return known
  const tests = await load(file)
  loaded.set(file, tests)
  return tests
}

async function load(file: string): Promise<readonly Collected[]> {
  takeCollected()
  await import(`${pathToFileURL(resolve(root, file)).href}${hooks.query()}`)
  return takeCollected()
}

/** `busy` when the test works without an end; `disturbed` when it waits without an end, or something in the process throws outside it. */
async function verdictOn(collected: Collected, millis = patienceMillis, patience = 1): Promise<Verdict> {
  const before = performance.eventLoopUtilization()
  const start = process.cpuUsage()
  let timer: NodeJS.Timeout | undefined
  // A test that fails often leaves a promise behind that rejects before it: whether it fails is what counts.
  let isDisturbed = false
  onStray = () => (isDisturbed = true)
  const overdue = new Promise<Verdict>((resolve) => {
    timer = setInterval(() => {
      const { user, system } = process.cpuUsage(start)
      const { idle } = performance.eventLoopUtilization(before)
      if ((user + system) / 1_000 > busyMillisMax + 3 * millis) resolve('busy')
      if (idle > patience * (idleMillisMax + 3 * millis)) resolve('disturbed')
    }, 200)
  })
  const verdict = passes(collected).then((passed): Verdict => {
    if (!passed) return 'failed'
    return isDisturbed ? 'disturbed' : 'passed'
  })
  try {
    return await Promise.race([verdict, overdue])
  } finally {
    clearInterval(timer)
  }
}
