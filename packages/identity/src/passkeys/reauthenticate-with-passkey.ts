import { aString, account, anObject, base64From, foundOr, urlAlphabet } from '@sotto/core/building-blocks'
import { ok } from 'neverthrow'
import { countAttempt, countAttemptNeeds } from '../passwords/attempt-sign-in.ts'
import { sessionNotFound } from '../sessions/errors.ts'
import { isReauthenticationFresh, type Session } from '../sessions/session.ts'
import { useCase } from '../use-case.ts'
import { makeChallenge, makeChallengeNeeds } from './passkey-challenges.ts'
import { isWrongPasskey, verifyPasskey, verifyPasskeyNeeds, type UsedPasskey } from './verify-passkey.ts'

/** What a browser needs to use one of an account's passkeys. */
export interface PasskeyProofBeginning {
  /** The challenge, as in `beginPasskey`. */
  readonly challenge: string
  /** The ids of the account's passkeys for this host, in base64url. */
  readonly known: readonly string[]
}

/** Begins to prove with a passkey whose session this is, for `ensureReauthentication`. `undefined` when the account has none for this host. */
export const beginPasskeyProof = useCase({
  needs: [...makeChallengeNeeds, 'passkeys.list'],
  takes: {
    ...account,
    /** The session that asks. */
    sessionId: aString,
    /** The relying party id of the page that asks. */
    rpId: aString,
  },
  async run(deps, { accountId, sessionId, rpId }) {
    const all = await deps.passkeys.list(accountId)
    return all.map((passkeys): PasskeyProofBeginning | undefined => {
      const known = passkeys
        .filter((passkey) => passkey.rpId === rpId)
        .map(({ credentialId }) => base64From(credentialId, urlAlphabet))
      return known.length === 0 ? undefined : { challenge: makeChallenge(deps, `proof/${sessionId}`), known }
    })
  },
})

/**
 * Makes a session fresh with a passkey of its account, as the password does in `ensureReauthentication`, with which it shares the count of
 * failures. A session that is fresh stays as it is.
 * @errors `passkey_refused`; `sign_in_locked`, as in `ensureReauthentication`; `session_not_found`
 */
export const reauthenticateWithPasskey = useCase({
  needs: [...countAttemptNeeds, ...verifyPasskeyNeeds, 'sessions.recordReauthentication'],
  takes: {
    ...account,
    session: anObject<Session>,
    /** A passkey of the account that was used for the challenge of `beginPasskeyProof`. */
    passkey: anObject<UsedPasskey>,
    /** The client's address, as in `signIn`. */
    address: aString,
  },
  async run(deps, { accountId, session, passkey, address }) {
    if (isReauthenticationFresh(session, deps.clock.nowMicros())) return ok()
    const proven = await countAttempt(
      deps,
      { buckets: [`session/${session.id}`], address },
      () => verifyPasskey(deps, passkey, { purpose: `proof/${session.id}`, accountId }),
      isWrongPasskey,
    )
    if (proven.isErr()) return proven
    const recorded = await deps.sessions.recordReauthentication(session.id, deps.clock.nowMicros())
    return recorded.andThen(foundOr(sessionNotFound))
  },
})
