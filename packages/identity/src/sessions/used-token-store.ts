import type { StorageError } from '@sotto/core'
import type { ResultAsync } from 'neverthrow'

/** Something that counts once, such as a logout token or a challenge. */
export interface UsedToken {
  /** 32 bytes, `Digests.opaqueTokenDigest`. */
  readonly digest: Uint8Array
  /** The time from which the token is refused in any case, so that it need not be remembered. */
  readonly eraseAtMicros: number
}

/** Remembers what counts once. Every write that is answered with Ok is durable. No method throws or rejects. */
export interface UsedTokenStore {
  /** Uses a token. Ok(false), and nothing is changed, when it was used before: of several calls for one token one succeeds. */
  use(token: UsedToken): ResultAsync<boolean, StorageError>

  /** Erases at most `limit` tokens whose `eraseAtMicros` is `nowMicros` or before. Ok with how many it erased. */
  eraseOver(nowMicros: number, limit: number): ResultAsync<number, StorageError>
}
