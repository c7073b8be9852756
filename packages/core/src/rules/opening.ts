import { isExpired } from '../entities/secret.ts'
import type { LinkRecord } from '../ports/link-store.ts'
import { isDisabled } from './attempts.ts'

/** Whether a link can be opened at all, its password aside: alive, not used up, its note there, not disabled by guessing. */
export function isOpenable({ secret, state }: LinkRecord, nowMicros: number): boolean {
  if (isExpired(secret.link.expiresAtMicros, nowMicros) || !state.hasNote) return false
  return opensLeft(secret.openLimit, state.opens) !== 0 && !isDisabled(state.attempts)
}

/** Opens that remain after `opens` of them; `undefined` without limit. */
export function opensLeft(openLimit: number, opens: number): number | undefined {
  return openLimit === 0 ? undefined : Math.max(0, openLimit - opens)
}

/**
 * Opens up to which a link without limit remembers the forms: whoever holds it could make it remember more and more of them. One that
 * comes again after that is counted as another open.
 */
export const formsRememberedMax = 100_000
