import type { Scope } from './caller.ts'

// Storages have no type of their own for scopes. A move copies the column as it is, so all storages spell it alike.

/** The scopes of an access token, with one space between them (RFC 6749, section 3.3). */
export function scopesText(scopes: readonly Scope[]): string {
  return scopes.join(' ')
}

/** The scopes that {@link scopesText} spelled. */
export function scopesOf(text: string): readonly Scope[] {
  return text === '' ? [] : (text.split(' ') as Scope[])
}
