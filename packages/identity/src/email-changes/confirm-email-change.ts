import type { DataCorrupted, Uuid } from '@sotto/core'
import {
  aString,
  getAccount,
  isOpaqueToken,
  tellOfNewEmail,
  tellOwnerNeeds,
  writeName,
  writeNameNeeds,
  type MailUnderWay,
} from '@sotto/core/building-blocks'
import { err, ok } from 'neverthrow'
import { useCase } from '../use-case.ts'
import { emailChangeNotFound } from './errors.ts'

/** What a link that confirms an email address is for. */
export interface EmailChangePreview {
  readonly accountId: Uuid
  /** The new address. */
  readonly email: string
  readonly expiresAtMicros: number
}

/**
 * Finds out what the link that was mailed to a new email address is for. Changes nothing.
 * @errors `email_change_not_found`, the same for a malformed, unknown, expired, spent or replaced one and for a disabled account
 */
export const previewEmailChange = useCase({
  needs: ['emailChanges.find', 'textCipher.unsealText', 'digests.opaqueTokenDigest', 'clock.nowMicros'],
  takes: {
    /** The token as the browser sent it. */
    token: aString,
  },
  async run({ emailChanges, textCipher, digests, clock }, { token }) {
    if (!isOpaqueToken(token)) return err(emailChangeNotFound)
    const found = await emailChanges.find(digests.opaqueTokenDigest('email-change', token), clock.nowMicros())
    if (found.isErr()) return found
    if (found.value === undefined) return err(emailChangeNotFound)
    const { accountId, email: sealed, expiresAtMicros } = found.value
    const email = textCipher.unsealText({ accountId, token }, sealed)
    if (email === undefined)
      return err<never, DataCorrupted>({ code: 'data_damaged', what: 'email_change.email', id: accountId })
    return ok<EmailChangePreview>({ accountId, email, expiresAtMicros })
  },
})

/** The account whose email address was changed. */
export interface EmailChanged extends MailUnderWay {
  readonly accountId: Uuid
}

/**
 * Gives an account the email address that its link was mailed to, and tells the old one by mail. The link is spent, and so is a one-time link
 * of the account.
 * @errors `email_change_not_found`, also when it was spent in the meantime; `account_exists` when another account has the address by now
 */
export const confirmEmailChange = useCase({
  needs: [
    ...previewEmailChange.needs,
    ...tellOwnerNeeds,
    ...writeNameNeeds,
    'accounts.find',
    'textCipher.decryptText',
    'emailChanges.spend',
  ],
  takes: {
    /** The token of the link that was mailed to the new address, as the browser sent it. */
    token: aString,
  },
  async run(deps, { token }) {
    const preview = await previewEmailChange(deps, { token })
    if (preview.isErr()) return preview
    const { accountId, email } = preview.value
    const account = await getAccount(deps, { accountId })
    if (account.isErr()) {
      const { error } = account
      return err(error.code === 'account_not_found' ? emailChangeNotFound : error)
    }
    const { emailChanges, digests, clock } = deps
    const digest = digests.opaqueTokenDigest('email-change', token)
    const name = { email, externalId: undefined }
    const spent = await writeName(deps, accountId, name, (encrypted, indexes) =>
      emailChanges.spend(digest, clock.nowMicros(), encrypted, indexes),
    )
    if (spent.isErr()) return spent
    if (!spent.value) return err(emailChangeNotFound)
    return ok<EmailChanged>({ accountId, mailed: tellOfNewEmail(deps, account.value, email) })
  },
})
