import { spawnSync } from 'node:child_process'
import { clockContract, runContract, type ClockHarness } from '@sotto/test-kit'
import t, { test } from 'tap'
import { brokenStorageFile } from '../fixtures/broken-storage.ts'
import { clockHarness } from '../harnesses.ts'

type Run = (context?: unknown) => Promise<void>

const machineClock = (supports: ClockHarness['supports'] = []) =>
  clockHarness(() => ({ nowMicros: () => Date.now() * 1_000 }), supports)
const ids = clockContract.map(({ id }) => id)
const reason = 'the harness does not support wall'

// tap itself: imported, and as the method of a test.
runContract(test, clockContract, machineClock(['wall']))
t.test('as the method of a test', async (t) => {
  runContract(t.test, clockContract, machineClock())
})

t.test('every case is registered as a test by its id', async (t) => {
  const registered = new Map<string, Run>()
  runContract((name: string, run: Run) => registered.set(name, run), clockContract, machineClock(['wall']))
  t.strictSame([...registered.keys()], ids)
  for (const run of registered.values()) await run()
})

t.test('a test fails when its case does', async (t) => {
  const registered = new Map<string, Run>()
  const broken = clockHarness(() => ({ nowMicros: () => 0.5 }))
  runContract((name: string, run: Run) => registered.set(name, run), clockContract, broken)
  await t.rejects(registered.get('clock/shows-whole-microseconds')?.() ?? Promise.resolve(), {
    name: 'AssertionError',
    message: /^The time is a whole number of microseconds.*\(clock\/shows-whole-microseconds\)/,
  })
})

t.test('a test counts one assertion where the runner counts them', async (t) => {
  const passed: string[] = []
  const registered = new Map<string, Run>()
  runContract((name: string, run: Run) => registered.set(name, run), clockContract, machineClock(['wall']))
  const context = { pass: (message: string) => void passed.push(message) }
  for (const run of registered.values()) await run(context)
  t.strictSame(
    passed,
    clockContract.map(({ rule }) => rule),
  )
})

t.test('without `test.skip`, as in tap, a case is skipped by an option that names the reason', async (t) => {
  const skipped = new Map<string, unknown>()
  const register = (name: string, options: unknown, run?: Run) => {
    if (run !== undefined) skipped.set(name, options)
  }
  runContract(register, clockContract, machineClock())
  t.strictSame([...skipped], [['clock/shows-the-wall-clock', { skip: reason }]])
})

t.test('with `test.skip`, as in Vitest, a case is skipped by it, and its name has the reason', async (t) => {
  const vitest = createVitestLike()
  runContract(vitest.test, clockContract, machineClock())
  t.strictSame(vitest.registered, ids.slice(0, 2))
  t.strictSame(vitest.skipped, [`clock/shows-the-wall-clock (${reason})`])
})

t.test('a test declares no parameter, which some runners take for a callback to wait for', async (t) => {
  runContract((_: string, run: Run) => t.equal(run.length, 0), clockContract, machineClock(['wall']))
})

t.test(
  'under node --test a failure shows rule, id, expected and actual, and a skipped case its reason',
  async (t) => {
    for (const reporter of ['spec', 'tap']) {
      const { status, stdout } = runUnderNode(brokenStorageFile, reporter)
      t.equal(status, 1, reporter)
      t.match(stdout, 'the answers are those of the memory storage', `${reporter}: the rule`)
      t.match(stdout, '(account-store/answers-as-the-memory-storage)', `${reporter}: the id`)
      t.match(stdout, /actual:[^]*?createdAtMicros: 0\b/, `${reporter}: the actual value`)
      t.match(stdout, /expected:[^]*createdAtMicros: [1-9]/, `${reporter}: the expected value`)
      t.match(stdout, /# (SKIP )?the harness does not support reopen/, `${reporter}: the reason`)
    }
  },
)

function runUnderNode(file: string, reporter: string): { status: number | null; stdout: string } {
  const options = ['--test', `--test-reporter=${reporter}`]
  return spawnSync(process.execPath, [...options, file], { encoding: 'utf8' })
}

/** A test function with the call shape of Vitest's, which takes `(name, run)` and has `skip` and `extend`. */
function createVitestLike() {
  const registered: string[] = []
  const skipped: string[] = []
  const test = (name: string, run: Run) => {
    t.type(run, 'function')
    registered.push(name)
  }
  const skip = (name: string, run: Run) => {
    t.type(run, 'function')
    skipped.push(name)
  }
  return { test: Object.assign(test, { skip, extend: () => undefined }), registered, skipped }
}
