import type { InvitationStore } from '@sotto/identity'
import { isExpired, type InvitationKind, type Uuid } from '@sotto/core'
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
import { addIdentity, identityUnder } from '../single-sign-on/memory-identities.ts'
import { eraseSessions, isSessionTaken } from '../sessions/memory-sessions.ts'
import { identitiesOf, passkeysOf } from '../authenticators/memory-authenticators.ts'
import { eraseWebhook, webhooksOf } from '../notifications/webhooks/memory-webhooks.ts'

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
        const older = usable(data.invitations.get(accountId), invitation.createdAtMicros)
        if (invitation.isAsked && older?.isAsked === false) return ok(false)
        data.invitations.set(accountId, structuredClone({ invitation, digest }))
        return ok(true)
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
        eraseFormerAccess(data, accountId, kind, nowMicros)
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

    take: (digest, { nowMicros, identity, indexes, session, sessionDigest, providerSession }, max) =>
      answer(() => {
        const invitation = usable(rowWith(digest), nowMicros)
        if (invitation === undefined) return ok(false)
        const { accountId, kind } = invitation
        const same = identityUnder(data, indexes)?.identity
        if (same !== undefined && same.accountId !== accountId) return err({ code: 'identity_taken' })
        const isReplaced = kind === 'reset' || data.passwords.has(accountId)
        const kept = isReplaced ? [] : identitiesOf(data, accountId).filter(({ id }) => id !== same?.id)
        if (kept.length >= max) return err({ code: 'identity_limit_reached' })
        if (!mayWrite(identity.name)) return err(keyRetired)
        if (isSessionTaken(data, session.id, sessionDigest)) return err(taken)
        eraseFormerAccess(data, accountId, kind, nowMicros)
        data.passwords.delete(accountId)
        if (same !== undefined) data.identities.delete(same.id)
        addIdentity(data, identity, indexes)
        const added = { session, digest: sessionDigest, authenticatorId: identity.id, providerSession }
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

/** Spends the one-time link of an account, and erases the authenticators with which somebody got in before. */
function eraseFormerAccess(data: MemoryData, accountId: Uuid, kind: InvitationKind, nowMicros: number): void {
  data.invitations.delete(accountId)
  data.emailChanges.delete(accountId)
  eraseSessions(data, accountId)
  const replacesPassword = data.passwords.has(accountId)
  if (kind === 'invite' && replacesPassword) revokeTokens(data, accountId, nowMicros)
  if (kind === 'invite' && !replacesPassword) return
  for (const { id } of webhooksOf(data, accountId)) eraseWebhook(data, id)
  for (const { id } of identitiesOf(data, accountId)) data.identities.delete(id)
  for (const { id } of passkeysOf(data, accountId)) data.passkeys.delete(id)
}
