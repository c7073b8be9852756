import {
  makeOpaqueToken,
  type Account,
  type AccountNotFound,
  type InvitationKind,
  type StorageError,
} from '@sotto/core'
import {
  opaqueTokenRandomBytes,
  webhookHosts,
  type AccountDisabled,
  type KeyUnknown,
  type OpaqueToken,
} from '@sotto/core/building-blocks'
import { err, ok, type Result, type ResultAsync } from 'neverthrow'
import type { DepsOf } from '../use-case.ts'
import { invitationLifetimeMicros } from './invitation.ts'
import type { StoredInvitation } from './invitation-store.ts'

// What inviting and resetting have in common.

/** What {@link storeInvitation} needs. */
export const storeInvitationNeeds = [
  'invitations.replace',
  'digests.opaqueTokenDigest',
  'clock.nowMicros',
  'random.bytes',
] as const

/** What {@link replacedBy} needs. */
export const replacedByNeeds = ['passwords.find', 'webhooks.list', 'textCipher.decryptText'] as const

/** What {@link makeInvitation} needs. */
export const makeInvitationNeeds = [...storeInvitationNeeds, ...replacedByNeeds] as const

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
  deps: DepsOf<(typeof makeInvitationNeeds)[number]>,
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
  { invitations, digests, clock, random }: DepsOf<(typeof storeInvitationNeeds)[number]>,
  columns: Pick<StoredInvitation, 'accountId' | 'kind' | 'isAsked'>,
): InvitationUnderWay {
  const createdAtMicros = clock.nowMicros()
  const expiresAtMicros = createdAtMicros + invitationLifetimeMicros[columns.kind]
  const token = makeOpaqueToken(random.bytes(opaqueTokenRandomBytes))
  const digest = digests.opaqueTokenDigest('welcome', token)
  const stored = invitations.replace({ ...columns, createdAtMicros, expiresAtMicros }, digest)
  return { token, expiresAtMicros, stored }
}

/** What the use of a one-time link would replace and remove now; see `InvitationStore.spend`. */
export async function replacedBy(
  deps: DepsOf<(typeof replacedByNeeds)[number]>,
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
