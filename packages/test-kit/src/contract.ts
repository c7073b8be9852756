import { AssertionError } from 'node:assert/strict'

/** What a contract's cases open and dispose of, one for each case. */
export interface Unit {
  /** Ends it and clears away what it left. Called once, at the end of each case. */
  dispose(): Promise<void>
}

/** What the author of an adapter supplies for a contract. */
export interface Harness<Opened extends Unit, Capability extends string> {
  /** What this adapter can do beyond the least. Cases that need more are to be skipped in plain sight: {@link skipReason}. */
  readonly supports: readonly Capability[]

  /** Opens a new one that shares nothing with any other. */
  open(): Promise<Opened>
}

/** One rule of a port as a check. Plain data: any test runner can list it and run it. */
export interface ContractCase<H extends Harness<Unit, string>> {
  /** `port/what-holds`. Stable: fit for a skip list or a report. */
  readonly id: string
  /** The promise, in one sentence. */
  readonly rule: string
  /** What the harness has to support for this case to make sense. */
  readonly needs?: H['supports'][number]
  /** Resolves when the rule holds, rejects with an `AssertionError` when it does not. */
  run(harness: H): Promise<void>
}

/** Why the case cannot be run with this harness; `false` when it can. Made to be handed to a runner's `skip` option. */
export function skipReason<H extends Harness<Unit, string>>(
  harness: H,
  { needs }: Pick<ContractCase<H>, 'needs'>,
): string | false {
  return needs === undefined || harness.supports.includes(needs)
    ? false
    : `the harness does not support ${needs}`
}

/** A case before its unit is opened. */
export interface CaseOf<Opened extends Unit, Capability extends string> {
  readonly id: string
  readonly rule: string
  readonly needs?: Capability
  /** Checks the rule on a unit that was opened for it and is disposed of afterwards. */
  check(opened: Opened): Promise<void> | void
}

/** Makes the case that opens a unit, checks the rule on it and disposes of it, whatever comes. */
export function caseOf<Opened extends Unit, Capability extends string>({
  check,
  ...named
}: CaseOf<Opened, Capability>): ContractCase<Harness<Opened, Capability>> {
  return {
    ...named,
    async run(harness) {
      const opened = await harness.open()
      try {
        await check(opened)
      } finally {
        await opened.dispose()
      }
    },
  }
}

/** Makes the contract of its cases: whatever rejects names the rule that it breaks, in front of what was seen. */
export function contractOf<H extends Harness<Unit, string>>(
  cases: readonly ContractCase<H>[],
): readonly ContractCase<H>[] {
  return cases.map((each) => ({
    ...each,
    async run(harness) {
      try {
        await each.run(harness)
      } catch (error) {
        throw brokenRule(each.rule, error)
      }
    },
  }))
}

function brokenRule(rule: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const seen = error instanceof AssertionError ? error.message : `it threw ${error.name}: ${error.message}`
  error.message = `${rule}\n${seen}`
  return error
}
