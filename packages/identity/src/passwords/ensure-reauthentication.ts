import type { AccountNotFound, PasswordWrong } from '@sotto/core'
import { aString, account, anObject, foundOr, isPasswordToVerify } from '@sotto/core/building-blocks'
import { err, ok } from 'neverthrow'
import { sessionNotFound } from '../sessions/errors.ts'
import { isReauthenticationFresh, type Session } from '../sessions/session.ts'
import { useCase } from '../use-case.ts'
import { attemptSignIn, attemptSignInNeeds } from './attempt-sign-in.ts'
import { reauthenticationRequired } from './errors.ts'

const passwordWrong: PasswordWrong = { code: 'password_wrong' }

/**
 * Makes sure, before something that a stolen session must not do, that the owner proved in the last 10 minutes who they are. If they did
 * not, the password of the account is needed, and a right one counts as re-authentication; `reauthenticateWithPasskey` and
 * `reauthenticateWithIdentity` take another authenticator. Failures count for the session, not for the account: failed attempts to sign in
 * from elsewhere do not keep the owner from entering the password here.
 * @errors `proof_required` when a proof is needed and none was given; `password_wrong`; `sign_in_locked` after 5 failures
 * in 10 minutes in this session, or 20 in an hour from the address, as in `signIn`; `hasher_busy`; `account_not_found` and
 * `session_not_found` when either has ended meanwhile
 */
export const ensureReauthentication = useCase({
  needs: [...attemptSignInNeeds, 'accounts.find', 'passwords.find', 'sessions.recordReauthentication'],
  takes: {
    ...account,
    session: anObject<Session>,
    /** The client's address, as in `signIn`. */
    address: aString,
  },
  mayTake: {
    /** The password as it was typed; `undefined` when nobody was asked for it. */
    password: aString,
  },
  async run(deps, { accountId, session, password, address }) {
    const { accounts, passwords, sessions, clock } = deps
    if (isReauthenticationFresh(session, clock.nowMicros())) return ok()
    if (password === undefined || password === '') return err(reauthenticationRequired)
    if (!isPasswordToVerify(password)) return err(passwordWrong)
    const found = await accounts.find(accountId)
    if (found.isErr()) return found
    if (found.value === undefined) return err<never, AccountNotFound>({ code: 'account_not_found' })
    const stored = await passwords.find(accountId)
    if (stored.isErr()) return stored
    const bucket = `session/${session.id}`
    const verified = await attemptSignIn(deps, { bucket, stored: stored.value, password, address })
    if (verified.isErr()) return verified
    if (!verified.value) return err(passwordWrong)
    const recorded = await sessions.recordReauthentication(session.id, clock.nowMicros())
    return recorded.andThen(foundOr(sessionNotFound))
  },
})
