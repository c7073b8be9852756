import type { InvitationStore } from '@sotto/identity'
import { isExpired, type Uuid } from '@sotto/core'
import { err, ok } from 'neverthrow'
import { revokeTokens } from '../access-tokens/memory-access-tokens.ts'
import {
  equalBytes,
  keyRetired,
  taken,
  type InvitationRow,
  type MemoryConnection,
  type MemoryData,
} from '../stores/memory-data.ts'
import { eraseSessions, isSessionTaken } from '../sessions/memory-sessions.ts'

export function createMemoryInvitations(
  connection: MemoryConnection,
  replaced: FormerAccess,
): InvitationStore {
  const { data, answer, isEnabled, mayWrite } = connection
  return {
    replace: (invitation, digest) =>
      answer(() => {
        const { accountId } = invitation
        if (!isEnabled(accountId)) return err({ code: 'account_not_found' })
        const older = usable(connection, data.invitations.get(accountId), invitation.createdAtMicros)
        if (invitation.isAsked && older?.isAsked === false) return ok(false)
        const same = rowWith(data, digest)
        if (same !== undefined && same.invitation.accountId !== accountId) return err(taken)
        data.invitations.set(accountId, structuredClone({ invitation, digest }))
        return ok(true)
      }),

    find: (digest, nowMicros) => answer(() => ok(usableInvitation(connection, digest, nowMicros))),

    findOfAccount: (accountId, nowMicros) =>
      answer(() => ok(usable(connection, data.invitations.get(accountId), nowMicros))),

    spend: (digest, { nowMicros, password, session, sessionDigest }) =>
      answer(() => {
        const invitation = usableInvitation(connection, digest, nowMicros)
        if (invitation === undefined) return ok(false)
        const { accountId } = invitation
        if (!mayWrite(password.hash)) return err(keyRetired)
        if (isSessionTaken(data, session.id, sessionDigest, accountId)) return err(taken)
        eraseFormerAccess(data, invitation, nowMicros, replaced)
        data.passwords.set(accountId, structuredClone(password))
        const added = {
          session,
          digest: sessionDigest,
          authenticatorId: password.id,
          providerSession: undefined,
        }
        data.sessions.set(session.id, structuredClone(added))
        return ok(true)
      }),

    eraseExpired: (expiredByMicros, limit) =>
      answer(() => {
        const expired = [...data.invitations.values()]
          .filter(({ invitation }) => isExpired(invitation.expiresAtMicros, expiredByMicros))
          .slice(0, limit)
        for (const { invitation } of expired) data.invitations.delete(invitation.accountId)
        return ok(expired.length)
      }),
  }
}

/** What erases of an account what a reset, and an invitation that replaces a password, removes. */
export type FormerAccess = readonly ((data: MemoryData, accountId: Uuid) => void)[]

/** Spends a one-time link, and erases the authenticators with which somebody got in to its account before. */
export function eraseFormerAccess(
  data: MemoryData,
  { accountId, kind }: InvitationRow['invitation'],
  nowMicros: number,
  replaced: FormerAccess,
): void {
  data.invitations.delete(accountId)
  data.emailChanges.delete(accountId)
  eraseSessions(data, accountId)
  const replacesPassword = data.passwords.has(accountId)
  if (kind === 'invite' && replacesPassword) revokeTokens(data, accountId, nowMicros)
  if (kind === 'invite' && !replacesPassword) return
  for (const eraseOf of replaced) eraseOf(data, accountId)
}

/** The one-time link with this digest, if it can be used. */
export function usableInvitation(
  connection: Pick<MemoryConnection, 'data' | 'isEnabled'>,
  digest: Uint8Array,
  nowMicros: number,
): InvitationRow['invitation'] | undefined {
  return usable(connection, rowWith(connection.data, digest), nowMicros)
}

function usable(
  { isEnabled }: Pick<MemoryConnection, 'isEnabled'>,
  row: InvitationRow | undefined,
  nowMicros: number,
): InvitationRow['invitation'] | undefined {
  const invitation = row?.invitation
  if (invitation === undefined || isExpired(invitation.expiresAtMicros, nowMicros)) return undefined
  return isEnabled(invitation.accountId) ? invitation : undefined
}

function rowWith({ invitations }: MemoryData, digest: Uint8Array): InvitationRow | undefined {
  return invitations.values().find((row) => equalBytes(row.digest, digest))
}
