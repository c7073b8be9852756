import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Mutant } from './instrument.ts'

/** A case of a contract, and a mutant of the fakes that made it fail by an assertion of its own, not by an error that the fake threw. */
export interface CaseScore {
  readonly id: string
  /** `undefined`: no mutant did. */
  readonly mutant?: Mutant | undefined
  /** The flaws of fakes in the package's tests which the case notices. */
  readonly flaws: readonly string[]
}

/**
 * Looks for such a mutant for each case of the contracts.
 *
 * @param sources the fakes to change; paths from the root of the checkout, or patterns
 */
export async function scoreCases(sources: readonly string[]): Promise<readonly CaseScore[]> {
  const script = fileURLToPath(new URL('cases-process.ts', import.meta.url))
  const args = ['--disable-warning=ExperimentalWarning', script, ...sources]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 16_000_000 })
  return JSON.parse(stdout) as readonly CaseScore[]
}
