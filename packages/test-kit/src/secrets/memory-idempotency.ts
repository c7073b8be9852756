import { storedKeyBytes, type IdempotencyStore } from '@sotto/core'
import { ok } from 'neverthrow'
import { equalBytes, type ClaimRow, type MemoryConnection } from '../stores/memory-data.ts'
import { insertRow } from './memory-secrets.ts'

export function createMemoryIdempotency(connection: MemoryConnection): IdempotencyStore {
  const { data, answer } = connection
  const claimsOf = (accountId: string, keys: readonly Uint8Array[]): readonly ClaimRow[] =>
    data.claims.filter(
      (row) => row.accountId === accountId && keys.some((key) => equalBytes(storedKey(key), row.key)),
    )

  return {
    insertSecret: (secret, note, { digests, forgottenByMicros }, files) =>
      answer(() => {
        const { id: secretId, accountId, createdAtMicros: claimedAtMicros } = secret
        const earlier = claimsOf(
          accountId,
          digests.map(({ key }) => key),
        )
        if (earlier.some((row) => row.claimedAtMicros > forgottenByMicros)) return ok(false)
        return insertRow(connection, secret, note, files).map(() => {
          const claims = digests.map(({ key, request }) => ({
            key: storedKey(key),
            request,
            accountId,
            secretId,
            claimedAtMicros,
          }))
          data.claims = [...data.claims.filter((row) => !earlier.includes(row)), ...structuredClone(claims)]
          return true
        })
      }),

    find: (accountId, keys, forgottenByMicros) =>
      answer(() => {
        const row = claimsOf(accountId, keys).find((each) => each.claimedAtMicros > forgottenByMicros)
        return ok(row && { request: row.request, secretId: row.secretId })
      }),

    eraseOld: (forgottenByMicros, limit) =>
      answer(() => {
        const old = data.claims.filter(({ claimedAtMicros }) => claimedAtMicros <= forgottenByMicros)
        const erased = new Set(old.slice(0, limit))
        data.claims = data.claims.filter((row) => !erased.has(row))
        return ok(erased.size)
      }),
  }
}

function storedKey(key: Uint8Array): Uint8Array {
  return key.slice(0, storedKeyBytes)
}
