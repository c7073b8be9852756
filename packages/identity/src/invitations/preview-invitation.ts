import type {
  Account,
  InvitationKind,
  DecryptError,
  StorageError,
  AccountStore,
  Digests,
  TextCipher,
  Clock,
} from '@sotto/core'
import { isOpaqueToken, showAccount } from '@sotto/core/building-blocks'
import { err, ResultAsync, type Result } from 'neverthrow'
import type { InvitationNotFound } from './errors.ts'
import type { InvitationStore } from './invitation-store.ts'
import { replacedBy, type RemovalDeps } from './invitations.ts'

export type PreviewInvitationDeps = RemovalDeps & {
  readonly invitations: Pick<InvitationStore, 'find'>
  readonly accounts: Pick<AccountStore, 'find'>
  readonly digests: Pick<Digests, 'opaqueTokenDigest'>
  readonly textCipher: Pick<TextCipher, 'decryptText'>
  readonly clock: Clock
}
export interface PreviewInvitationInput {
  /** The token as the browser sent it. */
  readonly token: string
}
export type PreviewInvitationError = InvitationNotFound | DecryptError | StorageError

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
export function previewInvitation(
  deps: PreviewInvitationDeps,
  input: PreviewInvitationInput,
): ResultAsync<InvitationPreview, PreviewInvitationError> {
  return new ResultAsync(preview(deps, input))
}

async function preview(
  deps: PreviewInvitationDeps,
  { token }: PreviewInvitationInput,
): Promise<Result<InvitationPreview, PreviewInvitationError>> {
  const { invitations, accounts, textCipher, digests, clock } = deps
  if (!isOpaqueToken(token)) return err({ code: 'welcome_not_found' })
  const found = await invitations.find(digests.opaqueTokenDigest('welcome', token), clock.nowMicros())
  if (found.isErr()) return err(found.error)
  if (found.value === undefined) return err({ code: 'welcome_not_found' })
  const { accountId, kind, expiresAtMicros } = found.value
  const stored = await accounts.find(accountId)
  if (stored.isErr()) return err(stored.error)
  if (stored.value === undefined) return err({ code: 'welcome_not_found' })
  const replaced = await replacedBy(deps, found.value)
  if (replaced.isErr()) return err(replaced.error)
  const shown = showAccount(textCipher, stored.value)
  return shown.map((account) => ({ account, kind, expiresAtMicros, ...replaced.value }))
}
