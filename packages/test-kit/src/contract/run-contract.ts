import { skipReason, type ContractCase, type Harness, type Unit } from './contract.ts'

/** The test function of a runner, such as `test` of `node:test`, tap or Vitest. It is called as `test(name, run)`; its result is ignored. */
export type TestFunction = (name: string, ...rest: never[]) => unknown

/**
 * Registers every case of a contract as a test, by its id. A case that the harness does not support is registered as skipped, with the
 * reason. It uses `test.skip(name, run)` if the runner has that, else `test(name, { skip: reason }, run)`.
 */
export function runContract<H extends Harness<Unit, string>>(
  test: TestFunction,
  contract: readonly ContractCase<H>[],
  harness: H,
): void {
  const runner = test as unknown as Runner
  for (const each of contract) {
    const reason = skipReason(harness, each)
    const run: Run = async (...[context]) => {
      await each.run(harness)
      context?.pass?.(each.rule)
    }
    if (reason === false) runner(each.id, run)
    else if (takesOptions(runner)) runner(each.id, { skip: reason }, run)
    else runner.skip?.(`${each.id} (${reason})`, run)
  }
}

interface Runner {
  (name: string, run: Run): unknown
  (name: string, options: { readonly skip: string }, run: Run): unknown
  skip?(name: string, run: Run): unknown
}

/**
 * The context is the runner's. tap prints `1..0` for a test without assertions, so its context is asked to count one. The parameter is a
 * rest parameter because some runners wait for a callback when a test declares a parameter.
 */
type Run = (...given: readonly ({ pass?(message: string): void } | undefined)[]) => Promise<void>

/** `node:test` has `skip` too, but shows a reason only when it is an option. */
function takesOptions(runner: Runner): boolean {
  return runner.skip === undefined || 'mock' in runner
}
