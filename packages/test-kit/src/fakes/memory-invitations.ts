import { isExpired, type InvitationStore } from '@sotto/core'
import { err, ok } from 'neverthrow'
import { revokeTokens } from './memory-access-tokens.ts'
import { equalBytes, keyRetired, taken, type MemoryConnection, type InvitationRow } from './memory-data.ts'
import { eraseSessions, isSessionTaken } from './memory-sessions.ts'
import { eraseWebhook, webhooksOf } from './memory-webhooks.ts'

export function createMemoryInvitations({
  data,
  answer,
  isEnabled,
  mayWrite,
}: MemoryConnection): InvitationStore {
  const rowWith = (digest: Uint8Array): InvitationRow | undefined =>
    data.invitations.values().find((row) => equalBytes(row.digest, digest))
  const usable = (
    row: InvitationRow | undefined,
    nowMicros: number,
  ): InvitationRow['invitation'] | undefined => {
    const invitation = row?.invitation
    if (invitation === undefined || isExpired(invitation.expiresAtMicros, nowMicros)) return undefined
    return isEnabled(invitation.accountId) ? invitation : undefined
  }
  return {
    replace: (invitation, digest) =>
      answer(() => {
        const { accountId } = invitation
        if (!isEnabled(accountId)) return err({ code: 'account_not_found' })
        const same = rowWith(digest)
        if (same !== undefined && same.invitation.accountId !== accountId) return err(taken)
        data.invitations.set(accountId, structuredClone({ invitation, digest }))
        return ok()
      }),

    find: (digest, nowMicros) => answer(() => ok(usable(rowWith(digest), nowMicros))),

    findOfAccount: (accountId, nowMicros) =>
      answer(() => ok(usable(data.invitations.get(accountId), nowMicros))),

    spend: (digest, { nowMicros, password, session, sessionDigest }) =>
      answer(() => {
        const invitation = usable(rowWith(digest), nowMicros)
        if (invitation === undefined) return ok(false)
        const { accountId, kind } = invitation
        if (!mayWrite(password.hash)) return err(keyRetired)
        if (isSessionTaken(data, session.id, sessionDigest)) return err(taken)
        data.invitations.delete(accountId)
        data.emailChanges.delete(accountId)
        const replacesPassword = data.passwords.has(accountId)
        if (kind === 'invite' && replacesPassword) revokeTokens(data, accountId, nowMicros)
        if (kind === 'reset' || replacesPassword) {
          for (const { id } of webhooksOf(data, accountId)) eraseWebhook(data, id)
        }
        data.passwords.set(accountId, structuredClone(password))
        eraseSessions(data, accountId)
        data.sessions.set(session.id, structuredClone({ session, digest: sessionDigest }))
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
