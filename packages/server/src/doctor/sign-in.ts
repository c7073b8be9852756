import type { Clock, Finding, IdentityProvider, OpenStorage, Policy } from '@sotto/core'
import { counted, listed } from '../text.ts'
import { bad, good, unchecked } from './finding.ts'

const check = 'sign-in'

/** Accounts that are named; of more only the number is told. */
const namedMax = 20

/** What {@link checkSignIn} looks at. */
export interface SignInExamined {
  readonly storage: Pick<OpenStorage, 'identities'>
  readonly clock: Clock
  readonly policy: Pick<Policy, 'signIn'>
  readonly baseUrl: string
  /** `undefined` where there is none. */
  readonly identityProvider: IdentityProvider | undefined
}

/**
 * Checks that the identity provider answers, and that nobody who may not sign in any more has access tokens. Where there is no provider, and
 * no account was made for an identity, it finds nothing.
 */
export async function checkSignIn(examined: SignInExamined): Promise<readonly Finding[]> {
  return [...(await checkProvider(examined)), ...(await checkTokens(examined))]
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

/** The last sign-in says who is not allowed any more. Where the settings allow nobody, everybody with an identity of the origin `allowed` counts. */
async function checkTokens({
  storage,
  clock,
  policy,
  identityProvider,
}: SignInExamined): Promise<readonly Finding[]> {
  const evenAllowed = identityProvider === undefined || (policy.signIn?.allowed ?? []).length === 0
  const found = await storage.identities.withTokens({
    nowMicros: clock.nowMicros(),
    evenAllowed,
    limit: 10_000,
  })
  if (found.isErr()) return [unchecked(check, 'the database cannot be read')]
  const accounts = [...new Set(found.value.map(({ accountId }) => accountId))]
  if (accounts.length === 0) return []
  const more = accounts.length > namedMax ? ` and ${accounts.length - namedMax} more` : ''
  const has = accounts.length === 1 ? 'has' : 'have'
  return [
    bad(
      check,
      `${counted(accounts.length, 'account')} whose owner may not sign in any more ${has} access tokens that work: ` +
        `${listed(accounts.slice(0, namedMax))}${more}; see sotto account list, then sotto token revoke or sotto account disable`,
    ),
  ]
}
