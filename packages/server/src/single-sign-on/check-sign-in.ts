import {
  sessionsOverAt,
  type FullOpenStorage,
  type IdentityPolicy,
  type IdentityProvider,
  type RefusedAccount,
} from '@sotto/identity'
import type { Clock, Finding } from '@sotto/core'
import { counted, listed } from '../shared/text.ts'
import { bad, good, unchecked } from '../shared/finding.ts'

const check = 'sign-in'

/** The most accounts that are named; of more only the number is told. */
const namedMax = 20

/** What {@link checkSignIn} looks at. */
export interface SignInExamined {
  readonly storage: Pick<FullOpenStorage, 'identities'>
  readonly clock: Clock
  readonly policy: IdentityPolicy
  readonly baseUrl: string
  /** `undefined` where there is none. */
  readonly identityProvider: IdentityProvider | undefined
}

/**
 * Checks that the identity provider answers, and that no account of somebody who may not sign in any more has a password, passkey, session or
 * access token. Where there is no provider, and no account is held, it finds nothing.
 */
export async function checkSignIn(examined: SignInExamined): Promise<readonly Finding[]> {
  return [...(await checkProvider(examined)), ...(await checkRefused(examined))]
}

/** Where people also sign in with passwords, a provider that is down is no fault of this installation. */
async function checkProvider({
  identityProvider,
  policy,
  baseUrl,
}: SignInExamined): Promise<readonly Finding[]> {
  if (identityProvider === undefined) return []
  const { issuer } = identityProvider
  const redirectUri = new URL('/login/sso/callback', baseUrl).href
  const begun = await identityProvider.begin({ redirectUri, fresh: false })
  if (begun.isOk()) return [good(check, `the identity provider ${issuer} answers`)]
  const text = `the identity provider ${issuer} cannot be used (${begun.error.reason}): nobody signs in with it now`
  return [
    policy.signIn?.passwords !== false
      ? unchecked(check, text)
      : bad(check, `${text}, and passwords are off: sotto account invite makes a one-time link`),
  ]
}

/** The last sign-in says who is not allowed any more. Where the settings allow nobody, every held account counts. */
async function checkRefused({
  storage,
  clock,
  policy,
  identityProvider,
}: SignInExamined): Promise<readonly Finding[]> {
  const evenAllowed = identityProvider === undefined || (policy.signIn?.allowed ?? []).length === 0
  const nowMicros = clock.nowMicros()
  const options = { nowMicros, sessionsOver: sessionsOverAt(nowMicros), evenAllowed, limit: 10_000 }
  const found = await storage.identities.refusedWithAccess(options)
  if (found.isErr()) return [unchecked(check, 'the database cannot be read')]
  const accounts = found.value
  if (accounts.length === 0) return []
  const named = accounts.slice(0, namedMax).map((each) => `${each.accountId} (${accessText(each)})`)
  const more = accounts.length > namedMax ? ` and ${accounts.length - namedMax} more` : ''
  return [
    bad(
      check,
      `${counted(accounts.length, 'account')} whose owner may not sign in any more can still be used: ${listed(named)}${more}; see sotto ` +
        'account list, then sotto account disable, or sotto account release',
    ),
  ]
}

function accessText({ hasPassword, passkeys, sessions, accessTokens }: RefusedAccount): string {
  const texts = [
    hasPassword && 'a password',
    passkeys > 0 && counted(passkeys, 'passkey'),
    sessions > 0 && counted(sessions, 'session'),
    accessTokens > 0 && counted(accessTokens, 'access token'),
  ]
  return listed(texts.filter((text) => text !== false))
}
