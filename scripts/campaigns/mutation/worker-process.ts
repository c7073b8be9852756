// Runs tests on instrumented sources. The campaign starts it, and ends it when a mutant keeps it busy for ever.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Answer, Request, TestFile, TestId } from './messages.ts'
import { installHooks } from './hooks.ts'
import type { Collected } from './collector.ts'

/** How long a test without a mutant may take: there is no hurry then. */
const patienceMillis = 60_000

/** A test counts as failed when it has waited so much longer than without a mutant for what does not come, */
const idleMillisMax = 3_000

/** or has worked so long. On a loaded machine time passes without work, so this is time of the processor. */
const busyMillisMax = 8_000

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
      return run(request.mutant, request.tests)
    case 'reload':
      return reload(request.mutant, request.files)
  }
}

async function record(file: string): Promise<Answer> {
  const loading = (reached = new Set())
  const tests = []
  for (const collected of await testsOf(file)) {
    const reaches = (reached = new Set())
    const start = performance.now()
    const passed = await passesInTime(collected)
    tests.push({ name: collected.name, passed, millis: performance.now() - start, reaches: [...reaches] })
  }
  reached = undefined
  return { kind: 'recorded', loading: [...loading], tests }
}

async function run(mutant: number, tests: readonly TestId[]): Promise<Answer> {
  for (const id of tests) {
    const collected = (await testsOf(id.file))[id.index]
    active = mutant
    const passed = collected !== undefined && (await passesInTime(collected, id.millis))
    active = nothing
    if (!passed) return { kind: 'ran', failed: id, name: collected?.name }
  }
  return { kind: 'ran', failed: undefined, name: undefined }
}

async function reload(mutant: number, files: readonly TestFile[]): Promise<Answer> {
  hooks.generation = reloads += 1
  active = mutant
  try {
    for (const { file, millis } of files) {
      const tests = await load(file).catch(() => undefined)
      if (tests === undefined) return { kind: 'ran', failed: { file, index: nothing }, name: 'loading' }
      for (const [index, collected] of tests.entries()) {
        if (!(await passesInTime(collected, millis[index])))
          return { kind: 'ran', failed: { file, index }, name: collected.name }
      }
    }
    return { kind: 'ran', failed: undefined, name: undefined }
  } finally {
    hooks.generation = 0
    active = nothing
  }
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

/** False also when something else in the process throws, or when the test does not end. */
async function passesInTime(collected: Collected, millis = patienceMillis): Promise<boolean> {
  const before = performance.eventLoopUtilization()
  const start = process.cpuUsage()
  let timer: NodeJS.Timeout | undefined
  const failed = new Promise<false>((resolve) => {
    onStray = () => resolve(false)
    timer = setInterval(() => {
      const { user, system } = process.cpuUsage(start)
      const { idle } = performance.eventLoopUtilization(before)
      if (idle > idleMillisMax + 3 * millis || (user + system) / 1_000 > busyMillisMax) resolve(false)
    }, 200)
  })
  const passed = await Promise.race([passes(collected), failed])
  clearInterval(timer)
  return passed
}
