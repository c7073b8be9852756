import type { EmailChangeStore } from '@sotto/identity'
import { isExpired } from '@sotto/core'
import { err, ok } from 'neverthrow'
import { renameAccount } from '../stores/memory-account-names.ts'
import { equalBytes, taken, type EmailChangeRow, type MemoryConnection } from '../stores/memory-data.ts'

export function createMemoryEmailChanges(connection: MemoryConnection): EmailChangeStore {
  const { data, answer, isEnabled } = connection
  const rowWith = (digest: Uint8Array): EmailChangeRow | undefined =>
    data.emailChanges.values().find((row) => equalBytes(row.digest, digest))
  const usable = (digest: Uint8Array, nowMicros: number): EmailChangeRow['change'] | undefined => {
    const change = rowWith(digest)?.change
    if (change === undefined || isExpired(change.expiresAtMicros, nowMicros)) return undefined
    return isEnabled(change.accountId) ? change : undefined
  }
  return {
    replace: (change, digest) =>
      answer(() => {
        const { accountId } = change
        if (!isEnabled(accountId)) return err({ code: 'account_not_found' })
        const same = rowWith(digest)
        if (same !== undefined && same.change.accountId !== accountId) return err(taken)
        data.emailChanges.set(accountId, structuredClone({ change, digest }))
        return ok()
      }),

    find: (digest, nowMicros) => answer(() => ok(usable(digest, nowMicros))),

    spend: (digest, nowMicros, name, nameIndexes) =>
      answer(() => {
        const change = usable(digest, nowMicros)
        if (change === undefined) return ok(false)
        const renamed = renameAccount(connection, change.accountId, name, nameIndexes)
        if (renamed.isOk()) return ok(true)
        return renamed.error.code === 'account_not_found' ? ok(false) : err(renamed.error)
      }),

    eraseExpired: (expiredByMicros, limit) =>
      answer(() => {
        const expired = [...data.emailChanges.values()]
          .filter(({ change }) => isExpired(change.expiresAtMicros, expiredByMicros))
          .slice(0, limit)
        for (const { change } of expired) data.emailChanges.delete(change.accountId)
        return ok(expired.length)
      }),
  }
}
