import type { CorruptionStore } from '@sotto/core'
import { ok } from 'neverthrow'
import type { Connections } from '../connection/connections.ts'
import { uuidBytes } from '../engine/codec.ts'
import { isSameOrNone, noBytes, noteOrNull, wrapOrNull } from '../secrets/secret-rows.ts'

type SecretRow = [nr: number, head: Buffer | null, wrap: Buffer | null, note: Buffer | null]

export function createSecretCorruption({
  writer,
  write,
  erased,
}: Connections): Pick<CorruptionStore, 'eraseSecret'> {
  const find = writer
    .prepare<[Buffer], SecretRow>(
      `SELECT s.nr, (SELECT head FROM ciphertexts WHERE nr = s.nr), ${wrapOrNull}, ${noteOrNull}
       FROM secrets s WHERE s.id = ?`,
    )
    .raw()
  const eraseSecret = writer.prepare<[number]>('DELETE FROM secrets WHERE nr = ?')

  return {
    eraseSecret: ({ secret, wrap: wrapRead }, noteRead) =>
      write(() => {
        const row = find.get(uuidBytes(secret.id))
        if (row === undefined) return ok(false)
        const [nr, head, wrap, note] = row
        // A row of `secrets` may have lost its row of `ciphertexts`; its head was read as no bytes then.
        if (!(head ?? noBytes).equals(secret.head) || !isSameOrNone(wrap, wrapRead)) return ok(false)
        if (noteRead !== undefined && !isSameOrNone(note, noteRead)) return ok(false)
        eraseSecret.run(nr)
        erased()
        return ok(true)
      }),
  }
}
