import {
  accountNameText,
  makeOpaqueToken,
  type AccountNotFound,
  type StorageError,
  type Uuid,
} from '@sotto/core'
import {
  aFunction,
  aString,
  account,
  getAccount,
  opaqueTokenRandomBytes,
  readEmail,
  tellOwner,
  tellOwnerNeeds,
  type MailUnavailable,
  type OpaqueToken,
} from '@sotto/core/building-blocks'
import { err, ok, type Result } from 'neverthrow'
import { countMails, countMailsNeeds, toRecipient } from '../passwords/count-mails.ts'
import { useCase, type DepsOf } from '../use-case.ts'
import { emailChangeLifetimeMicros } from './email-change.ts'

const storeChangeNeeds = [
  'emailChanges.replace',
  'textCipher.sealText',
  'digests.opaqueTokenDigest',
  'clock.nowMicros',
  'random.bytes',
] as const

/**
 * Mails a link to a new email address; the account has it once the link is used (`confirmEmailChange`), within 24 hours. A change that was
 * asked for before ends. The caller makes sure that the owner proved just now who they are; see `ensureReauthentication`.
 *
 * Nothing tells whether another account has the address: what is written and sent is the same then, but the mail says so and has no link.
 * @errors `fields_invalid`; `mail_unavailable` when no mails can be sent here; `too_many_mails` after 20 in an hour, or 10 to that
 * email; `send_failed`;
 * `account_not_found`, also for a disabled account
 */
export const requestEmailChange = useCase({
  needs: [
    ...countMailsNeeds,
    ...storeChangeNeeds,
    ...tellOwnerNeeds,
    'accounts.find',
    'accounts.findByName',
    'textCipher.decryptText',
    'keyRing.refresh',
    'digests.accountIndexes',
  ],
  takes: {
    ...account,
    /** The new email address as it was typed. */
    email: aString,
    /** The address of the page that confirms the change with this token. Confidential: it is in the mail alone. */
    urlOf: aFunction<(token: OpaqueToken) => string>,
  },
  async run(deps, { accountId, email: typed, urlOf }) {
    const read = readEmail(typed)
    if (read.isErr()) return read
    const email = read.value
    if (deps.mailSender === undefined) return err<never, MailUnavailable>({ code: 'mail_unavailable' })
    const account = await getAccount(deps, { accountId })
    if (account.isErr()) return account
    const counted = await countMails(deps, [[`email-change/${accountId}`, 'address'], toRecipient(email)])
    if (counted.isErr()) return counted
    // An account under a key that this process has not read yet would not be found by its name.
    deps.keyRing.refresh()
    const indexes = deps.digests.accountIndexes(accountNameText({ email, externalId: undefined }))
    const holder = await deps.accounts.findByName(indexes)
    if (holder.isErr()) return holder
    const stored = await storeChange(deps, accountId, email)
    if (stored.isErr()) return stored
    const { token, expiresAtMicros } = stored.value
    return holder.value === undefined || holder.value.id === accountId
      ? tellOwner(deps, email, account.value, { kind: 'confirm', url: urlOf(token), expiresAtMicros })
      : tellOwner(deps, email, holder.value, { kind: 'notice', notice: 'email_taken' })
  },
})

async function storeChange(
  { emailChanges, textCipher, digests, clock, random }: DepsOf<(typeof storeChangeNeeds)[number]>,
  accountId: Uuid,
  email: string,
): Promise<
  Result<{ readonly token: OpaqueToken; readonly expiresAtMicros: number }, AccountNotFound | StorageError>
> {
  const token = makeOpaqueToken(random.bytes(opaqueTokenRandomBytes))
  const createdAtMicros = clock.nowMicros()
  const expiresAtMicros = createdAtMicros + emailChangeLifetimeMicros
  const sealed = textCipher.sealText({ accountId, token }, email)
  const change = { accountId, email: sealed, createdAtMicros, expiresAtMicros }
  const replaced = await emailChanges.replace(change, digests.opaqueTokenDigest('email-change', token))
  return replaced.isErr() ? err(replaced.error) : ok({ token, expiresAtMicros })
}
