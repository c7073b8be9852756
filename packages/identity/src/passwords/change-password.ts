import {
  aString,
  account,
  getAccount,
  tellOfNewPassword,
  tellOwnerNeeds,
  underActiveKey,
  type MailUnderWay,
} from '@sotto/core/building-blocks'
import { err, ok } from 'neverthrow'
import { useCase } from '../use-case.ts'
import { encryptPassword, hashNewPassword, hashPasswordNeeds } from './account-passwords.ts'
import { passwordChanged } from './errors.ts'

/**
 * Replaces an account's password, ends all of its other sessions, and tells the owner by mail. The caller makes sure that its
 * owner proved just now who they are; see `ensureReauthentication`.
 * @errors `fields_invalid`, as in `choosePassword`; `password_changed` when somebody else changed it or ended the session at the same time,
 * or the account has none; `hasher_busy`; `account_not_found`
 */
export const changePassword = useCase({
  needs: [
    ...hashPasswordNeeds,
    ...tellOwnerNeeds,
    'accounts.find',
    'passwords.find',
    'passwords.replace',
    'textCipher.decryptText',
    'textCipher.encryptText',
    'keyRing.follow',
  ],
  takes: {
    ...account,
    /** The session that asks. Every other session of the account ends. */
    sessionId: aString,
    /** The new password as it was typed: at least 15 code points, at most 1,024 bytes in NFC. */
    password: aString,
  },
  async run(deps, { accountId, sessionId, password }) {
    const found = await getAccount(deps, { accountId })
    if (found.isErr()) return found
    const current = await deps.passwords.find(accountId)
    if (current.isErr()) return current
    const expectedId = current.value?.id
    if (expectedId === undefined) return err(passwordChanged)
    const hashed = await hashNewPassword(deps, password, found.value.email)
    if (hashed.isErr()) return hashed
    const replaced = await underActiveKey(deps.keyRing, () =>
      deps.passwords.replace(encryptPassword(deps, accountId, hashed.value), {
        expectedId,
        keepSessionId: sessionId,
      }),
    )
    if (replaced.isErr()) return replaced
    if (!replaced.value) return err(passwordChanged)
    return ok<MailUnderWay>({ mailed: tellOfNewPassword(deps, found.value) })
  },
})
