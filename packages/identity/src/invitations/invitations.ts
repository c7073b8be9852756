import type { InvitationKind } from '@sotto/core'
import {
  aNumber,
  aString,
  account,
  email,
  ensureFirstFolder,
  ensureFirstFolderNeeds,
  ensureNamedAccount,
  ensureNamedAccountNeeds,
  findAccount,
  findRecipient,
  mailNowNeeds,
  oneOf,
  readEmail,
  tellOwner,
  type AccountDisabled,
} from '@sotto/core/building-blocks'
import { err } from 'neverthrow'
import { countMails, countMailsNeeds, toRecipient } from '../passwords/count-mails.ts'
import { useCase } from '../use-case.ts'
import { makeInvitation, makeInvitationNeeds } from './new-invitation.ts'

/**
 * Makes a one-time link with which somebody chooses a password, and the account when there is none with this email, with a first folder
 * unless it has one. The link works for 72 hours; an older one of the account ends. When the account has a password, using the link also
 * revokes its access tokens and removes its identities, passkeys and webhooks: the account may have belonged to somebody else until then.
 * @errors `fields_invalid`; `account_disabled`
 */
export const inviteAccount = useCase({
  needs: [...ensureNamedAccountNeeds, ...ensureFirstFolderNeeds, ...makeInvitationNeeds],
  takes: email,
  async run(deps, { email: typed }) {
    const email = readEmail(typed)
    if (email.isErr()) return email
    const account = await ensureNamedAccount(deps, { email: email.value, externalId: undefined })
    if (account.isErr()) return account
    if (account.value.disabledAtMicros !== undefined)
      return err<never, AccountDisabled>({ code: 'account_disabled' })
    const folder = await ensureFirstFolder(deps, account.value.id)
    return folder.isErr() ? folder : makeInvitation(deps, account.value, 'invite')
  },
})

/**
 * Makes a one-time link with which the owner of an existing account chooses a new password. It works for an hour; an older one of the
 * account ends. The old password works until the link is used, which ends all sessions of the account and removes its identities,
 * passkeys and webhooks.
 * @errors `account_not_found`; `account_disabled`
 */
export const resetAccount = useCase({
  needs: [...makeInvitationNeeds, 'accounts.findByName', 'digests.accountIndexes', 'keyRing.refresh'],
  takes: email,
  async run(deps, { email }) {
    const account = await findAccount(deps, { email })
    return account.isErr() ? account : makeInvitation(deps, account.value, 'reset')
  },
})

/**
 * Mails the one-time link of an account immediately, not through the queue, whatever mails its owner wants.
 * @errors `account_not_found`; `mail_unavailable` when no mails can be sent here, or the account has no email address; `send_failed`;
 * `too_many_mails` after 10 to the address in an hour, those that others asked for included
 */
export const mailInvitation = useCase({
  needs: [...mailNowNeeds, ...countMailsNeeds],
  takes: {
    ...account,
    invitation: oneOf<InvitationKind>('invite', 'reset'),
    /** The one-time link. Confidential: it is in no queue and no error. */
    url: aString,
    expiresAtMicros: aNumber,
  },
  async run(deps, { accountId, invitation, url, expiresAtMicros }) {
    const found = await findRecipient(deps, accountId)
    if (found.isErr()) return found
    const { email } = found.value
    const counted = await countMails(deps, [toRecipient(email)])
    if (counted.isErr()) return counted
    return tellOwner(deps, email, found.value, { kind: 'invitation', invitation, url, expiresAtMicros })
  },
})
