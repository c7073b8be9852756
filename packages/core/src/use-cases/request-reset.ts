import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { accountNameText } from '../entities/account.ts'
import type { OpaqueToken } from '../entities/opaque-token.ts'
import type {
  AccountDisabled,
  DecryptError,
  FieldsInvalid,
  MailUnavailable,
  PasswordSignInOff,
  StorageError,
  TooManyMails,
} from '../errors.ts'
import { signInPolicyOf, type Policy } from '../policy.ts'
import type { PortMethods } from '../ports/ports.ts'
import type { SendFailed } from '../ports/senders.ts'
import { readEmail } from './accounts.ts'
import { countMails, toRecipient, type CountMailsDeps } from './count-mails.ts'
import { findAccount, type FindAccountDeps } from './find-account.ts'
import { tellOwner, type TellOwnerDeps } from './mails.ts'
import { makeInvitation, type MakeInvitationDeps } from './invitations.ts'

export type RequestResetDeps = FindAccountDeps &
  MakeInvitationDeps &
  CountMailsDeps &
  TellOwnerDeps &
  PortMethods<{ invitations: 'findOfAccount' }> & { readonly policy: Pick<Policy, 'signIn'> }
export interface RequestResetInput {
  /** As it was typed. */
  readonly email: string
  /** As in `SignInInput`. */
  readonly address: string
  /** The address of the page of a one-time link. Confidential: it is in the mail alone. */
  readonly urlOf: (token: OpaqueToken) => string
}
export type RequestResetError =
  PasswordSignInOff | FieldsInvalid | MailUnavailable | TooManyMails | StorageError

/** A request that was counted. What follows, and how long it takes, depends on the account. */
export interface ResetRequested {
  /**
   * Ok once the mail is sent, or when none is to be sent. To be waited for only by those who do not answer whoever asked: it would tell whether
   * there is an account. Never rejects.
   */
  readonly mailed: ResultAsync<void, SendFailed | AccountDisabled | DecryptError | StorageError>
}

/**
 * Mails the owner of an account a one-time link to choose a new password, as `resetAccount` makes it. Nothing is mailed to an unknown email, to
 * a disabled account, and while an invitation can be used: a stranger must not end it. The answer is the same in all cases, and
 * nothing is looked up before it.
 * @errors `fields_invalid`; `mail_unavailable` when no mails can be sent here; `too_many_mails` after 3 in an hour for an email, known or
 * not, or 20 from the address; `password_sign_in_off` where nobody signs in with a password: the operator makes such links then
 */
export function requestReset(
  deps: RequestResetDeps,
  input: RequestResetInput,
): ResultAsync<ResetRequested, RequestResetError> {
  return new ResultAsync(request(deps, input))
}

async function request(
  deps: RequestResetDeps,
  { email: typed, address, urlOf }: RequestResetInput,
): Promise<Result<ResetRequested, RequestResetError>> {
  if (!signInPolicyOf(deps.policy).passwords) return err({ code: 'password_sign_in_off' })
  const read = readEmail(typed)
  if (read.isErr()) return err(read.error)
  const email = read.value
  if (deps.mailSender === undefined) return err({ code: 'mail_unavailable' })
  const name = accountNameText({ email, externalId: undefined })
  const counted = await countMails(deps, [
    [`reset/${name}`, 'account'],
    [`reset-from/${address}`, 'address'],
    toRecipient(email),
  ])
  if (counted.isErr()) return err(counted.error)
  return ok({ mailed: new ResultAsync(mailReset(deps, email, urlOf)) })
}

async function mailReset(
  deps: RequestResetDeps,
  email: string,
  urlOf: RequestResetInput['urlOf'],
): Promise<Result<void, SendFailed | AccountDisabled | DecryptError | StorageError>> {
  const found = await findAccount(deps, { email })
  if (found.isErr()) return found.error.code === 'account_not_found' ? ok() : err(found.error)
  const account = found.value
  if (account.disabledAtMicros !== undefined) return ok()
  const waiting = await deps.invitations.findOfAccount(account.id, deps.clock.nowMicros())
  if (waiting.isErr()) return err(waiting.error)
  if (waiting.value?.kind === 'invite') return ok()
  const made = await makeInvitation(deps, account, 'reset')
  if (made.isErr()) return err(made.error)
  const { kind: invitation, token, expiresAtMicros } = made.value
  return tellOwner(deps, email, account, {
    kind: 'invitation',
    invitation,
    url: urlOf(token),
    expiresAtMicros,
  })
}
