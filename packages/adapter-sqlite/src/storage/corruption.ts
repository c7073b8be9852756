import type { CorruptionStore } from '@sotto/core'
import { ok } from 'neverthrow'
import type { Connections } from '../connection/connections.ts'
import { uuidBytes } from '../engine/codec.ts'
import { isSameOrNone, noBytes, noteOrNull, wrappedKeyOrNull } from '../secrets/secret-rows.ts'

type SecretRow = [nr: number, head: Buffer | null, wrap: Buffer | null, note: Buffer | null]

export function createSecretCorruption({
  db,
  write,
  erased,
}: Connections): Pick<CorruptionStore, 'eraseSecret'> {
  const find = db
    .prepare<[Buffer], SecretRow>(
      `SELECT s.nr, (SELECT head FROM ciphertexts WHERE nr = s.nr), ${wrappedKeyOrNull}, ${noteOrNull}
       FROM secrets s WHERE s.id = ?`,
    )
    .raw()
  const eraseSecret = db.prepare<[number]>('DELETE FROM secrets WHERE nr = ?')

  return {
    eraseSecret: ({ secret, wrappedKey: readWrappedKey }, readNote) =>
      write(() => {
        const row = find.get(uuidBytes(secret.id))
        if (row === undefined) return ok(false)
        const [nr, headCiphertext, wrappedKey, note] = row
        // A row of `secrets` may have lost its row of `ciphertexts`; its head was read as no bytes then.
        if (
          !(headCiphertext ?? noBytes).equals(secret.headCiphertext) ||
          !isSameOrNone(wrappedKey, readWrappedKey)
        )
          return ok(false)
        if (readNote !== undefined && !isSameOrNone(note, readNote)) return ok(false)
        eraseSecret.run(nr)
        erased()
        return ok(true)
      }),
  }
}
