import {
  isTokenUsable,
  type IdentityIndexes,
  type IdentityStatus,
  type IdentityStore,
  type StoredIdentity,
  type UsedToken,
  type UsedTokenStore,
  type Uuid,
} from '@sotto/core'
import { err, ok } from 'neverthrow'
import { rowUnder as accountUnder } from './memory-accounts.ts'
import {
  equalBytes,
  keyRetired,
  pageOf,
  taken,
  type IdentityRow,
  type MemoryConnection,
  type MemoryData,
} from './memory-data.ts'
import { eraseSessions, eraseSessionsBegunWith } from './memory-sessions.ts'
import { identitiesOf, waysInOf } from './memory-ways-in.ts'

export function createMemoryIdentities({
  data,
  answer,
  isEnabled,
  mayWrite,
}: MemoryConnection): IdentityStore {
  const change = (id: Uuid, columns: Partial<StoredIdentity>): StoredIdentity | undefined => {
    const row = data.identities.get(id)
    if (row !== undefined) data.identities.set(id, { ...row, identity: { ...row.identity, ...columns } })
    return row?.identity
  }
  return {
    insert: (identity, indexes, max) =>
      answer(() => {
        const { accountId, id } = identity
        if (!isEnabled(accountId)) return err({ code: 'account_not_found' })
        if (identityUnder(data, indexes) !== undefined) return err({ code: 'identity_taken' })
        if (identitiesOf(data, accountId).length >= max) return err({ code: 'identity_limit_reached' })
        if (!mayWrite(identity.name)) return err(keyRetired)
        if (data.identities.has(id)) return err(taken)
        addIdentity(data, identity, indexes)
        return ok()
      }),

    insertAccount: (account, nameIndexes, identity, indexes) =>
      answer(() => {
        if (accountUnder(data, nameIndexes) !== undefined) return err({ code: 'account_exists' })
        if (identityUnder(data, indexes) !== undefined) return err({ code: 'identity_taken' })
        if (!mayWrite(account.name) || !mayWrite(identity.name)) return err(keyRetired)
        if (data.accounts.has(account.id) || data.erasing.has(account.id)) return err(taken)
        if (data.identities.has(identity.id)) return err(taken)
        const added = { ...account, displayName: undefined }
        data.accounts.set(account.id, structuredClone({ account: added, nameIndex: nameIndexes[0] }))
        addIdentity(data, identity, indexes)
        return ok()
      }),

    find: (indexes) =>
      answer(() => {
        const identity = identityUnder(data, indexes)?.identity
        const status: IdentityStatus | undefined = identity && {
          ...identity,
          accountDisabled: !isEnabled(identity.accountId),
        }
        return ok(status)
      }),

    list: (accountId) => answer(() => ok(identitiesOf(data, accountId))),

    waysIn: (accountId) => answer(() => ok(waysInOf(data, accountId))),

    recordUse: (id, atMicros) =>
      answer(() => ok(change(id, { lastUsedAtMicros: atMicros, refusedAtMicros: undefined }) !== undefined)),

    refuse: (id, atMicros) =>
      answer(() => {
        const identity = change(id, { refusedAtMicros: atMicros })
        if (identity !== undefined) eraseSessions(data, identity.accountId)
        return ok(identity !== undefined)
      }),

    erase: (accountId, id, { mayErase, keepSessionId }) =>
      answer(() => {
        if (data.identities.get(id)?.identity.accountId !== accountId)
          return err({ code: 'identity_not_found' })
        const ways = waysInOf(data, accountId)
        if (!mayErase({ ...ways, identities: ways.identities.filter((each) => each.id !== id) }))
          return err({ code: 'last_way_in' })
        data.identities.delete(id)
        eraseSessionsBegunWith(data, accountId, id, keepSessionId)
        return ok()
      }),

    endSessions: ({ identity: indexes, providerSession, token }) =>
      answer(() => {
        if (!useToken(data, token)) return ok(undefined)
        const identity = indexes && identityUnder(data, indexes)?.identity
        if (indexes !== undefined && identity === undefined) return ok(0)
        const ended = [...data.sessions.values()].filter(
          (row) =>
            (identity === undefined || row.wayInId === identity.id) &&
            (providerSession === undefined ||
              (row.providerSession !== undefined && equalBytes(row.providerSession, providerSession))),
        )
        for (const { session } of ended) data.sessions.delete(session.id)
        return ok(ended.length)
      }),

    withTokens: ({ nowMicros, evenAllowed, limit }) =>
      answer(() => {
        const found = [...data.identities.values()].flatMap(({ identity }) => {
          const { accountId, refusedAtMicros, origin } = identity
          const isAsked = origin === 'allowed' && (evenAllowed || refusedAtMicros !== undefined)
          return isAsked && hasLiveToken(data, accountId, nowMicros) ? [identity] : []
        })
        return ok(
          pageOf(found, undefined, limit).map(({ accountId, refusedAtMicros }) => ({
            accountId,
            refusedAtMicros,
          })),
        )
      }),
  }
}

export function createMemoryUsedTokens({ data, answer }: MemoryConnection): UsedTokenStore {
  return {
    use: (token) => answer(() => ok(useToken(data, token))),

    eraseOver: (nowMicros, limit) =>
      answer(() => {
        const over = [...data.usedTokens]
          .filter(([, eraseAtMicros]) => eraseAtMicros <= nowMicros)
          .slice(0, limit)
        for (const [digest] of over) data.usedTokens.delete(digest)
        return ok(over.length)
      }),
  }
}

/** The identity that is stored under any of these indexes. */
export function identityUnder({ identities }: MemoryData, indexes: IdentityIndexes): IdentityRow | undefined {
  return identities.values().find((row) => indexes.some((index) => equalBytes(index, row.nameIndex)))
}

export function addIdentity(
  { identities }: MemoryData,
  identity: StoredIdentity,
  [nameIndex]: IdentityIndexes,
): void {
  identities.set(identity.id, structuredClone({ identity, nameIndex }))
}

/** False when it was used before. */
function useToken({ usedTokens }: MemoryData, { digest, eraseAtMicros }: UsedToken): boolean {
  const key = Buffer.from(digest).toString('hex')
  if (usedTokens.has(key)) return false
  usedTokens.set(key, eraseAtMicros)
  return true
}

function hasLiveToken({ accessTokens }: MemoryData, accountId: Uuid, nowMicros: number): boolean {
  return accessTokens
    .values()
    .some(({ token }) => token.accountId === accountId && isTokenUsable(token, nowMicros))
}
