import {
  type Account,
  makeOpaqueToken,
  type InvitationKind,
  type AccountNotFound,
  type StorageError,
  type Digests,
  type Clock,
  type Random,
} from '@sotto/core'
import {
  opaqueTokenRandomBytes,
  type OpaqueToken,
  webhookHosts,
  type AccountDisabled,
  type KeyUnknown,
  type ListWebhooksDeps,
} from '@sotto/core/building-blocks'
import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import { invitationLifetimeMicros } from './invitation.ts'
import type { InvitationStore, StoredInvitation } from './invitation-store.ts'
import type { PasswordStore } from '../passwords/password-store.ts'

// What inviting and resetting have in common.

export interface StoreInvitationDeps {
  readonly invitations: Pick<InvitationStore, 'replace'>
  readonly digests: Pick<Digests, 'opaqueTokenDigest'>
  readonly clock: Clock
  readonly random: Random
}
export type MakeInvitationDeps = RemovalDeps & StoreInvitationDeps

/** A one-time link that was just made. Its token cannot be read again. */
export interface NewInvitation {
  readonly account: Account
  readonly kind: InvitationKind
  readonly token: OpaqueToken
  readonly expiresAtMicros: number
  /** Whether the account has a password, which the link replaces. An invitation that does so revokes the account's access tokens. */
  readonly replacesPassword: boolean
  /** The hosts of removed webhooks, as in `InvitationPreview`. */
  readonly removedWebhookHosts: readonly string[]
}

/** Makes the one-time link of an account for the operator; an older one ends. */
export async function makeInvitation(
  deps: MakeInvitationDeps,
  account: Account,
  kind: InvitationKind,
): Promise<Result<NewInvitation, AccountDisabled | KeyUnknown | StorageError>> {
  const replaced = await replacedBy(deps, { accountId: account.id, kind })
  if (replaced.isErr()) return err(replaced.error)
  const { token, expiresAtMicros, stored } = storeInvitation(deps, {
    accountId: account.id,
    kind,
    isAsked: false,
  })
  const done = await stored
  if (done.isOk()) return ok({ account, kind, token, expiresAtMicros, ...replaced.value })
  // The account was there when it was looked up, so it was disabled or deleted.
  return err(done.error.code === 'account_not_found' ? { code: 'account_disabled' } : done.error)
}

/** A one-time link that is being stored; `stored` is as the answer of `InvitationStore.replace`. */
interface InvitationUnderWay extends Pick<NewInvitation, 'token' | 'expiresAtMicros'> {
  readonly stored: ResultAsync<boolean, AccountNotFound | StorageError>
}

/** Stores the one-time link of an account. */
export function storeInvitation(
  { invitations, digests, clock, random }: StoreInvitationDeps,
  columns: Pick<StoredInvitation, 'accountId' | 'kind' | 'isAsked'>,
): InvitationUnderWay {
  const createdAtMicros = clock.nowMicros()
  const expiresAtMicros = createdAtMicros + invitationLifetimeMicros[columns.kind]
  const token = makeOpaqueToken(random.bytes(opaqueTokenRandomBytes))
  const digest = digests.opaqueTokenDigest('welcome', token)
  const stored = invitations.replace({ ...columns, createdAtMicros, expiresAtMicros }, digest)
  return { token, expiresAtMicros, stored }
}

export type RemovalDeps = ListWebhooksDeps & { readonly passwords: Pick<PasswordStore, 'find'> }

/** What the use of a one-time link would replace and remove now; see `InvitationStore.spend`. */
export async function replacedBy(
  deps: RemovalDeps,
  { accountId, kind }: Pick<StoredInvitation, 'accountId' | 'kind'>,
): Promise<
  Result<Pick<NewInvitation, 'replacesPassword' | 'removedWebhookHosts'>, KeyUnknown | StorageError>
> {
  const password = await deps.passwords.find(accountId)
  if (password.isErr()) return err(password.error)
  const replacesPassword = password.value !== undefined
  if (kind === 'invite' && !replacesPassword) return ok({ replacesPassword, removedWebhookHosts: [] })
  const hosts = await webhookHosts(deps, { accountId })
  return hosts.map((removedWebhookHosts) => ({ replacesPassword, removedWebhookHosts }))
}
