import type { AccessTokenStore } from '@sotto/core'
import { err, ok } from 'neverthrow'
import { equalBytes, keyRetired, mayWrite, sliceOf, taken, type MemoryConnection } from './memory-data.ts'

export function createMemoryAccessTokens({ data, answer, isClosed }: MemoryConnection): AccessTokenStore {
  const rowWith = (hash: Uint8Array) => data.accessTokens.values().find((row) => equalBytes(row.hash, hash))
  return {
    insert: (token, hash) =>
      answer(() => {
        if (!data.accounts.has(token.accountId)) return err({ code: 'account_not_found' })
        if (!mayWrite(data, token.name)) return err(keyRetired)
        if (data.accessTokens.has(token.id) || rowWith(hash) !== undefined) return err(taken)
        data.accessTokens.set(token.id, structuredClone({ token, hash }))
        return ok()
      }),

    findByHash: (hash) =>
      answer(() => {
        const token = rowWith(hash)?.token
        if (token === undefined) return ok(undefined)
        const { id, accountId, scopes, expiresAtMicros, revokedAtMicros, lastUsedAtMicros } = token
        const accountDisabled = data.accounts.get(accountId)?.account.disabledAtMicros !== undefined
        return ok({
          id,
          accountId,
          scopes,
          expiresAtMicros,
          revokedAtMicros,
          lastUsedAtMicros,
          accountDisabled,
        })
      }),

    slice: (accountId, after, limit) =>
      answer(() => {
        const tokens = [...data.accessTokens.values()].map(({ token }) => token)
        const own = tokens.filter((token) => token.accountId === accountId)
        return ok(sliceOf(own, after, limit))
      }),

    revoke: (accountId, id, atMicros) =>
      answer(() => {
        const row = data.accessTokens.get(id)
        if (row?.token.accountId !== accountId) return ok(false)
        const revokedAtMicros = row.token.revokedAtMicros ?? atMicros
        data.accessTokens.set(id, { ...row, token: { ...row.token, revokedAtMicros } })
        return ok(true)
      }),

    noteUse(id, atMicros) {
      const row = isClosed() ? undefined : data.accessTokens.get(id)
      if (row === undefined) return
      data.accessTokens.set(id, { ...row, token: { ...row.token, lastUsedAtMicros: atMicros } })
    },
  }
}
