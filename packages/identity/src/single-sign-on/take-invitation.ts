import {
  aString,
  newId,
  tellOfNewPassword,
  tellOwnerNeeds,
  underActiveKey,
} from '@sotto/core/building-blocks'
import { err, ok, okAsync } from 'neverthrow'
import { identitiesMax } from '../authenticators/identity.ts'
import type { ChosenPassword } from '../invitations/choose-password.ts'
import { invitationNotFound } from '../invitations/errors.ts'
import { previewInvitation } from '../invitations/preview-invitation.ts'
import { knownAddressesNeeds, rememberAddress } from '../sessions/known-addresses.ts'
import { makeSession, makeSessionNeeds } from '../sessions/new-session.ts'
import { useCase } from '../use-case.ts'
import {
  encryptIdentity,
  identityIndexes,
  proveIdentity,
  proveIdentityNeeds,
  providerSessionDigest,
  ssoCallback,
} from './prove-identity.ts'
import { sessionProofMicros } from './single-sign-on.ts'

/** The session of somebody who took an invitation with an identity. */
export type TakenInvitation = ChosenPassword

/**
 * Spends a one-time link with the identity of whoever comes back from the identity provider, instead of a password, as `choosePassword` does; the
 * account has no password afterwards. The identity may have another email address than the account: the link proves whom the operator means.
 * @errors `welcome_not_found`; `identity_taken` when another account has the identity, and `identity_limit_reached`: then the link stays usable;
 * `sso_refused` when what came back proves nothing; `identity_provider_unreachable`
 */
export const takeInvitation = useCase({
  needs: [
    ...previewInvitation.needs,
    ...proveIdentityNeeds,
    ...makeSessionNeeds,
    ...tellOwnerNeeds,
    ...knownAddressesNeeds,
    'identities.takeInvitation',
    'textCipher.encryptText',
    'keyRing.refresh',
    'keyRing.follow',
  ],
  takes: {
    ...ssoCallback,
    /** The token of the one-time link, as the browser sent it before it went to the provider. */
    token: aString,
    /** The client's address, as in `signIn`. */
    address: aString,
  },
  async run(deps, { token, address, ...callback }) {
    const { identities, keyRing, digests, clock, random } = deps
    const preview = await previewInvitation(deps, { token })
    if (preview.isErr()) return preview
    const proven = await proveIdentity(deps, callback)
    if (proven.isErr()) return proven
    const { account, replacesPassword, removedWebhookHosts } = preview.value
    const accountId = account.id
    const nowMicros = clock.nowMicros()
    const session = makeSession(deps, accountId, sessionProofMicros(proven.value, nowMicros))
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
          identity: encryptIdentity(deps, proven.value, columns),
          indexes: identityIndexes(digests, proven.value),
          session: session.stored,
          sessionDigest: session.digest,
          providerSession: providerSessionDigest(digests, proven.value),
        },
        identitiesMax,
      ),
    )
    if (taken.isErr()) return taken
    if (!taken.value) return err(invitationNotFound)
    // The link is spent: an error here must not say that nothing happened.
    await rememberAddress(deps, { accountId, address }).unwrapOr(undefined)
    const mailed = replacesPassword ? tellOfNewPassword(deps, account) : okAsync(undefined)
    return ok<TakenInvitation>({ ...session.stored, token: session.token, removedWebhookHosts, mailed })
  },
})
