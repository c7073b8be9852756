import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { AccountDisabled, DecryptError, FieldsInvalid, KeyRetired, StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'
import { createFolder, type CreateFolderDeps } from './folders.ts'
import { ensureNamedAccount, readEmail, type EnsureNamedAccountDeps } from './accounts.ts'
import { makeInvitation, type MakeInvitationDeps, type NewInvitation } from './invitations.ts'

/** The label of the folder that an account begins with. */
export const firstFolderLabel = 'Inbox'

export type InviteAccountDeps = EnsureNamedAccountDeps &
  CreateFolderDeps &
  MakeInvitationDeps &
  PortMethods<{ folders: 'page' }>
export interface InviteAccountInput {
  readonly email: string
}
export type InviteAccountError = FieldsInvalid | AccountDisabled | DecryptError | KeyRetired | StorageError

/**
 * Makes a one-time link with which somebody chooses a password, and the account when there is none with this email, with a first folder
 * unless it has one. The link works for 72 hours; an older one of the account ends. When the account has a password, using the link also
 * revokes its access tokens and removes its webhooks: the account may have belonged to somebody else until then.
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
  const folder = await ensureFolder(deps, account.value.id)
  return folder.isErr() ? err(folder.error) : makeInvitation(deps, account.value, 'invite')
}

async function ensureFolder(
  deps: InviteAccountDeps,
  accountId: Uuid,
): Promise<Result<void, AccountDisabled | KeyRetired | StorageError>> {
  const found = await deps.folders.page(accountId, deps.clock.nowMicros(), undefined, 1)
  if (found.isErr()) return err(found.error)
  if (found.value.length > 0) return ok()
  const label = firstFolderLabel
  const created = await createFolder(deps, { accountId, label })
  if (created.isOk()) return ok()
  const { error } = created
  // The account was there a moment ago, so it was deleted.
  if (error.code === 'account_not_found' || error.code === 'fields_invalid')
    return err({ code: 'account_disabled' })
  return err(error)
}
