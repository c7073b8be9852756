import type { FieldError, FieldRule } from '@sotto/core'

/** What is wrong with a field, by the name under which the command asks for it. */
export function fieldText({ field, rule, limit }: FieldError): string {
  return `${fieldNames[field] ?? field} ${ruleTexts[rule](limit ?? 0, field)}`
}

/** Fields by the names under which the command asks for them. */
const fieldNames: Readonly<Record<string, string>> = {
  email: '--email',
  label: '--label',
  title: '--title',
  text: 'standard input',
  answersAllowed: '--answers',
  lifetimeSeconds: '--expires-in',
  note: 'the text',
  folderId: '--folder',
  openLimit: '--open-limit',
  password: 'the password',
  name: '--name',
  scopes: '--scopes',
  expiresIn: '--expires-in',
  url: '--url',
}

const ruleTexts: Readonly<Record<FieldRule, (limit: number, field: string) => string>> = {
  empty: () => 'must not be empty',
  too_long: (limit, field) => `must not exceed ${limit} ${lengthUnits[field] ?? 'characters'}`,
  control_character: () => 'must not contain control characters',
  invisible_character: () =>
    'must not contain invisible characters, or ones that change the writing direction',
  nul_character: () => 'must not contain NUL',
  lone_surrogate: () => 'must be valid Unicode',
  out_of_range: (limit, field) =>
    field === 'expiresIn' || field === 'lifetimeSeconds'
      ? `must be at most ${limit / 86_400} days`
      : `must be from ${field === 'answersAllowed' ? 1 : 0} to ${limit}`,
  not_an_email: () => 'must be an email address',
  unknown_folder: () => 'must be a folder of the account (see: sotto folder list)',
  unknown_scope: () => 'must be read, write, or both separated by a comma',
  too_short: (limit) => `needs at least ${String(limit)} characters`,
  too_common: () => 'is among the most common passwords',
  contains_email: () => "contains the account's email name",
  unknown_language: () => 'is not a language of the pages',
  not_a_url: () => 'must be a URL without user name, password and fragment',
  not_https: () => 'must begin with https:// (http:// only to an address that SOTTO_WEBHOOK_ALLOW names)',
  not_a_file_name: () => 'must be the name of a file',
  not_a_key: () => 'is not a point of P-256 in base64url',
  sealed_draft: () => 'is encrypted for a link, and cannot be kept as a draft',
  too_many: (limit) => `must be at most ${limit}`,
  wrong_type: () => 'is missing or has the wrong type',
  unknown_name: () => 'is not known',
  address_not_allowed: () => 'leads to an address that is not public: see SOTTO_WEBHOOK_ALLOW',
}

const lengthUnits: Readonly<Record<string, string>> = { note: 'bytes', password: 'bytes' }
