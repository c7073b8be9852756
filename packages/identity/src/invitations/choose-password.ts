import {
  aString,
  tellOfNewPassword,
  tellOwnerNeeds,
  underActiveKey,
  type MailUnderWay,
} from '@sotto/core/building-blocks'
import { err, ok, okAsync } from 'neverthrow'
import { encryptPassword, hashNewPassword, hashPasswordNeeds } from '../passwords/account-passwords.ts'
import { knownAddressesNeeds, rememberAddress } from '../sessions/known-addresses.ts'
import { makeSession, makeSessionNeeds, type NewSession } from '../sessions/new-session.ts'
import { useCase } from '../use-case.ts'
import { invitationNotFound } from './errors.ts'
import { previewInvitation } from './preview-invitation.ts'

/** The session in which the password was chosen. */
export interface ChosenPassword extends NewSession, MailUnderWay {
  /** The hosts of removed webhooks, as in `InvitationPreview`. */
  readonly removedWebhookHosts: readonly string[]
}
/**
 * Spends a one-time link: sets the account's password, ends all of its sessions, and signs in. An invitation that replaces a password
 * also revokes the account's access tokens; it removes the account's identities, passkeys and webhooks, as a reset does. Tells the owner by
 * mail when it replaced a password. Remembers the address; when that fails, the address stays unknown, and no error is reported.
 * @errors `fields_invalid` when the password is too short, too long, among the most common ones, or holds the email's local part as a word;
 * then the link stays usable; `welcome_not_found`, also when it was spent in the meantime; `hasher_busy`
 */
export const choosePassword = useCase({
  needs: [
    ...previewInvitation.needs,
    ...tellOwnerNeeds,
    ...knownAddressesNeeds,
    ...hashPasswordNeeds,
    ...makeSessionNeeds,
    'invitations.spend',
    'textCipher.encryptText',
    'keyRing.follow',
  ],
  takes: {
    /** The token of the one-time link, as the browser sent it. */
    token: aString,
    /** The new password as it was typed: at least 15 code points, at most 1,024 bytes in NFC. */
    password: aString,
    /** The client's address, as in `signIn`. */
    address: aString,
  },
  async run(deps, { token, password, address }) {
    const { invitations, keyRing, digests, clock } = deps
    const preview = await previewInvitation(deps, { token })
    if (preview.isErr()) return preview
    const { account, replacesPassword, removedWebhookHosts } = preview.value
    const { id: accountId, email } = account
    const hashed = await hashNewPassword(deps, password, email)
    if (hashed.isErr()) return hashed
    const session = makeSession(deps, accountId)
    const spent = await underActiveKey(keyRing, () =>
      invitations.spend(digests.opaqueTokenDigest('welcome', token), {
        nowMicros: clock.nowMicros(),
        password: encryptPassword(deps, accountId, hashed.value),
        session: session.stored,
        sessionDigest: session.digest,
      }),
    )
    if (spent.isErr()) return spent
    if (!spent.value) return err(invitationNotFound)
    // The password is set and the link spent: an error here must not say that nothing happened.
    await rememberAddress(deps, { accountId, address }).unwrapOr(undefined)
    const mailed = replacesPassword ? tellOfNewPassword(deps, account) : okAsync(undefined)
    return ok<ChosenPassword>({ ...session.stored, token: session.token, removedWebhookHosts, mailed })
  },
})
