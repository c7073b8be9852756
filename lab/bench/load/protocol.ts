/** One load: a number of connections, each of which sends its next request when the previous one is answered. */
export interface Load {
  readonly port: number
  readonly connections: number
  /** How long a connection waits between an answer and its next request; not at all by default. */
  readonly pauseMillis?: number
  /** How long new requests are sent; those under way then are waited for. */
  readonly millis: number
  /** Complete requests as they are sent; the connections take them in turn. */
  readonly requests: readonly string[]
  /** The only status that counts as success. */
  readonly expect: number
  /** Text that every answer must contain, in ASCII. Answers are not searched without it. */
  readonly contains?: string | undefined
}

/** The result of a load. Latencies are in milliseconds. */
export interface Outcome {
  readonly requests: number
  /** Requests a second. */
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly max: number
  /** Bytes of all answers together. */
  readonly bytes: number
}

export interface Failure {
  readonly failure: string
}
