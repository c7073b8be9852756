import type { FaultRule, FieldFault, SottoError, SottoErrorCode } from '@sotto/core'
import { refusals, type Refusal } from './refusals.ts'
import { wireNames } from './wire.ts'

/** Busy with something that is over soon. */
const busyFor = (seconds: number): Refusal =>
  withHeaders(refusals.unavailable, { 'retry-after': String(seconds) })
const notFound = (message: string): Refusal => ({ status: 404, message })

/** What each failure of the core is in HTTP. A code that is missing here does not compile. */
const answers: Record<SottoErrorCode, Refusal> = {
  storage_unavailable: refusals.unavailable,
  storage_failed: refusals.serverError,
  data_damaged: refusals.serverError,
  key_unknown: refusals.serverError,
  key_retired: busyFor(1),
  keys_unwritable: refusals.serverError,
  key_in_use: { status: 409, message: 'The key is in use.' },
  key_not_found: notFound('There is no such key.'),
  key_ring_unfit: refusals.serverError,
  cipher_busy: busyFor(2),
  fields_invalid: { status: 400, message: 'Some fields are not valid.' },
  token_invalid: refusals.invalidToken,
  quota_exceeded: { status: 429, message: 'Too many requests. Try again later.' },
  secret_not_found: notFound('There is no such secret.'),
  account_not_found: notFound('There is no such account.'),
  account_exists: { status: 409, message: 'There is such an account already.' },
  folder_not_found: notFound('There is no such folder.'),
  draft_not_found: notFound('There is no such draft.'),
  access_token_not_found: notFound('There is no such access token.'),
  link_not_found: notFound('There is no such link.'),
  password_required: { status: 401, message: 'A password is required.' },
  password_wrong: { status: 401, message: 'The password is not the right one.' },
  link_locked: { status: 429, message: 'Too many attempts. Try again later.' },
  form_already_used: { status: 409, message: 'This form was used already.' },
}

/** What each broken rule is called. Limits are those in force. */
const faultMessages: Record<FaultRule, (fault: FieldFault) => string> = {
  required: () => 'is required',
  empty: () => 'must not be empty',
  too_long: ({ field, limit }) => `must be at most ${limit ?? ''} ${unitOf(field)} long`,
  control_character: () => 'must not contain control characters',
  nul_character: () => 'must not contain the character NUL',
  lone_surrogate: () => 'must not contain half of a surrogate pair',
  out_of_range: ({ limit }) => `must be a whole number from 0 to ${limit ?? ''}`,
  not_an_email: () => 'must be an email address',
  unknown_folder: () => 'is not the id of a folder of yours',
  unknown_scope: () => 'names an unknown scope',
}

/** The answer to a failure of the core. */
export function refusalOf(error: SottoError): Refusal {
  const answer = answers[error.code]
  switch (error.code) {
    case 'fields_invalid':
      return fieldsRefusal(faultsByField(error.faults))
    case 'quota_exceeded':
      return withHeaders(answer, {
        'retry-after': String(error.retryAfterSeconds),
        'x-ratelimit-reset': String(Math.ceil(error.resetAtMicros / 1_000_000)),
      })
    case 'link_locked':
      return withHeaders(answer, { 'retry-after': String(error.retryAfterSeconds) })
    default:
      return answer
  }
}

/** The one 400 that lists every faulty field. */
export function fieldsRefusal(errors: Readonly<Record<string, readonly string[]>>): Refusal {
  return { ...answers.fields_invalid, ...(Object.keys(errors).length > 0 ? { errors } : {}) }
}

/** Messages by the names that the fields have on the wire. */
export function faultsByField(faults: readonly FieldFault[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  for (const fault of faults) {
    const name = wireNameOf(fault.field)
    errors[name] = [...(errors[name] ?? []), faultMessages[fault.rule](fault)]
  }
  return errors
}

function wireNameOf(field: string): string {
  return Object.hasOwn(wireNames, field) ? wireNames[field as keyof typeof wireNames] : field
}

function unitOf(field: string): string {
  return field === 'note' || field === 'password' ? 'bytes of UTF-8' : 'characters'
}

function withHeaders(refusal: Refusal, headers: Record<string, string>): Refusal {
  return { ...refusal, headers: { ...refusal.headers, ...headers } }
}
