import { parseUuid, type Uuid } from '../entities/uuid.ts'
import { allScopes, type Scope } from '../entities/access-token.ts'
import type { FaultRule, FieldFault } from '../errors.ts'
import { codePointCount, hasControlCharacter, hasLoneSurrogate, utf8ByteLength } from './text.ts'

/** Bounds that no installation changes. Lengths of labels count code points, those of passwords bytes of UTF-8. */
export const bounds = {
  labelMaxCodePoints: 255,
  openLimitMax: 1_000_000,
  passwordMaxBytes: 1_024,
  emailMaxCodePoints: 254,
  tokenLifetimeMaxDays: 3_650,
} as const

/** What somebody wants kept. */
export interface NewSecret {
  /** 1 to 255 code points, no control characters. */
  readonly label: string
  /** 1 byte to the installation's `noteMaxBytes` of UTF-8, kept exactly as given; no NUL, no lone surrogates. */
  readonly note: string
  readonly folderId: string
  /** How often it can be opened, 0 to 1,000,000; 0, the default, means without limit. */
  readonly openLimit?: number | undefined
  /** False by default. */
  readonly notify?: boolean | undefined
  /** 1 to 1,024 bytes of UTF-8, no NUL, no lone surrogates. Without it, whoever has the link can open it. */
  readonly password?: string | undefined
}

/** The faults of those fields that are there. The folder's existence is not judged here. */
export function newSecretFaults(secret: Partial<NewSecret>, noteMaxBytes: number): FieldFault[] {
  const { label, note, openLimit, password } = secret
  const faults: FieldFault[] = []
  if (label !== undefined) addFault(faults, 'label', labelFault(label))
  if (note !== undefined) addFault(faults, 'note', bytesFault(note, noteMaxBytes))
  if (openLimit !== undefined) addFault(faults, 'openLimit', openLimitFault(openLimit))
  if (password !== undefined) addFault(faults, 'password', bytesFault(password, bounds.passwordMaxBytes))
  return faults
}

/** A fault of a label, a name or the like, or `undefined`. */
export function labelFault(label: string): Fault | undefined {
  if (label === '') return { rule: 'empty' }
  if (hasLoneSurrogate(label)) return { rule: 'lone_surrogate' }
  if (hasControlCharacter(label)) return { rule: 'control_character' }
  const limit = bounds.labelMaxCodePoints
  return codePointCount(label) > limit ? { rule: 'too_long', limit } : undefined
}

/** The email under which an account is known: trimmed, composed (NFC), lower case. */
export function normalizeEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

/** A fault of a normalised email, or `undefined`. Only its outline is judged: whether mail arrives, mail alone can tell. */
export function emailFault(email: string): Fault | undefined {
  const limit = bounds.emailMaxCodePoints
  if (codePointCount(email) > limit) return { rule: 'too_long', limit }
  const fits = /^[^\s@\p{Cc}\p{Surrogate}]+@[^\s@\p{Cc}\p{Surrogate}]+$/u.test(email)
  return fits ? undefined : { rule: 'not_an_email' }
}

/** The scopes named, each once and in the usual order; `undefined` when one is unknown or none is named. */
export function parseScopes(names: readonly string[]): readonly Scope[] | undefined {
  if (names.length === 0 || names.some((name) => !allScopes.includes(name as Scope))) return undefined
  return allScopes.filter((scope) => names.includes(scope))
}

/** A fault of a token's lifetime in seconds, or `undefined`. */
export function tokenLifetimeFault(seconds: number): Fault | undefined {
  const limit = bounds.tokenLifetimeMaxDays * 86_400
  return Number.isInteger(seconds) && seconds > 0 && seconds <= limit
    ? undefined
    : { rule: 'out_of_range', limit }
}

/** The id of a folder as somebody wrote it; a malformed one finds nothing, like an unknown one. */
export function folderIdOf(text: string, whenMalformed: Uuid): Uuid {
  return parseUuid(text) ?? whenMalformed
}

export interface Fault {
  readonly rule: FaultRule
  readonly limit?: number
}

export function addFault(faults: FieldFault[], field: string, fault: Fault | undefined): void {
  if (fault !== undefined) faults.push({ field, ...fault })
}

function bytesFault(text: string, limit: number): Fault | undefined {
  if (text === '') return { rule: 'empty' }
  if (hasLoneSurrogate(text)) return { rule: 'lone_surrogate' }
  if (text.includes('\0')) return { rule: 'nul_character' }
  // No unit takes more than three bytes, so most texts need no counting.
  if (text.length * 3 <= limit) return undefined
  return utf8ByteLength(text) > limit ? { rule: 'too_long', limit } : undefined
}

function openLimitFault(openLimit: number): Fault | undefined {
  const limit = bounds.openLimitMax
  return Number.isInteger(openLimit) && openLimit >= 0 && openLimit <= limit
    ? undefined
    : { rule: 'out_of_range', limit }
}
