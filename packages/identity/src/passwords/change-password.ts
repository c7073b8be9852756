import type {
  Uuid,
  AccountNotFound,
  DecryptError,
  FieldsInvalid,
  HasherBusy,
  KeyRetired,
  StorageError,
  TextCipher,
} from '@sotto/core'
import {
  type KeyRing,
  underActiveKey,
  getAccount,
  type GetAccountDeps,
  tellOfNewPassword,
  type MailUnderWay,
  type TellOwnerDeps,
} from '@sotto/core/building-blocks'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { PasswordChanged } from './errors.ts'
import type { PasswordStore } from './password-store.ts'
import { encryptPassword, hashNewPassword, type HashPasswordDeps } from './account-passwords.ts'

export type ChangePasswordDeps = GetAccountDeps &
  HashPasswordDeps &
  TellOwnerDeps & {
    readonly passwords: Pick<PasswordStore, 'find' | 'replace'>
    readonly textCipher: Pick<TextCipher, 'encryptText'>
    readonly keyRing: Pick<KeyRing, 'follow'>
  }
export interface ChangePasswordInput {
  readonly accountId: Uuid
  /** The session that asks. Every other session of the account ends. */
  readonly sessionId: Uuid
  /** The new password as it was typed: at least 15 code points, at most 1,024 bytes in NFC. */
  readonly password: string
}
export type ChangePasswordError =
  FieldsInvalid | AccountNotFound | PasswordChanged | HasherBusy | KeyRetired | DecryptError | StorageError

/**
 * Replaces an account's password, ends all of its other sessions, and tells the owner by mail. The caller makes sure that its
 * owner proved just now who they are; see `ensureReauthentication`.
 * @errors `fields_invalid`, as in `choosePassword`; `password_changed` when somebody else changed it or ended the session at the same time,
 * or the account has none; `hasher_busy`
 */
export function changePassword(
  deps: ChangePasswordDeps,
  input: ChangePasswordInput,
): ResultAsync<MailUnderWay, ChangePasswordError> {
  return new ResultAsync(change(deps, input))
}

async function change(
  deps: ChangePasswordDeps,
  { accountId, sessionId, password }: ChangePasswordInput,
): Promise<Result<MailUnderWay, ChangePasswordError>> {
  const account = await getAccount(deps, { accountId })
  if (account.isErr()) return err(account.error)
  const current = await deps.passwords.find(accountId)
  if (current.isErr()) return err(current.error)
  const expectedId = current.value?.id
  if (expectedId === undefined) return err({ code: 'password_changed' })
  const hashed = await hashNewPassword(deps, password, account.value.email)
  if (hashed.isErr()) return err(hashed.error)
  const replaced = await underActiveKey(deps.keyRing, () =>
    deps.passwords.replace(encryptPassword(deps, accountId, hashed.value), {
      expectedId,
      keepSessionId: sessionId,
    }),
  )
  if (replaced.isErr()) return err(replaced.error)
  if (!replaced.value) return err({ code: 'password_changed' })
  return ok({ mailed: tellOfNewPassword(deps, account.value) })
}
