import { err, type Err } from 'neverthrow'
import type { FieldError, FieldRule, FieldsInvalid, NewSecretRule } from './errors.ts'
import { hasUnseen, isSeen } from './shown-text.ts'
import { codePointCount, hasControlCharacter, hasLoneSurrogate } from './text.ts'

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

/** The rule that a number breaks which has to be a whole one from 1 to `limit`. */
export function countError(count: number, limit: number): RuleBroken<NewSecretRule> | undefined {
  return Number.isInteger(count) && count >= 1 && count <= limit ? undefined : { rule: 'out_of_range', limit }
}

function shownTextError(text: string): RuleBroken<NewSecretRule> | undefined {
  if (!isSeen(text)) return { rule: 'empty' }
  return hasUnseen(text) ? { rule: 'invisible_character' } : undefined
}

/**
 * The form of a password that is hashed and compared: composed (NFC). So a password typed on another keyboard or system is the same
 * password (NIST SP 800-63B-4, section 3.1.1.2).
 */
export function normalizePassword(password: string): string {
  return password.normalize('NFC')
}

/** How a value breaks a rule of its field. */
export interface RuleBroken<Rule extends FieldRule = FieldRule> {
  readonly rule: Rule
  /** The bound that it breaks, in the unit of the rule. */
  readonly limit?: number
  readonly word?: string
}

/** The error of an input in which one field breaks a rule. */
export function invalid<Rule extends FieldRule>(
  field: string,
  broken: RuleBroken<Rule>,
): Err<never, FieldsInvalid<Rule>> {
  return err({ code: 'fields_invalid', errors: [{ field, ...broken }] })
}

/** Adds the rule that a field breaks to the errors, where it breaks one. */
export function addError<Rule extends FieldRule>(
  errors: FieldError<Rule>[],
  field: string,
  broken: RuleBroken<Rule> | undefined,
): void {
  if (broken !== undefined) errors.push({ field, ...broken })
}
