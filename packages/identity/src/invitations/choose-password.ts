import type { FieldsInvalid, HasherBusy, KeyRetired, TextCipher } from '@sotto/core'
import {
  type KeyRing,
  underActiveKey,
  tellOfNewPassword,
  type MailUnderWay,
  type TellOwnerDeps,
} from '@sotto/core/building-blocks'
import { err, ok, okAsync, ResultAsync, type Result } from 'neverthrow'
import type { InvitationStore } from './invitation-store.ts'
import {
  encryptPassword,
  hashNewPassword,
  type HashedPassword,
  type HashPasswordDeps,
} from '../passwords/account-passwords.ts'
import { rememberAddress, type KnownAddressesDeps } from '../sessions/known-addresses.ts'
import {
  previewInvitation,
  type PreviewInvitationDeps,
  type PreviewInvitationError,
} from './preview-invitation.ts'
import { makeSession, type NewSession } from '../sessions/sessions.ts'

export type ChoosePasswordDeps = PreviewInvitationDeps &
  TellOwnerDeps &
  KnownAddressesDeps &
  HashPasswordDeps & {
    readonly invitations: Pick<InvitationStore, 'spend'>
    readonly textCipher: Pick<TextCipher, 'encryptText'>
    readonly keyRing: Pick<KeyRing, 'follow'>
  }
export interface ChoosePasswordInput {
  /** The token of the one-time link, as the browser sent it. */
  readonly token: string
  /** The new password as it was typed: at least 15 code points, at most 1,024 bytes in NFC. */
  readonly password: string
  /** The client's address, as in `SignInInput`. */
  readonly address: string
}

/** The session in which the password was chosen. */
export interface ChosenPassword extends NewSession, MailUnderWay {
  /** The hosts of removed webhooks, as in `InvitationPreview`. */
  readonly removedWebhookHosts: readonly string[]
}
export type ChoosePasswordError = PreviewInvitationError | FieldsInvalid | HasherBusy | KeyRetired

/**
 * Spends a one-time link: sets the account's password, ends all of its sessions, and signs in. An invitation that replaces a password
 * also revokes the account's access tokens; it removes the account's identities, passkeys and webhooks, as a reset does. Tells the owner by
 * mail when it replaced a password. Remembers the address; when that fails, the address stays unknown, and no error is reported.
 * @errors `fields_invalid` when the password is too short, too long, among the most common ones, or holds the email's local part as a word;
 * then the link stays usable; `welcome_not_found`, also when it was spent in the meantime; `hasher_busy`
 */
export function choosePassword(
  deps: ChoosePasswordDeps,
  input: ChoosePasswordInput,
): ResultAsync<ChosenPassword, ChoosePasswordError> {
  return new ResultAsync(choose(deps, input))
}

async function choose(
  deps: ChoosePasswordDeps,
  { token, password, address }: ChoosePasswordInput,
): Promise<Result<ChosenPassword, ChoosePasswordError>> {
  const preview = await previewInvitation(deps, { token })
  if (preview.isErr()) return err(preview.error)
  const { account, replacesPassword, removedWebhookHosts } = preview.value
  const { id: accountId, email } = account
  const hashed = await hashNewPassword(deps, password, email)
  if (hashed.isErr()) return err(hashed.error)
  const session = await spend(deps, { token, accountId, hashed: hashed.value })
  if (session.isErr()) return err(session.error)
  // The password is set and the link spent: an error here must not say that nothing happened.
  await rememberAddress(deps, { accountId, address }).unwrapOr(undefined)
  const mailed = replacesPassword ? tellOfNewPassword(deps, account) : okAsync(undefined)
  return ok({ ...session.value, removedWebhookHosts, mailed })
}

async function spend(
  deps: ChoosePasswordDeps,
  chosen: { readonly token: string; readonly accountId: string; readonly hashed: HashedPassword },
): Promise<Result<NewSession, ChoosePasswordError>> {
  const { invitations, keyRing, digests, clock } = deps
  const { token, accountId, hashed } = chosen
  const session = makeSession(deps, accountId)
  const spent = await underActiveKey(keyRing, () =>
    invitations.spend(digests.opaqueTokenDigest('welcome', token), {
      nowMicros: clock.nowMicros(),
      password: encryptPassword(deps, accountId, hashed),
      session: session.stored,
      sessionDigest: session.digest,
    }),
  )
  if (spent.isErr()) return err(spent.error)
  return spent.value ? ok({ ...session.stored, token: session.token }) : err({ code: 'welcome_not_found' })
}
