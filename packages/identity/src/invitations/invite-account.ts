import type { DecryptError, FieldsInvalid, KeyRetired, StorageError } from '@sotto/core'
import {
  type AccountDisabled,
  ensureFirstFolder,
  type ensureFirstFolderNeeds,
  type DepsOf,
  ensureNamedAccount,
  readEmail,
  type EnsureNamedAccountDeps,
} from '@sotto/core/building-blocks'
import { err, ResultAsync, type Result } from 'neverthrow'
import { makeInvitation, type MakeInvitationDeps, type NewInvitation } from './invitations.ts'

export type InviteAccountDeps = EnsureNamedAccountDeps &
  DepsOf<(typeof ensureFirstFolderNeeds)[number]> &
  MakeInvitationDeps
export interface InviteAccountInput {
  readonly email: string
}
export type InviteAccountError = FieldsInvalid | AccountDisabled | DecryptError | KeyRetired | StorageError

/**
 * Makes a one-time link with which somebody chooses a password, and the account when there is none with this email, with a first folder
 * unless it has one. The link works for 72 hours; an older one of the account ends. When the account has a password, using the link also
 * revokes its access tokens and removes its identities, passkeys and webhooks: the account may have belonged to somebody else until then.
 * @errors `fields_invalid`; `account_disabled`
 */
export function inviteAccount(
  deps: InviteAccountDeps,
  input: InviteAccountInput,
): ResultAsync<NewInvitation, InviteAccountError> {
  return readEmail(input.email).asyncAndThen((email) => new ResultAsync(invite(deps, email)))
}

async function invite(
  deps: InviteAccountDeps,
  email: string,
): Promise<Result<NewInvitation, InviteAccountError>> {
  const account = await ensureNamedAccount(deps, { email, externalId: undefined })
  if (account.isErr()) return err(account.error)
  if (account.value.disabledAtMicros !== undefined) return err({ code: 'account_disabled' })
  const folder = await ensureFirstFolder(deps, account.value.id)
  return folder.isErr() ? err(folder.error) : makeInvitation(deps, account.value, 'invite')
}
