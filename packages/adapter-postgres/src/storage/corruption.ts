import type { CorruptionStore } from '@sotto/core'
import type { Engine } from '@sotto/storage-sql'

const eraseSecret = `DELETE FROM secrets WHERE id = $1 AND head = $2 AND wrap IS NOT DISTINCT FROM $3::bytea
  AND ($4::bytea IS NULL OR note = $4)`

export function createSecretCorruption(engine: Engine): Pick<CorruptionStore, 'eraseSecret'> {
  return {
    eraseSecret: ({ secret: { id, headCiphertext }, wrappedKey }, note) =>
      engine.change(eraseSecret, id, headCiphertext, wrappedKey, note).map((count) => count > 0),
  }
}
