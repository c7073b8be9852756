import {
  nilUuid,
  type Ciphertext,
  type Cursor,
  type Encrypted,
  type KeyRetired,
  type Uuid,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import {
  changes,
  exists,
  type Dialect,
  type Engine,
  type SqlValue,
  type TextColumnPlace,
  type Work,
} from './engine.ts'

/** The id after which none follows. */
export const maxUuid: Uuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The parameters of `(time, id) > ($1, $2)`, by which an ascending list continues after a cursor. */
export function cursorOf({ id }: Dialect, after: Cursor | undefined): [createdAt: number, id: SqlValue] {
  return after === undefined
    ? [Number.MIN_SAFE_INTEGER, id.in(nilUuid)]
    : [after.createdAtMicros, id.in(after.id)]
}

/** Bytes from a column that only ciphertexts are written to. Empty where they are missing: that decrypts to nothing. */
export function ciphertextOf(bytes: Uint8Array | null): Ciphertext {
  return (bytes ?? new Uint8Array()) as Ciphertext
}

/** A short encrypted text from the columns `kid` and that of the text. */
export function encryptedOf(kid: number, text: Uint8Array | null): Encrypted {
  return { kid, ciphertext: ciphertextOf(text) }
}

/**
 * Writes rows under the key `kid`. Err when no row may be written under it; it cannot be closed or retired until the transaction ends.
 */
export function* underKey<T>(
  { dialect }: Pick<Engine, 'dialect'>,
  kid: number,
  write: () => Work<T>,
): Work<Result<T, KeyRetired>> {
  const isWritable = yield* exists(
    `SELECT 1 FROM keys WHERE kid = $1 AND NOT read_only${dialect.forKeyShare}`,
    kid,
  )
  return isWritable ? ok(yield* write()) : err({ code: 'key_retired' })
}

/** Erases the encrypted text of the row with this id, and writes another one, inside work that writes. */
export function replaceText(
  engine: Pick<Engine, 'dialect' | 'erased'>,
  place: TextColumnPlace,
  id: SqlValue,
  { kid, ciphertext }: Encrypted,
): Work<Result<boolean, KeyRetired>> {
  const { texts } = engine.dialect
  return underKey(engine, kid, function* () {
    const text = yield* texts.replace(place, id, ciphertext)
    yield* changes(
      `UPDATE ${place.table} SET kid = $2, ${texts.column(place.name)} = $3 WHERE id = $1`,
      ...[id, kid, text],
    )
    engine.erased()
    return true
  })
}

/** Compares two digests of one length, for an order in which no two transactions wait for each other. */
export function compareBytes(
  one: Uint8Array = new Uint8Array(),
  other: Uint8Array = new Uint8Array(),
): number {
  const at = one.findIndex((byte, index) => byte !== other[index])
  return (one[at] ?? 0) - (other[at] ?? 0)
}
