import { allScopes, type Scope } from '../access-tokens/access-token.ts'
import type { FieldError, FieldRule, NewSecretRule } from '../errors.ts'
import { hasUnseen, isSeen } from './shown-text.ts'
import { codePointCount, hasControlCharacter, hasLoneSurrogate, utf8ByteLength } from './text.ts'

/** Bounds that no installation changes. Lengths of labels count code points, those of passwords bytes of UTF-8. */
export const bounds = {
  labelMaxCodePoints: 255,
  shortNameMaxCodePoints: 60,
  openLimitMax: 1_000_000,
  passwordMaxBytes: 1_024,
  emailMaxCodePoints: 254,
  tokenLifetimeMaxDays: 3_650,
  /** Secrets and drafts that one call deletes. */
  deletedMax: 100,
} as const

/** What a new secret or draft consists of. */
export interface NewSecret {
  /** 1 to 255 code points, nothing that people do not see. */
  readonly label: string
  /** The text: 1 byte to the installation's `noteMaxBytes` of UTF-8, stored exactly as given; no NUL, no lone surrogates. */
  readonly note: string
  readonly folderId: string
  /** How often it can be opened, 1 to 1,000,000; without limit by default. */
  readonly openLimit?: number | undefined
  /** False by default. */
  readonly notify?: boolean | undefined
  /** 1 to 1,024 bytes of UTF-8, no NUL, no lone surrogates. Without one, anybody who has the link can open it. */
  readonly password?: string | undefined
}

/** What is wrong with those fields that are given. Whether the folder exists is checked elsewhere. */
export function newSecretErrors(
  secret: Partial<NewSecret>,
  noteMaxBytes: number,
): FieldError<NewSecretRule>[] {
  const { label, note, openLimit, password } = secret
  const errors: FieldError<NewSecretRule>[] = []
  if (label !== undefined) addError(errors, 'label', labelError(label))
  if (note !== undefined) addError(errors, 'note', bytesError(note, noteMaxBytes))
  if (openLimit !== undefined) addError(errors, 'openLimit', openLimitError(openLimit))
  if (password !== undefined) addError(errors, 'password', passwordError(password))
  return errors
}

/** The rule that a text breaks which people are shown, such as a label or a name; `undefined` when it breaks none. */
export function labelError(
  label: string,
  limit: number = bounds.labelMaxCodePoints,
): RuleBroken<NewSecretRule> | undefined {
  return comparedTextError(label, limit) ?? shownTextError(label)
}

/** The rule that a display name or the name of a session breaks. */
export function shortNameError(name: string): RuleBroken | undefined {
  return labelError(name, bounds.shortNameMaxCodePoints)
}

/** The rule that a text breaks which is only compared, such as an embedder's id for a user, or words that are searched for. */
export function comparedTextError(
  text: string,
  limit: number = bounds.labelMaxCodePoints,
): RuleBroken<NewSecretRule> | undefined {
  if (text === '') return { rule: 'empty' }
  if (hasLoneSurrogate(text)) return { rule: 'lone_surrogate' }
  if (hasControlCharacter(text)) return { rule: 'control_character' }
  return codePointCount(text) > limit ? { rule: 'too_long', limit } : undefined
}

function shownTextError(text: string): RuleBroken<NewSecretRule> | undefined {
  if (!isSeen(text)) return { rule: 'empty' }
  return hasUnseen(text) ? { rule: 'invisible_character' } : undefined
}

/** The form in which an email is stored and compared: trimmed, composed (NFC), lower case. */
export function normalizeEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

/** What a part of a local part consists of: `atext` of RFC 5322, and what RFC 6531, section 3.3, adds to it; nothing invisible. */
const atom = String.raw`(?:[\w!#$%&'*+/=?^\x60{|}~-]|[^\x00-\x7f\p{C}\p{Z}])+`

/** A label of a host name. Underscores are no RFC's, but private networks have them. */
const hostLabel = String.raw`[\p{L}\p{N}_][\p{L}\p{M}\p{N}_-]*`

const emailShape = new RegExp(`^${atom}(?:\\.${atom})*@${hostLabel}(?:\\.${hostLabel})*$`, 'u')

/**
 * The rule that an email breaks, wherever one is given. Only its shape is checked: only sending mail shows whether it arrives. What RFC 5321
 * would need quotes for (section 4.1.2) is refused, and so are comments, groups and address literals: programs disagree about which mailboxes
 * those name. An account of an earlier version may have such a name: it is found by it, but gets no mails.
 */
export function emailError(email: string): RuleBroken | undefined {
  const limit = bounds.emailMaxCodePoints
  if (codePointCount(email) > limit) return { rule: 'too_long', limit }
  return emailShape.test(email) && !hasUnseen(email) ? undefined : { rule: 'not_an_email' }
}

/** The scopes named, each once and in the usual order; `undefined` when one is unknown or none is named. */
export function parseScopes(names: readonly string[]): readonly Scope[] | undefined {
  if (names.length === 0 || names.some((name) => !allScopes.includes(name as Scope))) return undefined
  return allScopes.filter((scope) => names.includes(scope))
}

/** The rule that a token's lifetime in seconds breaks. */
export function tokenLifetimeError(seconds: number): RuleBroken | undefined {
  const limit = bounds.tokenLifetimeMaxDays * 86_400
  return Number.isInteger(seconds) && seconds > 0 && seconds <= limit
    ? undefined
    : { rule: 'out_of_range', limit }
}

/**
 * The form of a password that is hashed and compared: composed (NFC). So a password typed on another keyboard or system is the same
 * password (NIST SP 800-63B-4, section 3.1.1.2).
 */
export function normalizePassword(password: string): string {
  return password.normalize('NFC')
}

/** The rule that a link's password breaks; `undefined` when it breaks none. */
export function passwordError(password: string): RuleBroken<NewSecretRule> | undefined {
  return bytesError(password, bounds.passwordMaxBytes)
}

/** How a value breaks a rule of its field. */
export interface RuleBroken<Rule extends FieldRule = FieldRule> {
  readonly rule: Rule
  /** The bound that it breaks, in the unit of the rule. */
  readonly limit?: number
  readonly word?: string
}

export function addError<Rule extends FieldRule>(
  errors: FieldError<Rule>[],
  field: string,
  broken: RuleBroken<Rule> | undefined,
): void {
  if (broken !== undefined) errors.push({ field, ...broken })
}

function bytesError(text: string, limit: number): RuleBroken<NewSecretRule> | undefined {
  if (text === '') return { rule: 'empty' }
  if (hasLoneSurrogate(text)) return { rule: 'lone_surrogate' }
  if (text.includes('\0')) return { rule: 'nul_character' }
  // No UTF-16 unit takes more than three bytes, so most texts need no counting.
  if (text.length * 3 <= limit) return undefined
  return utf8ByteLength(text) > limit ? { rule: 'too_long', limit } : undefined
}

function openLimitError(openLimit: number): RuleBroken<NewSecretRule> | undefined {
  const limit = bounds.openLimitMax
  return Number.isInteger(openLimit) && openLimit >= 1 && openLimit <= limit
    ? undefined
    : { rule: 'out_of_range', limit }
}
