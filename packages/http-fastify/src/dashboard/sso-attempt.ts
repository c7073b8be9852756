import { nilUuid, type Clock, type Policy, type TextCipher } from '@sotto/core'
import type { IncomingMessage } from 'node:http'
import { createCookie } from './cookies.ts'
import { encryptedText, parseEncryptedText } from './encrypted-text.ts'
import type { KeptFields } from './form.ts'
import type { ShownSingleSignOn } from './texts/dashboard-texts.ts'

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

/** Why a browser has gone to the provider. Whatever it comes back with is good for this only. */
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

/** Keeps an attempt in the browser, encrypted, for ten minutes. */
export interface SsoAttempts {
  /** The value of the Set-Cookie header. A form that is too long for a cookie is left out. */
  store(attempt: SsoAttempt): string
  /** What this browser has begun; `undefined` when there is nothing, or it is over, or was changed. */
  read(request: Pick<IncomingMessage, 'rawHeaders'>): SsoAttempt | undefined
  readonly remove: string
}

const lifetimeSeconds = 600
/** Browsers drop a cookie of more than 4,096 bytes, its name and attributes included. */
const valueMaxLength = 3_800
const place = { column: 'sso.attempt', accountId: nilUuid, rowId: nilUuid } as const

export function createSsoAttempts(
  { textCipher, clock }: Pick<SingleSignOn, 'textCipher' | 'clock'>,
  baseUrl: string,
): SsoAttempts {
  const cookie = createCookie(baseUrl, { name: 'sotto-sso', maxAgeSeconds: lifetimeSeconds })
  const seal = (attempt: SsoAttempt): string => {
    const endsAtMicros = clock.nowMicros() + lifetimeSeconds * 1_000_000
    return encryptedText(textCipher.encryptText(place, JSON.stringify({ ...attempt, endsAtMicros })))
  }
  return {
    store(attempt) {
      const whole = seal(attempt)
      return cookie.store(whole.length <= valueMaxLength ? whole : seal({ ...attempt, kept: undefined }))
    },
    read(request) {
      const sealed = parseEncryptedText(cookie.read(request) ?? '')
      const opened = sealed && textCipher.decryptText(place, sealed)
      if (opened?.isOk() !== true) return undefined
      const { endsAtMicros, ...attempt } = JSON.parse(opened.value) as SsoAttempt & { endsAtMicros: number }
      return clock.nowMicros() < endsAtMicros ? attempt : undefined
    },
    remove: cookie.remove,
  }
}

/** What the pages show of it. */
export function shownSingleSignOn(
  { label, issuer }: Pick<SingleSignOn, 'label' | 'issuer'>,
  { signIn }: Pick<Policy, 'signIn'>,
): ShownSingleSignOn {
  const formTargets = issuer.startsWith('https:') ? 'https:' : `https: ${new URL(issuer).origin}`
  return { label, issuer, hasPasswords: signIn?.passwords ?? true, formTargets }
}
