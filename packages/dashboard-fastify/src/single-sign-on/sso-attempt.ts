import type { IdentityPolicy } from '@sotto/identity'
import { nilUuid, type Clock, type TextCipher } from '@sotto/core'
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createCookies } from '../sessions/cookies.ts'
import { encryptedText, parseEncryptedText } from '../shared/encrypted-text.ts'
import type { KeptFields } from '../shared/form.ts'
import type { ShownSingleSignOn } from '../shared/localized.ts'

/** The identity provider that people can sign in at, and what encrypts the cookie of a browser that has gone there. */
export interface SingleSignOn {
  /** How the pages call the provider: the button says *Sign in with {label}*. */
  readonly label: string
  /** `Ports.identityProvider.issuer`. */
  readonly issuer: string
  /** `Ports.textCipher`. */
  readonly textCipher: Pick<TextCipher, 'encryptText' | 'decryptText'>
  /** `Ports.clock`. */
  readonly clock: Clock
}

/** Why a browser has gone to the provider. What it comes back with counts for this purpose only. */
export type SsoPurpose = 'sign_in' | 'connect' | 'invitation' | 'proof'

export interface SsoAttempt {
  readonly purpose: SsoPurpose
  /** The session that began it, the token of the invitation, or empty: nobody else's browser can finish it for somebody. */
  readonly boundTo: string
  /** Where to go afterwards: a path of ours. */
  readonly next: string
  /** What `beginSso` answered. */
  readonly pending: string
  /** The form that waits for a proof. */
  readonly kept?: KeptFields | undefined
}

/**
 * Keeps attempts in the browser, encrypted, for ten minutes: each in a cookie of its own, so that several can be under way in one browser. The name
 * ends with a digest of the state, by which the provider sends the browser back.
 */
export interface SsoAttempts {
  /**
   * The values of the Set-Cookie headers: that of the attempt, and those that remove the oldest ones, where there are too many. A form that is
   * too long for a cookie is left out.
   */
  store(request: WithCookies, state: string, attempt: SsoAttempt): readonly string[]
  /** What this browser has begun with the state; `undefined` when there is nothing, or it is over, or was changed. */
  read(request: WithCookies, state: string): SsoAttempt | undefined
  remove(state: string): string
}

type WithCookies = Pick<IncomingMessage, 'rawHeaders'>

const lifetimeSeconds = 600
/** The longest value: browsers drop a cookie of more than 4,096 bytes, its name and attributes included. */
const valueMaxLength = 3_800
/** The most attempts in one browser. Together they are half of what a request's headers may have. */
const attemptsMax = 5
const allMaxLength = 8_192
const place = { column: 'sso.attempt', accountId: nilUuid, rowId: nilUuid } as const

export function createSsoAttempts(
  { textCipher, clock }: Pick<SingleSignOn, 'textCipher' | 'clock'>,
  baseUrl: string,
): SsoAttempts {
  const cookies = createCookies(baseUrl, { name: 'sotto-sso', maxAgeSeconds: lifetimeSeconds })
  const seal = (attempt: SsoAttempt): string => {
    const endsAtMicros = clock.nowMicros() + lifetimeSeconds * 1_000_000
    return encryptedText(textCipher.encryptText(place, JSON.stringify({ ...attempt, endsAtMicros })))
  }
  const opened = (value: string): (SsoAttempt & { readonly endsAtMicros: number }) | undefined => {
    const sealed = parseEncryptedText(value)
    const text = sealed && textCipher.decryptText(place, sealed)
    return text?.isOk() === true
      ? (JSON.parse(text.value) as SsoAttempt & { endsAtMicros: number })
      : undefined
  }
  /** The newest come first, and what cannot be read last. */
  const stored = (request: WithCookies) =>
    cookies
      .ends(request)
      .map((end) => {
        const cookie = cookies.of(end)
        const values = cookie.readAll(request)
        const length = values.join('').length
        return { cookie, length, endsAtMicros: opened(values.join())?.endsAtMicros ?? 0 }
      })
      .sort((one, other) => other.endsAtMicros - one.endsAtMicros)

  return {
    store(request, state, attempt) {
      const whole = seal(attempt)
      const value = whole.length <= valueMaxLength ? whole : seal({ ...attempt, kept: undefined })
      let left = allMaxLength - value.length
      const surplus = stored(request).filter(({ length }, at) => {
        left -= length
        return at + 1 >= attemptsMax || left < 0
      })
      return [cookies.of(endOf(state)).store(value), ...surplus.map(({ cookie }) => cookie.remove)]
    },
    read(request, state) {
      const found = opened(cookies.of(endOf(state)).read(request) ?? '')
      if (found === undefined) return undefined
      const { endsAtMicros, ...attempt } = found
      return clock.nowMicros() < endsAtMicros ? attempt : undefined
    },
    remove: (state) => cookies.of(endOf(state)).remove,
  }
}

/** The end of a cookie's name, which hides the state, as the value of the cookie does: 22 characters. */
function endOf(state: string): string {
  return createHash('sha256').update(state).digest().subarray(0, 16).toString('base64url')
}

/** What the pages show of it. */
export function shownSingleSignOn(
  { label, issuer }: Pick<SingleSignOn, 'label' | 'issuer'>,
  { signIn }: IdentityPolicy,
): ShownSingleSignOn {
  const formTargets = issuer.startsWith('https:') ? 'https:' : `https: ${new URL(issuer).origin}`
  return { label, issuer, hasPasswords: signIn?.passwords ?? true, formTargets }
}
