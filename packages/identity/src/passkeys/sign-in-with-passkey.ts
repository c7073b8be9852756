import type { Uuid } from '@sotto/core'
import { aString, anObject } from '@sotto/core/building-blocks'
import { err, ok, type Result } from 'neverthrow'
import { countAttempt, countAttemptNeeds } from '../passwords/attempt-sign-in.ts'
import type { SignInHeld } from '../passwords/errors.ts'
import { startSession, startSessionNeeds, type NewSession } from '../sessions/new-session.ts'
import { useCase } from '../use-case.ts'
import type { PasskeyRefused } from './errors.ts'
import { makeChallenge, makeChallengeNeeds } from './passkey-challenges.ts'
import { onPage } from './passkey-rules.ts'
import type { SentAssertion } from './passkey-verifier.ts'
import { isWrongPasskey, verifyPasskey, verifyPasskeyNeeds } from './verify-passkey.ts'

/** The challenge for a passkey to sign in with, in base64url: it can be used once, within 10 minutes, by whoever has it. */
export const beginPasskeySignIn = useCase({
  needs: makeChallengeNeeds,
  run: (deps) => Promise.resolve(ok(makeChallenge(deps, 'sign-in'))),
})

/** The session of somebody who signed in with a passkey. */
export interface SignedInWithPasskey extends NewSession {
  readonly passkeyId: Uuid
}
/**
 * Signs in whoever used a passkey: its authenticator names the account. What follows is as in `signIn`.
 * @errors `passkey_refused` with what is wrong, for the operator; `sign_in_locked` after 20 failed attempts an hour from the address,
 * those with passwords included; `sign_in_held`, as in `signIn`. A challenge that has expired, or is of another page, counts for nothing.
 */
export const signInWithPasskey = useCase({
  needs: [...verifyPasskeyNeeds, ...countAttemptNeeds, ...startSessionNeeds, 'accounts.find'],
  takes: {
    /** The passkey that was used, as the browser sent it. */
    assertion: anObject<SentAssertion>,
    ...onPage,
    /** The client's address, as in `signIn`. */
    address: aString,
  },
  async run(deps, { address, ...used }) {
    const verified = await countAttempt(
      deps,
      { buckets: [], address },
      () => verifyPasskey(deps, used, { purpose: 'sign-in' }),
      isWrongPasskey,
    )
    if (verified.isErr()) return verified
    const { id: passkeyId, accountId } = verified.value
    const account = await deps.accounts.find(accountId)
    if (account.isErr()) return account
    if (account.value?.isHeld === true) return err<never, SignInHeld>({ code: 'sign_in_held', accountId })
    const started = await startSession(deps, { authenticatorId: passkeyId, accountId }, address)
    // The passkey was deleted, or the account disabled, after it was read.
    return started.andThen((session): Result<SignedInWithPasskey, PasskeyRefused> =>
      session === undefined
        ? err({ code: 'passkey_refused', reason: 'unknown', accountId })
        : ok({ ...session, passkeyId }),
    )
  },
})
