import type { Uuid } from '../shared/uuid.ts'

/** The keys that a server holds that has a key file of its own. */
export interface ShownServer {
  /** The id of one run of a server. */
  readonly id: Uuid
  /** Tells an operator which server it is. */
  readonly name: string
  /** The newest key that it holds; it holds all before that as well. 0 when it holds none. */
  readonly kid: number
  readonly seenAtMicros: number
}
