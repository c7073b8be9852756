import assert, { AssertionError } from 'node:assert/strict'

/** What a case opens, checks, and disposes of. */
export interface Unit {
  /** Closes it and removes what it left behind. Called once, at the end of each case. */
  dispose(): Promise<void>
}

/** What the author of an adapter supplies to run a contract. */
export interface Harness<Opened extends Unit, Capability extends string> {
  /** What the adapter can do beyond the minimum. Cases that need more are skipped with a reason, see {@link skipReason}. */
  readonly supports: readonly Capability[]

  /** Opens a new, empty unit that shares nothing with any other. */
  open(): Promise<Opened>
}

/** One rule of a port as a check. Plain data: any test runner can list it and run it. */
export interface ContractCase<H extends Harness<Unit, string>> {
  /** `port/what-holds`. Stable, so that a skip list or a report can refer to it. */
  readonly id: string
  /** The rule in one sentence. */
  readonly rule: string
  /** What the harness must support for this case to make sense. */
  readonly needs?: readonly H['supports'][number][]
  /** Resolves when the rule holds; rejects with an `AssertionError` that begins with the rule when it does not. */
  run(harness: H): Promise<void>
}

/** Why the case cannot be run with this harness; `false` when it can. Fits the `skip` option of tap and `node:test`. */
export function skipReason<H extends Harness<Unit, string>>(
  harness: H,
  { needs = [] }: Pick<ContractCase<H>, 'needs'>,
): string | false {
  const missing = needs.filter((capability) => !harness.supports.includes(capability))
  return missing.length === 0 ? false : `the harness does not support ${missing.join(' and ')}`
}

/** A case before it has its id. */
export type UnnamedCase<H extends Harness<Unit, string>> = Omit<ContractCase<H>, 'id'>

/** Gives each case the key that it is under as its id. */
export function casesOf<H extends Harness<Unit, string>>(
  cases: Readonly<Record<string, UnnamedCase<H>>>,
): readonly ContractCase<H>[] {
  return Object.entries(cases).map(([id, each]) => ({ id, ...each }))
}

/** A case that checks one unit. */
export interface CaseOf<Opened extends Unit, Capability extends string> {
  readonly rule: string
  readonly needs?: readonly Capability[]
  /** Checks the rule on a unit that was opened for it and is disposed of afterwards. */
  check(opened: Opened): Promise<void> | void
}

/** Makes a case that opens a unit, checks the rule on it and always disposes of it. */
export function caseOf<Opened extends Unit, Capability extends string>({
  check,
  ...about
}: CaseOf<Opened, Capability>): UnnamedCase<Harness<Opened, Capability>> {
  return { ...about, run: (harness) => withUnit(harness, check) }
}

/** Makes a case that checks two units that were opened apart. */
export function caseOfTwo<Opened extends Unit, Capability extends string>({
  check,
  ...about
}: Omit<CaseOf<Opened, Capability>, 'check'> & {
  check(one: Opened, other: Opened): Promise<void> | void
}): UnnamedCase<Harness<Opened, Capability>> {
  return {
    ...about,
    run: (harness) => withUnit(harness, (one) => withUnit(harness, (other) => check(one, other))),
  }
}

/** Opens a unit, checks it and always disposes of it. */
export async function withUnit<Opened extends Unit>(
  harness: Harness<Opened, string>,
  check: (opened: Opened) => Promise<void> | void,
): Promise<void> {
  const opened = await harness.open()
  try {
    await check(opened)
  } finally {
    await opened.dispose()
  }
}

/** A case about the optional methods of a unit, each of which belongs to the capability with its name. */
export function declaredMethodsCase<Opened extends Unit, Capability extends string>(
  methods: readonly (Capability & keyof Opened)[],
): UnnamedCase<Harness<Opened, Capability>> {
  return {
    rule: 'A unit has the method of a capability exactly if the harness supports the capability.',
    run: (harness) =>
      withUnit(harness, (opened) => {
        for (const method of methods) {
          assert.equal(typeof opened[method] === 'function', harness.supports.includes(method), method)
        }
      }),
  }
}

/** Makes a contract of its cases: whatever a case throws becomes an `AssertionError` that begins with the rule and the id. */
export function contractOf<H extends Harness<Unit, string>>(
  cases: readonly ContractCase<H>[],
): readonly ContractCase<H>[] {
  return cases.map((each) => ({
    ...each,
    async run(harness) {
      try {
        await each.run(harness)
      } catch (error) {
        throw brokenRule(each, error)
      }
    },
  }))
}

/**
 * Makes a new error, because the stack of an `AssertionError` is fixed when it is made, and `node --test` shows the stack rather than
 * the message.
 */
function brokenRule({ id, rule }: { readonly id: string; readonly rule: string }, error: unknown): Error {
  const isAssertion = error instanceof AssertionError
  const seen = isAssertion ? error.message : `it threw ${String(error)}`
  const { actual, expected, operator } = isAssertion ? error : {}
  const broken = new AssertionError({ message: rule, actual, expected, operator })
  // Node.js adds a diff to the message that it is given, but `seen` has one already.
  broken.message = `${rule} (${id})\n${seen}`
  broken.stack = `${broken.name} [${broken.code}]: ${broken.message}${framesOf(error)}`
  if (!isAssertion) broken.cause = error
  return broken
}

/** Where an error was made. */
function framesOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const start = stack.indexOf('\n    at ')
  return start === -1 ? '' : stack.slice(start)
}
