import type { ShownServer } from './shown-server.ts'

/** The key ring cannot be changed. `detail` is for the operator. */
export interface KeysUnwritable {
  readonly code: 'keys_unwritable'
  readonly detail: string
}

/** The key cannot be retired: it is the active one, or `rows` rows are under it. */
export interface KeyInUse {
  readonly code: 'key_in_use'
  readonly rows: number
}

/** There is no such key. */
export interface KeyNotFound {
  readonly code: 'key_not_found'
}
export const keyNotFound: KeyNotFound = { code: 'key_not_found' }

/** The ring is not the one that the data was written under: it lacks the key `kid`, or holds a different key under this number. */
export interface KeyRingUnfit {
  readonly code: 'key_ring_unfit'
  readonly kid: number
  readonly reason: 'missing' | 'wrong'
}

/** The key `kid` does not become the active one yet, because servers that run have not shown that they hold it. */
export interface KeyNotEverywhere {
  readonly code: 'key_not_everywhere'
  readonly kid: number
  /** The servers that lack the key. */
  readonly servers: readonly ShownServer[]
}
