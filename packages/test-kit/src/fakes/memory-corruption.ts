import type { CorruptionStore } from '@sotto/core'
import { ok } from 'neverthrow'
import { equalBytes, type MemoryConnection } from './memory-data.ts'
import { dropText, holdsWrap, isSameText, textsOf } from './memory-rewraps.ts'

export function createMemoryCorruption({ data, answer }: MemoryConnection): CorruptionStore {
  return {
    eraseSecret: (from, note) =>
      answer(() => {
        const row = data.secrets.get(from.secret.id)
        if (row === undefined || !holdsWrap({ secret: row.secret, wrap: row.note?.wrap }, from))
          return ok(false)
        if (note !== undefined && (row.note === undefined || !equalBytes(row.note.note, note)))
          return ok(false)
        return ok(data.secrets.delete(from.secret.id))
      }),

    eraseText: (column, rowId, text) =>
      answer(() => {
        const row = textsOf(data, column).find(({ place }) => place.rowId === rowId)
        if (row === undefined || !isSameText(row.encrypted, text)) return ok(false)
        dropText(data, row.place)
        return ok(true)
      }),
  }
}
