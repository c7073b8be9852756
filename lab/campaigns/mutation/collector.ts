/**
 * Stands in for tap where a mutant's tests are loaded: `test` and `t.test` do not run what they are given, they collect it. So the same
 * functions can run again and again, in one process, on the assertions of tap.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

/** An empty directory, which is removed when the process ends. */
function testdir(): string {
  const directory = mkdtempSync(join(tmpdir(), 'sotto-mutation-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export default { test, testdir }

/** Runs a test. True when it passes. */
export async function passes({ name, options, run }: Collected): Promise<boolean> {
  const root = new Test({ name: 'mutant' })
  root.resume()
  const completed = new Promise<{ readonly ok: boolean }>((resolve) => root.once('complete', resolve))
  root.runMain(() => undefined)
  void root.test(name, { ...options, name }, run as never)
  root.end()
  return (await completed).ok
}
