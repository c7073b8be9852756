/** One load: so many connections, each of which sends its next request as soon as it has the answer to the last one. */
export interface Load {
  readonly port: number
  readonly connections: number
  /** How long requests are begun; those under way then are waited for. */
  readonly millis: number
  /** Whole requests as they go over the wire; the connections take them in turn. */
  readonly requests: readonly string[]
  /** The only status that counts as success. */
  readonly expect: number
}

/** What came of a load. Latencies are in milliseconds. */
export interface Outcome {
  readonly requests: number
  /** Requests a second. */
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly max: number
  /** Bytes of all answers. */
  readonly bytes: number
}

export interface Failure {
  readonly failure: string
}
