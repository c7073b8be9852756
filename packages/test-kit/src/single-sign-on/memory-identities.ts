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
import { addAccount, refusalOf } from '../stores/memory-account-names.ts'
import {
  equalBytes,
  keyRetired,
  pageOf,
  taken,
  type MemoryConnection,
  type MemoryData,
  type SessionRow,
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
        const refused = refusalOf(connection, account, nameIndexes)
        if (refused !== undefined) return err(refused)
        if (identityUnder(data, indexes) !== undefined) return err({ code: 'identity_taken' })
        if (!mayWrite(identity.name)) return err(keyRetired)
        if (data.identities.has(identity.id)) return err(taken)
        addAccount(data, account, nameIndexes)
        addIdentity(data, identity, indexes)
        return ok()
      }),

    find: (indexes) =>
      answer(() => {
        const identity = identityUnder(data, indexes)
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
        const same = identitiesUnder(data, indexes)
        if (same.some((each) => each.accountId !== accountId)) return err({ code: 'identity_taken' })
        const isReplaced = kind === 'reset' || data.passwords.has(accountId)
        const gone = isReplaced ? identitiesOf(data, accountId) : same
        const kept = identitiesOf(data, accountId).filter(({ id }) => gone.every((each) => each.id !== id))
        if (kept.length >= max) return err({ code: 'identity_limit_reached' })
        if (!mayWrite(identity.name)) return err(keyRetired)
        const isTaken = data.identities.has(identity.id) && gone.every(({ id }) => id !== identity.id)
        if (isTaken || isSessionTaken(data, session.id, sessionDigest, accountId)) return err(taken)
        eraseFormerAccess(data, invitation, nowMicros, replaced)
        data.passwords.delete(accountId)
        for (const { id } of same) data.identities.delete(id)
        addIdentity(data, identity, indexes)
        const added = { session, digest: sessionDigest, authenticatorId: identity.id, providerSession }
        data.sessions.set(session.id, structuredClone(added))
        return ok(true)
      }),

    endSessions: ({ identity: indexes, providerSession, token }) =>
      answer(() => {
        if (!useToken(data, token)) return ok(undefined)
        const identity = indexes && identityUnder(data, indexes)
        if (indexes !== undefined && identity === undefined) return ok(0)
        const ended = [...data.sessions.values()].filter(
          (row) =>
            (identity === undefined || isBegunWith(row, identity)) &&
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

/** The identities that are stored under these indexes, in the order of the indexes. */
function identitiesUnder({ identities }: MemoryData, indexes: IdentityIndexes): readonly StoredIdentity[] {
  const rows = [...identities.values()]
  const found = indexes.flatMap((index) => rows.filter(({ nameIndex }) => equalBytes(index, nameIndex)))
  return found.map(({ identity }) => identity)
}

function identityUnder(data: MemoryData, indexes: IdentityIndexes): StoredIdentity | undefined {
  return identitiesUnder(data, indexes)[0]
}

function isBegunWith({ session, authenticatorId }: SessionRow, { id, accountId }: StoredIdentity): boolean {
  return authenticatorId === id && session.accountId === accountId
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
