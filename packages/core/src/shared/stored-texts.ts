import type { Scope } from '../access-tokens/access-token.ts'
import { noAttempts, type AttemptState } from './attempts.ts'

// How storages that have no type of their own for a value spell it. A move copies such columns as they are, so all storages spell them alike.

/** The scopes of an access token, with one space between them (RFC 6749, section 3.3). */
export function scopesText(scopes: readonly Scope[]): string {
  return scopes.join(' ')
}

/** The scopes that {@link scopesText} spelled. */
export function scopesOf(text: string): readonly Scope[] {
  return text === '' ? [] : (text.split(' ') as Scope[])
}

/** A state of attempts as JSON; `null` for one without attempts, as most are. */
export function attemptsText(state: AttemptState): string | null {
  const { underWay, wrongAtMicros, wrongTotal, lockedUntilMicros } = state
  const isEmpty = underWay.length + wrongAtMicros.length + wrongTotal === 0 && lockedUntilMicros === undefined
  return isEmpty ? null : JSON.stringify({ underWay, wrongAtMicros, wrongTotal, lockedUntilMicros })
}

/** The state that {@link attemptsText} spelled. Throws when it did not. */
export function attemptsOf(text: string | null): AttemptState {
  return text === null ? noAttempts : { ...noAttempts, ...(JSON.parse(text) as Partial<AttemptState>) }
}
