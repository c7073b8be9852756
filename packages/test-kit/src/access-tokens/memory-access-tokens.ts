import { isTokenUsable, type AccessTokenStore } from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import { err, ok } from 'neverthrow'
import {
  type AccessTokenRow,
  equalBytes,
  keyRetired,
  pageOf,
  taken,
  type MemoryConnection,
  type MemoryData,
} from '../stores/memory-data.ts'

export function createMemoryAccessTokens({
  data,
  answer,
  isClosed,
  hasAccount,
  mayWrite,
}: MemoryConnection): AccessTokenStore {
  const rowWith = (digest: Uint8Array) =>
    data.accessTokens.values().find((row) => equalBytes(row.digest, digest))
  return {
    insert: (token, digest) =>
      answer(() => {
        if (!hasAccount(token.accountId)) return err({ code: 'account_not_found' })
        if (!mayWrite(token.name)) return err(keyRetired)
        if (data.accessTokens.has(token.id) || rowWith(digest) !== undefined) return err(taken)
        data.accessTokens.set(token.id, structuredClone({ token, digest }))
        return ok()
      }),

    findUsable: (digest, nowMicros) =>
      answer(() => {
        const token = rowWith(digest)?.token
        if (token === undefined || !isTokenUsable(token, nowMicros)) return ok(undefined)
        const { id, accountId, scopes, lastUsedAtMicros } = token
        const isDisabled = data.accounts.get(accountId)?.account.disabledAtMicros !== undefined
        return ok(isDisabled ? undefined : { id, accountId, scopes, lastUsedAtMicros })
      }),

    page: (accountId, after, limit) =>
      answer(() => {
        const tokens = [...data.accessTokens.values()].map(({ token }) => token)
        const own = tokens.filter((token) => token.accountId === accountId)
        return ok(pageOf(own, after, limit))
      }),

    revoke: (accountId, id, atMicros) =>
      answer(() => {
        const row = data.accessTokens.get(id)
        if (row?.token.accountId !== accountId) return ok(false)
        revokeToken(data, row, atMicros)
        return ok(true)
      }),

    recordUse(id, atMicros) {
      const row = isClosed() ? undefined : data.accessTokens.get(id)
      if (row === undefined) return
      data.accessTokens.set(id, { ...row, token: { ...row.token, lastUsedAtMicros: atMicros } })
    },
  }
}

/** Revokes all access tokens of an account; one that is revoked already keeps its first time. */
export function revokeTokens(data: MemoryData, accountId: Uuid, atMicros: number): void {
  for (const row of data.accessTokens.values())
    if (row.token.accountId === accountId) revokeToken(data, row, atMicros)
}

function revokeToken({ accessTokens }: MemoryData, row: AccessTokenRow, atMicros: number): void {
  const revokedAtMicros = row.token.revokedAtMicros ?? atMicros
  accessTokens.set(row.token.id, { ...row, token: { ...row.token, revokedAtMicros } })
}
