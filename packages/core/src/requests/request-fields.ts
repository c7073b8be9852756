import { answersAllowedMax, requestKeyShape, requestLifetimeMaxSeconds } from './request.ts'
import type { FieldError } from '../shared/errors.ts'
import { addError, countError, labelError, type RuleBroken } from '../shared/fields.ts'
import { hasUnseen } from '../shared/shown-text.ts'
import { codePointCount, hasControlCharacter, hasLoneSurrogate } from '../shared/text.ts'

/** The longest text of a request, in code points. */
export const requestTextMaxCodePoints = 2_000

/** What is wrong with the fields of a new request. Whether the folder exists is checked elsewhere. */
export function newRequestErrors({
  title,
  text,
  answersAllowed,
  lifetimeSeconds,
  key,
}: {
  readonly title: string
  readonly text: string
  readonly answersAllowed: number
  readonly lifetimeSeconds: number
  readonly key?: string | undefined
}): FieldError[] {
  const errors: FieldError[] = []
  addError(errors, 'title', labelError(title))
  addError(errors, 'text', textError(text))
  addError(errors, 'answersAllowed', countError(answersAllowed, answersAllowedMax))
  addError(errors, 'lifetimeSeconds', countError(lifetimeSeconds, requestLifetimeMaxSeconds))
  if (key !== undefined && !requestKeyShape.test(key)) addError(errors, 'key', { rule: 'not_a_key' })
  return errors
}

/** A browser sends a line break as two characters; each becomes one line feed. */
export function unifyLineBreaks(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}

function textError(text: string): RuleBroken | undefined {
  const ofLines = text.replace(/[\n\t]/g, ' ')
  if (hasLoneSurrogate(text)) return { rule: 'lone_surrogate' }
  if (hasControlCharacter(ofLines)) return { rule: 'control_character' }
  if (hasUnseen(ofLines)) return { rule: 'invisible_character' }
  const limit = requestTextMaxCodePoints
  return codePointCount(text) > limit ? { rule: 'too_long', limit } : undefined
}
