import {
  isTokenUsable,
  type Authenticators,
  type IdentityIndexes,
  type IdentityStatus,
  type IdentityStore,
  type RefusedAccount,
  type StoredIdentity,
  type SessionsOver,
  type StoredSession,
} from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import { err, ok } from 'neverthrow'
import { useToken } from '../sessions/memory-used-tokens.ts'
import { accountUnder } from '../stores/memory-account-names.ts'
import {
  equalBytes,
  keyRetired,
  pageOf,
  taken,
  type IdentityRow,
  type MemoryConnection,
  type MemoryData,
} from '../stores/memory-data.ts'
import { eraseSessions, eraseSessionsBegunWith, isSessionTaken } from '../sessions/memory-sessions.ts'
import type { ReadAuthenticators } from '../authenticators/memory-authenticators.ts'
import { eraseFormerAccess, usableInvitation, type FormerAccess } from '../invitations/memory-invitations.ts'

/** @param replaced what a one-time link erases that is taken with an identity */
export function createMemoryIdentities(
  connection: MemoryConnection,
  authenticatorsOf: ReadAuthenticators,
  replaced: FormerAccess,
): IdentityStore {
  const { data, answer, isEnabled, mayWrite } = connection
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
          accountHeld: data.accounts.get(identity.accountId)?.account.isHeld === true,
        }
        return ok(status)
      }),

    list: (accountId) => answer(() => ok(identitiesOf(data, accountId))),

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
        const found = authenticatorsOf(data, accountId)
        if (!mayErase({ ...found, identities: found.identities.filter((each) => each.id !== id) }))
          return err({ code: 'last_way_in' })
        data.identities.delete(id)
        eraseSessionsBegunWith(data, accountId, id, keepSessionId)
        return ok()
      }),

    takeInvitation: (
      digest,
      { nowMicros, identity, indexes, session, sessionDigest, providerSession },
      max,
    ) =>
      answer(() => {
        const invitation = usableInvitation(connection, digest, nowMicros)
        if (invitation === undefined) return ok(false)
        const { accountId, kind } = invitation
        const same = identityUnder(data, indexes)?.identity
        if (same !== undefined && same.accountId !== accountId) return err({ code: 'identity_taken' })
        const isReplaced = kind === 'reset' || data.passwords.has(accountId)
        const kept = isReplaced ? [] : identitiesOf(data, accountId).filter(({ id }) => id !== same?.id)
        if (kept.length >= max) return err({ code: 'identity_limit_reached' })
        if (!mayWrite(identity.name)) return err(keyRetired)
        if (isSessionTaken(data, session.id, sessionDigest)) return err(taken)
        eraseFormerAccess(data, invitation, nowMicros, replaced)
        data.passwords.delete(accountId)
        if (same !== undefined) data.identities.delete(same.id)
        addIdentity(data, identity, indexes)
        const added = { session, digest: sessionDigest, authenticatorId: identity.id, providerSession }
        data.sessions.set(session.id, structuredClone(added))
        return ok(true)
      }),

    endSessions: ({ identity: indexes, providerSession, token }) =>
      answer(() => {
        if (!useToken(data, token)) return ok(undefined)
        const identity = indexes && identityUnder(data, indexes)?.identity
        if (indexes !== undefined && identity === undefined) return ok(0)
        const ended = [...data.sessions.values()].filter(
          (row) =>
            (identity === undefined || row.authenticatorId === identity.id) &&
            (providerSession === undefined ||
              (row.providerSession !== undefined && equalBytes(row.providerSession, providerSession))),
        )
        for (const { session } of ended) data.sessions.delete(session.id)
        return ok(ended.length)
      }),

    refusedWithAccess: ({ nowMicros, sessionsOver, evenAllowed, limit }) =>
      answer(() => {
        const accounts = [...data.accounts.values()].map(({ account }) => account)
        const held = accounts.filter(({ id, isHeld }) => isHeld && (evenAllowed || wasRefused(data, id)))
        const found = held
          .map((account) => {
            const authenticators = authenticatorsOf(data, account.id)
            return { account, access: accessOf(data, account.id, authenticators, nowMicros, sessionsOver) }
          })
          .filter(
            ({ access: { hasPassword, passkeys, sessions, accessTokens } }) =>
              hasPassword || passkeys + sessions + accessTokens > 0,
          )
        const first = pageOf(
          found.map(({ account: { id, createdAtMicros }, access }) => ({ id, createdAtMicros, access })),
          undefined,
          limit,
        )
        return ok(first.map(({ access }) => access))
      }),
  }
}

export function identitiesOf({ identities }: MemoryData, accountId: Uuid): readonly StoredIdentity[] {
  const all = [...identities.values()].map(({ identity }) => identity)
  const own = all.filter((identity) => identity.accountId === accountId)
  return pageOf(own, undefined, own.length)
}

export function eraseIdentitiesOf(data: MemoryData, accountId: Uuid): void {
  for (const { id } of identitiesOf(data, accountId)) data.identities.delete(id)
}

/** The identity that is stored under any of these indexes. */
function identityUnder({ identities }: MemoryData, indexes: IdentityIndexes): IdentityRow | undefined {
  return identities.values().find((row) => indexes.some((index) => equalBytes(index, row.nameIndex)))
}

function addIdentity(
  { identities }: MemoryData,
  identity: StoredIdentity,
  [nameIndex]: IdentityIndexes,
): void {
  identities.set(identity.id, structuredClone({ identity, nameIndex }))
}

function wasRefused(data: MemoryData, accountId: Uuid): boolean {
  const identities = identitiesOf(data, accountId)
  const used = Math.max(0, ...identities.map(({ lastUsedAtMicros = 0 }) => lastUsedAtMicros))
  return Math.max(0, ...identities.map(({ refusedAtMicros = 0 }) => refusedAtMicros)) >= used
}

/** What an account can be used with. */
function accessOf(
  data: MemoryData,
  accountId: Uuid,
  { hasPassword, passkeys }: Authenticators,
  nowMicros: number,
  { createdByMicros, lastUsedByMicros }: SessionsOver,
): RefusedAccount {
  const tokens = [...data.accessTokens.values()].map(({ token }) => token)
  const sessions = [...data.sessions.values()].map(({ session }) => session)
  const isAlive = (session: StoredSession) =>
    session.createdAtMicros > createdByMicros && session.lastUsedAtMicros > lastUsedByMicros
  const isOwn = (row: { readonly accountId: Uuid }) => row.accountId === accountId
  return {
    accountId,
    hasPassword,
    passkeys: passkeys.length,
    sessions: sessions.filter((each) => isOwn(each) && isAlive(each)).length,
    accessTokens: tokens.filter((each) => isOwn(each) && isTokenUsable(each, nowMicros)).length,
  }
}
