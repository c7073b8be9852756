import type { CorruptionStore } from '@sotto/core'
import { ok } from 'neverthrow'
import { equalBytes, type MemoryConnection } from './memory-data.ts'
import { holdsWrap, isSameText } from './memory-rewraps.ts'

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

    eraseAccessToken: (id, name) =>
      answer(() => {
        const row = data.accessTokens.get(id)
        return ok(row !== undefined && isSameText(row.token.name, name) && data.accessTokens.delete(id))
      }),

    erasePassword: (id, hash) =>
      answer(() => {
        const [accountId, row] = data.passwords.entries().find(([, each]) => each.id === id) ?? []
        const isSame = accountId !== undefined && row !== undefined && isSameText(row.hash, hash)
        return ok(isSame && data.passwords.delete(accountId))
      }),
  }
}
