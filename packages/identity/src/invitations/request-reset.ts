import { accountNameText, type DecryptError, type SendFailed, type StorageError } from '@sotto/core'
import {
  aFunction,
  aString,
  findAccount,
  readEmail,
  tellOwner,
  tellOwnerNeeds,
  type MailUnavailable,
  type OpaqueToken,
} from '@sotto/core/building-blocks'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { countMails, countMailsNeeds, toRecipient } from '../passwords/count-mails.ts'
import { passwordSignInOff } from '../passwords/errors.ts'
import { signInPolicyOf } from '../sessions/sign-in-policy.ts'
import { useCase, type DepsOf } from '../use-case.ts'
import { storeInvitation, storeInvitationNeeds } from './new-invitation.ts'

/** A request that was counted. What follows, and how much work it is, depends on the account. */
export interface ResetRequested {
  /**
   * Looks up the account, and mails the link if one is to be mailed. To be called once, after whoever asked was answered, and at a time that does
   * not depend on the account: the answer, and those of other requests at that time, would tell otherwise whether there is one. Never rejects.
   */
  readonly mail: () => ResultAsync<void, ResetNotMailed>
}
/** Why no link was mailed. */
export type ResetNotMailed = SendFailed | DecryptError | StorageError

type UrlOf = (token: OpaqueToken) => string

const mailResetNeeds = [
  ...storeInvitationNeeds,
  ...tellOwnerNeeds,
  'accounts.findByName',
  'digests.accountIndexes',
  'textCipher.decryptText',
  'keyRing.refresh',
] as const

/**
 * Mails the owner of an account a one-time link to choose a new password, as `resetAccount` makes it. Nothing is mailed to an unknown email, to
 * a disabled or held account, and while a link that the operator made can be used: a stranger must not end it. The answer is the same in
 * all cases, and nothing is looked up before `mail` is called.
 * @errors `fields_invalid`; `mail_unavailable` when no mails can be sent here; `too_many_mails` after 3 in an hour for an email, known or
 * not, or 20 from the address; `password_sign_in_off` where nobody signs in with a password: the operator makes such links then
 */
export const requestReset = useCase({
  needs: [...mailResetNeeds, ...countMailsNeeds, 'policy.signIn'],
  takes: {
    /** The email address as it was typed. */
    email: aString,
    /** The client's address, as in `signIn`. */
    address: aString,
    /** The address of the page of a one-time link. Confidential: it is in the mail alone. */
    urlOf: aFunction<UrlOf>,
  },
  async run(deps, { email: typed, address, urlOf }) {
    if (!signInPolicyOf(deps.policy).passwords) return err(passwordSignInOff)
    const read = readEmail(typed)
    if (read.isErr()) return read
    const email = read.value
    if (deps.mailSender === undefined) return err<never, MailUnavailable>({ code: 'mail_unavailable' })
    const name = accountNameText({ email, externalId: undefined })
    const counted = await countMails(deps, [
      [`reset/${name}`, 'account'],
      [`reset-from/${address}`, 'address'],
      toRecipient(email),
    ])
    if (counted.isErr()) return counted
    return ok<ResetRequested>({ mail: () => new ResultAsync(mailReset(deps, email, urlOf)) })
  },
})

async function mailReset(
  deps: DepsOf<(typeof mailResetNeeds)[number]>,
  email: string,
  urlOf: UrlOf,
): Promise<Result<void, ResetNotMailed>> {
  const found = await findAccount(deps, { email })
  if (found.isErr()) return found.error.code === 'account_not_found' ? ok() : err(found.error)
  const account = found.value
  if (account.isHeld) return ok()
  const made = storeInvitation(deps, { accountId: account.id, kind: 'reset', isAsked: true })
  const { token, expiresAtMicros } = made
  const stored = await made.stored
  if (stored.isErr()) return stored.error.code === 'account_not_found' ? ok() : err(stored.error)
  if (!stored.value) return ok()
  return tellOwner(deps, email, account, {
    kind: 'invitation',
    invitation: 'reset',
    url: urlOf(token),
    expiresAtMicros,
  })
}
