import type { Scope } from '../accounts/caller.ts'

// How storages that have no type of their own for a value spell it. A move copies such columns as they are, so all storages spell them alike.
/** The scopes of an access token, with one space between them (RFC 6749, section 3.3). */
export function scopesText(scopes: readonly Scope[]): string {
  return scopes.join(' ')
}

/** The scopes that {@link scopesText} spelled. */
export function scopesOf(text: string): readonly Scope[] {
  return text === '' ? [] : (text.split(' ') as Scope[])
}
