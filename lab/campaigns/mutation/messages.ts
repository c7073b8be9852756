/** A test, by its place among those that its file declares at the top level. */
export interface TestId {
  /** The test file's path from the root of the checkout. */
  readonly file: string
  readonly index: number
  /** How long it takes without a mutant. */
  readonly millis: number
}

/** A test file, and how long each of its tests takes without a mutant. */
export interface TestFile {
  readonly file: string
  readonly millis: readonly number[]
}

/** What each module of ours imports, by their paths from the root of the checkout. */
export type Imports = Readonly<Record<string, readonly string[]>>

/** What the campaign tells its worker. Each message has one answer. */
export type Request =
  /** The instrumented sources, by their paths. Comes first. */
  | { readonly kind: 'sources'; readonly code: Readonly<Record<string, string>> }
  /** Loads a test file without any mutant, runs its tests, and records which mutants each of them reaches. */
  | { readonly kind: 'record'; readonly file: string }
  | { readonly kind: 'imports' }
  | Trial

/** Runs tests with a mutant until one fails. */
export type Trial = {
  readonly mutant: number
  /** How many times as long as usual a test may wait. 1 by default. */
  readonly patience?: number
} & (
  | { readonly kind: 'run'; readonly tests: readonly TestId[] }
  /** Whole files, with every module loaded again while the mutant takes effect. */
  | { readonly kind: 'reload'; readonly files: readonly TestFile[] }
)

export interface Recorded {
  readonly kind: 'recorded'
  /** The mutants that are reached while modules are loaded. */
  readonly loading: readonly number[]
  readonly tests: readonly {
    readonly name: string
    readonly passed: boolean
    readonly millis: number
    readonly reaches: readonly number[]
  }[]
}

export type Answer =
  { readonly kind: 'ready' } | Recorded | { readonly kind: 'imported'; readonly imports: Imports } | Ran

export interface Ran {
  readonly kind: 'ran'
  readonly failed: Omit<TestId, 'millis'> | undefined
  readonly name: string | undefined
  readonly verdict: Verdict
}

/**
 * What became of a test. `busy`: it works without an end. `disturbed`: it waits too long, as any test may on a loaded machine; or something
 * else in the process threw, which a test of an earlier mutant may have left behind.
 */
export type Verdict = 'passed' | 'failed' | 'busy' | 'disturbed'
