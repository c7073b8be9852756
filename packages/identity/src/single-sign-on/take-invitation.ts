import type { Uuid, KeyRetired, TextCipher } from '@sotto/core'
import {
  type KeyRing,
  underActiveKey,
  newId,
  tellOfNewPassword,
  type TellOwnerDeps,
} from '@sotto/core/building-blocks'
import { err, ok, okAsync, ResultAsync, type Result } from 'neverthrow'
import { identitiesMax } from '../authenticators/identity.ts'
import type {
  IdentityLimitReached,
  IdentityProviderUnreachable,
  IdentityTaken,
  SsoRefused,
} from './errors.ts'
import type { IdentityProvider, ProvenIdentity } from './identity-provider.ts'
import type { IdentityStore } from './identity-store.ts'
import { sessionProofMicros } from './single-sign-on.ts'
import type { ChosenPassword } from '../invitations/choose-password.ts'
import {
  encryptIdentity,
  identityIndexes,
  proveIdentity,
  providerSessionDigest,
  type SsoCallback,
} from './identities.ts'
import { rememberAddress, type KnownAddressesDeps } from '../sessions/known-addresses.ts'
import {
  previewInvitation,
  type PreviewInvitationDeps,
  type PreviewInvitationError,
} from '../invitations/preview-invitation.ts'
import { makeSession, type NewSession } from '../sessions/sessions.ts'

export type TakeInvitationDeps = PreviewInvitationDeps &
  TellOwnerDeps &
  KnownAddressesDeps & {
    readonly identityProvider?: Pick<IdentityProvider, 'finish'> | undefined
    readonly identities: Pick<IdentityStore, 'takeInvitation'>
    readonly textCipher: Pick<TextCipher, 'encryptText'>
    readonly keyRing: Pick<KeyRing, 'refresh' | 'follow'>
  }
export interface TakeInvitationInput extends SsoCallback {
  /** The token of the one-time link, as the browser sent it before it went to the provider. */
  readonly token: string
  /** The client's address, as in `SignInInput`. */
  readonly address: string
}

/** The session of somebody who took an invitation with an identity. */
export type TakenInvitation = ChosenPassword
export type TakeInvitationError =
  | PreviewInvitationError
  | IdentityProviderUnreachable
  | SsoRefused
  | IdentityTaken
  | IdentityLimitReached
  | KeyRetired

/**
 * Spends a one-time link with the identity of whoever comes back from the identity provider, instead of a password, as `choosePassword` does; the
 * account has no password afterwards. The identity may have another email address than the account: the link proves whom the operator means.
 * @errors `welcome_not_found`; `identity_taken` when another account has the identity, and `identity_limit_reached`: then the link stays usable;
 * `sso_refused` when what came back proves nothing; `identity_provider_unreachable`
 */
export function takeInvitation(
  deps: TakeInvitationDeps,
  input: TakeInvitationInput,
): ResultAsync<TakenInvitation, TakeInvitationError> {
  return new ResultAsync(proveAndTake(deps, input))
}

async function proveAndTake(
  deps: TakeInvitationDeps,
  { token, address, ...callback }: TakeInvitationInput,
): Promise<Result<TakenInvitation, TakeInvitationError>> {
  const preview = await previewInvitation(deps, { token })
  if (preview.isErr()) return err(preview.error)
  const proven = await proveIdentity(deps, callback)
  if (proven.isErr()) return err(proven.error)
  const { account, replacesPassword, removedWebhookHosts } = preview.value
  const accountId = account.id
  const session = await take(deps, { token, accountId, proven: proven.value })
  if (session.isErr()) return err(session.error)
  // The link is spent: an error here must not say that nothing happened.
  await rememberAddress(deps, { accountId, address }).unwrapOr(undefined)
  const mailed = replacesPassword ? tellOfNewPassword(deps, account) : okAsync(undefined)
  return ok({ ...session.value, removedWebhookHosts, mailed })
}

async function take(
  deps: TakeInvitationDeps,
  taking: { readonly token: string; readonly accountId: Uuid; readonly proven: ProvenIdentity },
): Promise<Result<NewSession, TakeInvitationError>> {
  const { identities, keyRing, digests, clock, random } = deps
  const { token, accountId, proven } = taking
  const nowMicros = clock.nowMicros()
  const session = makeSession(deps, accountId, sessionProofMicros(proven, nowMicros))
  const columns = {
    id: newId(random, nowMicros),
    accountId,
    origin: 'invited',
    createdAtMicros: nowMicros,
  } as const
  // An identity under a key that this process has not read yet would not be found.
  keyRing.refresh()
  const taken = await underActiveKey(keyRing, () =>
    identities.takeInvitation(
      digests.opaqueTokenDigest('welcome', token),
      {
        nowMicros,
        identity: encryptIdentity(deps, proven, columns),
        indexes: identityIndexes(digests, proven),
        session: session.stored,
        sessionDigest: session.digest,
        providerSession: providerSessionDigest(digests, proven),
      },
      identitiesMax,
    ),
  )
  if (taken.isErr()) return err(taken.error)
  return taken.value ? ok({ ...session.stored, token: session.token }) : err({ code: 'welcome_not_found' })
}
