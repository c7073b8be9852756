import { type Uuid, emailError, normalizeEmail } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { reauthenticationMicros } from '../sessions/session.ts'
import type { IdentityRefusal, IdentityRefused } from './errors.ts'
import type { MoreDetails, ProvenIdentity } from './identity-provider.ts'
import type { AllowedIdentities } from '../sessions/sign-in-policy.ts'

const domainShape = /^[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*$/u

/** Reads `group:NAME` or `domain:example.org`; `undefined` when it is something else. */
export function parseAllowed(text: string): AllowedIdentities | undefined {
  const [, kind, value = ''] = /^(group|domain):(.+)$/s.exec(text) ?? []
  if (kind === 'group') return { kind, name: value }
  const domain = value.normalize('NFC').toLowerCase()
  return kind === 'domain' && domainShape.test(domain) ? { kind, domain } : undefined
}

/** What is known of an identity that has been stored. */
export interface KnownIdentity {
  readonly accountId: Uuid
  readonly accountDisabled: boolean
  readonly accountHeld: boolean
}

/** What to do about somebody whom the identity provider knows. */
export interface SignInQuestion {
  readonly proven: Pick<ProvenIdentity, 'email' | 'emailVerified' | 'groups'>
  readonly known: KnownIdentity | undefined
  /** Whether an account has the address that the provider names. It matters only where an account would be made. */
  readonly isAddressTaken: boolean
  /** Any of them suffices; with none nobody is allowed. */
  readonly allowed: readonly AllowedIdentities[]
}

/** The account to sign in to, or the address of one to be made. */
export type SignInDecision =
  | { readonly kind: 'sign_in'; readonly accountId: Uuid }
  | { readonly kind: 'make_account'; readonly email: string }

/**
 * Decides whether somebody is signed in. An identity of a held account has to be allowed each time, however it came to the account; that of
 * another account does not. An unknown one gets an account of its own when it is allowed, with an address that the provider vouches
 * for and no account has: no account is ever found by its address.
 */
export function decideSignIn({
  proven,
  known,
  isAddressTaken,
  allowed,
}: SignInQuestion): Result<SignInDecision, IdentityRefused> {
  if (known !== undefined) {
    const { accountId, accountDisabled, accountHeld } = known
    if (accountDisabled) return refused('account_disabled', accountId)
    const isRefused = accountHeld && !isAllowed(proven, allowed)
    return isRefused ? refused('not_allowed', accountId) : ok({ kind: 'sign_in', accountId })
  }
  if (allowed.length === 0) return refused('unknown')
  const email = verifiedEmail(proven)
  if (email === undefined) return refused('unverified')
  if (!isAllowed(proven, allowed)) return refused('not_allowed')
  return isAddressTaken ? refused('address_taken') : ok({ kind: 'make_account', email })
}

/** Whether details that the provider has not said yet may change the decision. */
export function isMoreNeeded(
  question: Omit<SignInQuestion, 'isAddressTaken'>,
  more: Pick<MoreDetails, 'email' | 'groups'>,
): boolean {
  const decided = decideSignIn({ ...question, isAddressTaken: false })
  if (decided.isOk()) return false
  switch (decided.error.reason) {
    case 'unverified':
      return more.email
    case 'not_allowed':
      return question.allowed.some(({ kind }) => (kind === 'group' ? more.groups : more.email))
    default:
      return false
  }
}

/** The address that the provider vouches for, normalised; `undefined` when there is none that an account may have. */
export function verifiedEmail({
  email = '',
  emailVerified,
}: Pick<ProvenIdentity, 'email' | 'emailVerified'>): string | undefined {
  const normalized = normalizeEmail(email)
  return emailVerified && emailError(normalized) === undefined ? normalized : undefined
}

/** Group names are compared exactly, domains but for case. A domain counts only in an address that the provider vouches for. */
function isAllowed(proven: SignInQuestion['proven'], allowed: readonly AllowedIdentities[]): boolean {
  const domain = verifiedEmail(proven)?.replace(/^.*@/s, '')
  return allowed.some((each) =>
    each.kind === 'group' ? proven.groups.includes(each.name) : each.domain === domain,
  )
}

function refused(reason: IdentityRefusal, accountId?: Uuid): Result<never, IdentityRefused> {
  return err({ code: 'identity_refused', reason, ...(accountId === undefined ? {} : { accountId }) })
}

/** Clocks of this service and of the provider may differ by 60 s. */
const clockDifferenceMicros = 60_000_000

/**
 * When the person signed in at the provider, if that is fresh enough for what needs a re-authentication; `undefined` otherwise, and when the provider
 * does not say.
 */
export function freshSignInMicros(
  { authenticatedAtMicros }: Pick<ProvenIdentity, 'authenticatedAtMicros'>,
  nowMicros: number,
): number | undefined {
  if (authenticatedAtMicros === undefined || authenticatedAtMicros > nowMicros + clockDifferenceMicros)
    return undefined
  const atMicros = Math.min(authenticatedAtMicros, nowMicros)
  return nowMicros - atMicros < reauthenticationMicros ? atMicros : undefined
}

/**
 * When a new session counts as re-authenticated last: when the person signed in at the provider, which may be long ago, or now where the provider
 * does not say.
 */
export function sessionProofMicros(
  proven: Pick<ProvenIdentity, 'authenticatedAtMicros'>,
  nowMicros: number,
): number {
  if (proven.authenticatedAtMicros === undefined) return nowMicros
  return freshSignInMicros(proven, nowMicros) ?? nowMicros - reauthenticationMicros
}
