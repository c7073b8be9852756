import type { Account, InvitationKind } from '@sotto/core'
import { aString, isOpaqueToken, showAccount } from '@sotto/core/building-blocks'
import { err } from 'neverthrow'
import { useCase } from '../use-case.ts'
import { invitationNotFound } from './errors.ts'
import { replacedBy, replacedByNeeds } from './new-invitation.ts'

/** What a one-time link is for. */
export interface InvitationPreview {
  readonly account: Account
  readonly kind: InvitationKind
  readonly expiresAtMicros: number
  /** Whether the account has a password, which the link replaces. */
  readonly replacesPassword: boolean
  /** The hosts of the webhooks that using the link removes, each once, those that cannot be read aside. */
  readonly removedWebhookHosts: readonly string[]
}

/**
 * Finds out what a one-time link is for. Changes nothing.
 * @errors `welcome_not_found`, the same for a malformed, unknown, expired, spent or replaced one and for a disabled account
 */
export const previewInvitation = useCase({
  needs: [
    ...replacedByNeeds,
    'invitations.find',
    'accounts.find',
    'digests.opaqueTokenDigest',
    'clock.nowMicros',
  ],
  takes: {
    /** The token as the browser sent it. */
    token: aString,
  },
  async run(deps, { token }) {
    const { invitations, accounts, textCipher, digests, clock } = deps
    if (!isOpaqueToken(token)) return err(invitationNotFound)
    const found = await invitations.find(digests.opaqueTokenDigest('welcome', token), clock.nowMicros())
    if (found.isErr()) return found
    if (found.value === undefined) return err(invitationNotFound)
    const { accountId, kind, expiresAtMicros } = found.value
    const stored = await accounts.find(accountId)
    if (stored.isErr()) return stored
    if (stored.value === undefined) return err(invitationNotFound)
    const replaced = await replacedBy(deps, found.value)
    if (replaced.isErr()) return replaced
    return showAccount(textCipher, stored.value).map((account): InvitationPreview => ({
      account,
      kind,
      expiresAtMicros,
      ...replaced.value,
    }))
  },
})
