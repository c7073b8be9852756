import type { FieldError, IdempotencyKeyRule, NewSecretRule } from '@sotto/core'
import { newSecretNames } from './new-secret-names.ts'

/** What is wrong with each invalid field, by its name on the wire: the `errors` of a problem. */
export type FieldMessages = Readonly<Record<string, readonly string[]>>

/** What is wrong with a field before its value is looked at. */
export const missingMessage = 'is required'
export const unknownMessage = 'is not a known field'

/** What is wrong with a value of another JSON type than the schema's. */
export const typeMessages = {
  string: 'must be a string',
  integer: 'must be a whole number',
  boolean: 'must be true or false',
} as const

export type FieldType = keyof typeof typeMessages

type Rule = NewSecretRule | IdempotencyKeyRule

/** What is wrong with a value that breaks a rule of the core. */
const ruleMessages: Readonly<Record<Rule, (error: FieldError<Rule>) => string>> = {
  empty: () => 'must not be empty',
  too_long: ({ field, limit }) => `must be at most ${limit ?? ''} ${unitOf(field)} long`,
  control_character: () => 'must not contain control characters',
  invisible_character: () =>
    'must not contain invisible characters, or ones that change the writing direction',
  nul_character: () => 'must not contain the character NUL',
  lone_surrogate: () => 'must not contain half of a surrogate pair',
  out_of_range: ({ limit }) => `must be a whole number from 0 to ${limit ?? ''}`,
  not_visible_ascii: ({ limit }) => `must be 1 to ${limit ?? ''} visible ASCII characters`,
  unknown_folder: () => 'is not the id of a folder of yours',
  not_a_file_name: () => 'has a name with /, \\ or an invisible character, or is named . or ..',
  sealed_draft: () => 'must not be encrypted in the browser: a draft cannot be',
  too_many: ({ limit }) => `must not be given more than ${limit ?? ''} times`,
  wrong_type: () => 'is missing or has the wrong type',
  unknown_name: () => unknownMessage,
}

/** Names of unknown fields that an answer may repeat. Any other name could carry something confidential. */
export const reportableName = '^[a-z_]{1,32}$'
const reportable = new RegExp(reportableName)

/** The core's errors of fields as the wire writes them. */
export function fieldMessages(errors: readonly FieldError<Rule>[]): FieldMessages {
  const messages: Record<string, string[]> = {}
  for (const error of errors) {
    const name = wireNameOf(error.field)
    messages[name] = [...(messages[name] ?? []), ruleMessages[error.rule](error)]
  }
  return messages
}

/** Whether an answer may name this unknown field. */
export function isReportable(name: string): boolean {
  return reportable.test(name)
}

export function isOfType(value: unknown, type: FieldType): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeof value === type
}

/** The name of the header `Idempotency-Key` among the names of fields. */
export const idempotencyKeyName = 'idempotency_key'

function wireNameOf(field: string): string {
  if (field === 'idempotencyKey') return idempotencyKeyName
  return Object.hasOwn(newSecretNames, field) ? newSecretNames[field as keyof typeof newSecretNames] : field
}

function unitOf(field: string): string {
  return ['note', 'password', 'files'].includes(field) ? 'bytes of UTF-8' : 'characters'
}
