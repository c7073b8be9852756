/** What an adapter measures of its own work, each time that it happens. The unit is part of the name. */
export type Measured =
  /** The seconds from the time at which a write was asked for until it was committed. */
  | 'commit_wait_seconds'
  /** How many writes one transaction has committed together. */
  | 'commit_batch_writes'
  /** A transaction that ran again because of a conflict with another one; 1 each time. */
  | 'commit_conflicts'
  /** One attempt to empty the write-ahead log. It blocks the process. */
  | 'checkpoint_seconds'
  /** The seconds from the time at which a password was to be hashed until hashing began. */
  | 'hash_wait_seconds'

/** What can be read of an adapter at any time. */
export type Gauged =
  /** Writes that wait to be committed. */
  | 'commit_queue_length'
  /** The size of the write-ahead log. */
  | 'wal_bytes'
  /** Connections to the database server that are open, in use or not. */
  | 'connections_open'
  /** The connections that are in use. */
  | 'connections_used'
  /** Callers that wait for a connection to the database server. */
  | 'connections_waiting'
  /** Passwords that wait to be hashed. */
  | 'hash_queue_length'
  /** Passwords that are being hashed. */
  | 'hashes_running'

/**
 * Receives measurements of what only an adapter knows about its own work. An adapter reports what it has, and nothing else depends on it.
 * Values are finite and not negative. `part` names a part of the adapter, such as `data`, in lower-case letters and underscores: a constant
 * of the program, never anything that depends on what is stored or asked. No method throws.
 */
export interface Meter {
  /** Something has happened. */
  observe(what: Measured, part: string, value: number): void

  /**
   * Has `read` called for each measurement, also after the adapter was closed. It returns immediately and does not throw. The
   * latest one of the same name and part counts.
   */
  gauge(what: Gauged, part: string, read: () => number): void
}
