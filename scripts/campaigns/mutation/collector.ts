/**
 * Stands in for tap where a mutant's tests are loaded: `test` and `t.test` do not run what they are given, they collect it. So the same
 * functions can run again and again, in one process, on the assertions of tap.
 */
import { Test } from 'tap'

type Run = (t: Test) => unknown

export interface Collected {
  readonly name: string
  readonly options: object
  readonly run: Run
}

let collected: Collected[] = []

/** What was collected since the last call. */
export function takeCollected(): readonly Collected[] {
  const taken = collected
  collected = []
  return taken
}

export function test(name: string, ...rest: [Run] | [object, Run]): void {
  const [options, run] = rest.length === 1 ? [{}, rest[0]] : rest
  collected.push({ name, options, run })
}

export default { test }

/** Runs a test. True when it passes. */
export async function passes({ name, options, run }: Collected): Promise<boolean> {
  const root = new Test({ name: 'mutant' })
  root.resume()
  const completed = new Promise<{ readonly ok: boolean }>((resolve) => root.once('complete', resolve))
  root.runMain(() => undefined)
  void root.test(name, options, run)
  root.end()
  return (await completed).ok
}
