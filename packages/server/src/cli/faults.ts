import type { KeyFileError } from '@sotto/adapter-node-crypto'
import type { FaultRule, FieldFault, SottoError } from '@sotto/core'
import type { SettingsInvalid } from '../config/settings.ts'
import type { InstallationFault } from '../installation.ts'
import type { ServerFault } from '../server.ts'
import type { InputNotUtf8, InputTooLong } from './confided-input.ts'
import type { OutputLost } from './output.ts'
import { sealedTexts, type SealedFault } from './sealed-faults.ts'

/** Everything that can keep a command from its work. */
export type CliFault =
  | SottoError
  | SettingsInvalid
  | InstallationFault
  | ServerFault
  | InputNotUtf8
  | InputTooLong
  | OutputLost
  | SealedFault
  /** The links of an installation on a free port lead nowhere. */
  | { readonly code: 'link_base_unknown' }

/** What a command tells of a fault: a sentence without a full stop, never with anything that was confided. */
export function faultText(fault: CliFault): string {
  const textOf = texts[fault.code] as (fault: CliFault) => string
  return textOf(fault)
}

/** One entry for each code; a missing one does not compile. */
const texts: { readonly [Code in CliFault['code']]: (fault: Extract<CliFault, { code: Code }>) => string } = {
  storage_unavailable: ({ reason }) => storageTexts[reason],
  storage_failed: ({ detail }) => `the database failed: ${detail}`,
  data_damaged: ({ what, id }) => `the database is damaged: ${what} of ${id} does not decrypt`,
  key_unknown: ({ kid }) => `the key file lacks key ${kid}, which some of the data needs: put it back`,
  keys_unwritable: ({ detail }) => sentenceOf(detail),
  key_in_use: ({ rows }) => `the key is in use: ${rows} rows hang on it, or it is the active one`,
  key_not_found: () => 'there is no such key',
  key_ring_unfit: ({ kid, reason }) => `key ${kid} is ${reason}`,
  key_retired: () => 'the key was retired while the command ran: run it again',
  cipher_busy: () => 'too many passwords are being hashed: try again later',
  fields_invalid: ({ faults }) => faults.map(fieldText).join('; '),
  token_invalid: () => 'the access token is not valid',
  quota_exceeded: ({ retryAfterSeconds }) => `the quota is used up for ${retryAfterSeconds} s`,
  secret_not_found: () => 'there is no such secret',
  account_not_found: () => 'there is no account with this email',
  account_exists: () => 'an account with this email exists already',
  folder_not_found: () => 'the account has no such folder',
  draft_not_found: () => 'the account has no such draft (it may be shared already)',
  access_token_not_found: () => 'the account has no such access token',
  link_not_found: () => 'there is no such link',
  password_required: () => 'the link asks for a password',
  password_wrong: () => 'the password is not the right one',
  link_locked: ({ retryAfterSeconds }) => `the link is locked for ${retryAfterSeconds} s`,
  form_already_used: () => 'this form has opened the link before',
  settings_invalid: ({ faults }) =>
    `the settings are at fault:\n${faults.map((line) => `  ${line}`).join('\n')}`,
  database_not_writable: ({ path, detail }) => `the database ${path} cannot be written (${detail})`,
  database_newer: ({ path }) =>
    `the database ${path} was written by a later version of Sotto: use that version`,
  database_foreign: ({ path }) => `${path} is not a database of Sotto`,
  database_damaged: ({ path, detail }) => `the database ${path} is damaged (${detail}): restore a backup`,
  database_busy: ({ path }) => `the database ${path} is locked by another process`,
  database_unfit: ({ path, detail }) =>
    `the database ${path} cannot be kept safe there (${detail}): use a local disk`,
  data_dir_unusable: ({ path, reason }) =>
    `the data directory ${path} cannot be used (${reason}): see SOTTO_DATA_DIR`,
  key_file_lost: ({ path }) =>
    `there is a database but no key file at ${path}: put it back, or set SOTTO_KEYS_FILE; a new key could read nothing`,
  key_wrong: ({ path, kid }) => `key ${kid} in ${path} is not the one that the database was written with`,
  key_missing: ({ path, kid }) =>
    `the key file ${path} lacks key ${kid}, which the database was written with`,
  key_file_missing: asTold,
  key_file_unreadable: asTold,
  key_file_exposed: asTold,
  key_file_not_json: asTold,
  key_file_version_unknown: asTold,
  key_file_malformed: asTold,
  key_file_key_malformed: asTold,
  key_file_kid_duplicate: asTold,
  key_file_keys_changed: asTold,
  key_file_busy: asTold,
  key_file_not_written: asTold,
  key_file_kid_unknown: asTold,
  key_file_key_active: asTold,
  not_listening: ({ reason }) =>
    listenTexts[reason] ?? `cannot listen (${reason}): see SOTTO_HOST and SOTTO_PORT`,
  input_not_utf8: () => 'standard input is not valid UTF-8',
  input_too_long: ({ noteMaxBytes }) =>
    `there is more than a note may have: ${noteMaxBytes} bytes (SOTTO_NOTE_MAX_BYTES)`,
  link_base_unknown: () =>
    'with SOTTO_PORT=0 a link needs SOTTO_LINK_BASE_URL, or the port that the server printed',
  output_lost: () => 'done, but its answer could not be written to standard output',
  ...sealedTexts,
}

/** What the key file's adapter tells is a sentence already. */
function asTold({ message }: KeyFileError): string {
  return sentenceOf(message)
}

/** A sentence within another one. */
function sentenceOf(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, '')
}

const storageTexts = {
  busy: 'the database is busy: try again later',
  full: 'the disk is full',
  closed: 'the database is being closed',
} as const

const listenTexts: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use by another program: stop that, or set SOTTO_PORT',
  EACCES: 'this user may not listen on the port: set SOTTO_PORT to 1024 or higher',
  EADDRNOTAVAIL: 'SOTTO_HOST is not an address of this machine',
  ENOTFOUND: 'SOTTO_HOST is a name that does not resolve',
}

/** Fields by the names under which the command asks for them. */
const fieldNames: Readonly<Record<string, string>> = {
  email: '--email',
  label: '--label',
  note: 'the note',
  folderId: '--folder',
  openLimit: '--open-limit',
  password: 'the password',
  name: '--name',
  scopes: '--scopes',
  expiresIn: '--expires-in',
}

function fieldText({ field, rule, limit }: FieldFault): string {
  return `${fieldNames[field] ?? field} ${ruleTexts[rule](limit ?? 0, field)}`
}

const ruleTexts: Readonly<Record<FaultRule, (limit: number, field: string) => string>> = {
  required: () => 'is required',
  empty: () => 'must not be empty',
  too_long: (limit, field) => `must not exceed ${limit} ${lengthUnits[field] ?? 'characters'}`,
  control_character: () => 'must not contain control characters',
  nul_character: () => 'must not contain NUL',
  lone_surrogate: () => 'must be valid Unicode',
  out_of_range: (limit, field) =>
    field === 'expiresIn' ? `must be at most ${limit / 86_400} days` : `must be from 0 to ${limit}`,
  not_an_email: () => 'must be an email address',
  unknown_folder: () => 'must be a folder of the account (see: sotto folder list)',
  unknown_scope: () => 'must be read, write, or both separated by a comma',
}

const lengthUnits: Readonly<Record<string, string>> = { note: 'bytes', password: 'bytes' }
