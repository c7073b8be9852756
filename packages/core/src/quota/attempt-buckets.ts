import type { AttemptState } from '../shared/attempts.ts'

/** The attempts to sign in that are counted together, such as those for one email address. */
export interface AttemptBucket {
  readonly attempts: AttemptState
  /** The time from which the attempts say nothing any more, so that the bucket may be erased. */
  readonly eraseAtMicros: number
}

/** What a decision makes of the buckets, in their order; `undefined` erases one. */
export interface AttemptsChange {
  readonly buckets: readonly (AttemptBucket | undefined)[]
}
