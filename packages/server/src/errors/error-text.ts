import type { KeyFileError } from '@sotto/adapter-node-crypto'
import { missingOf, webhooksMax, type CodesOfKind } from '@sotto/core'
import type { fullErrorKinds } from '@sotto/identity'
import { exposureText } from '../shared/private-file.ts'
import { backupsUnder, counted, listed } from '../shared/text.ts'
import type { CliError, Ending } from './errors.ts'
import { fieldText } from './field-text.ts'
import { remoteText } from './remote-errors.ts'

/** What a command prints about an error: a sentence without a full stop, never with anything confidential. */
export function errorText(error: CliError): string {
  // The key file's adapter describes its errors itself.
  if ('message' in error) return clauseOf(error.message)
  const textOf = texts[error.code] as ((error: CliError) => string) | undefined
  return textOf?.(error) ?? `the account has no such ${missingOf(error.code)}`
}

type Texts<Error extends CliError> = {
  readonly [Code in Error['code']]: (error: Extract<Error, { code: Code }>) => string
}

/** Where a code says that something is missing, and no more, it has no text of its own. */
type NotFound = Extract<CliError, { readonly code: CodesOfKind<typeof fullErrorKinds, 'not_found'> }>

/** One entry for each code: a missing or superfluous one does not compile. */
const texts: Texts<Exclude<CliError, KeyFileError | NotFound>> & Partial<Texts<NotFound>> = {
  // Use-cases
  storage_unavailable: ({ reason, detail }) =>
    `${unavailableTexts[reason]}${detail === undefined ? '' : ` (${detail})`}`,
  storage_failed: ({ detail }) => `the database failed: ${detail}`,
  data_damaged: ({ what, id }) => `the database is corrupted: ${what} of ${id} does not decrypt`,
  key_unknown: ({ kid }) => `the key file lacks key ${kid}, which some of the data needs: put it back`,
  keys_unwritable: ({ detail }) => clauseOf(detail),
  key_in_use: ({ rows }) =>
    `the key is in use: ${counted(rows, 'row is', 'rows are')} under it, or it is the active one`,
  retirement_unconfirmed: (key) =>
    `--yes is required: ${backupsUnder(key)} need key ${key.kid}. Copy the key file first: without that key they cannot be restored (see: sotto keys retire --help)`,
  key_not_found: () => 'there is no such key',
  key_not_everywhere: ({ kid, servers }) =>
    `key ${kid} does not become active yet: ${listed(servers.map(({ name }) => name))} ${servers.length === 1 ? 'has' : 'have'} not shown that it is there. ` +
    'Copy the key file there, or stop the server; then run sotto keys rotate again',
  key_retired: () => 'another key became active while the command ran: run it again',
  hasher_busy: () => 'too many passwords are being hashed: try again later',
  fields_invalid: ({ errors }) => errors.map(fieldText).join('; '),
  account_not_found: () => 'there is no account with this email',
  account_exists: () => 'an account with this email exists already',
  account_disabled: () => 'the account is disabled: nobody can sign in to it',
  folder_not_empty: () =>
    'the folder is not empty: delete its drafts, destroy its secrets or let them expire, and close its requests',
  draft_disabled: () =>
    'too many wrong passwords were given for the draft: nobody could open its link (enter its text again on its page, or delete it)',
  draft_sealed: () =>
    'the draft is an answer that is encrypted for its owner: it can be neither shared nor edited',
  draft_changed: () => 'the draft was changed while the command ran: run it again',
  draft_locked: () => 'too many wrong passwords were given for the draft: try again later',
  password_wrong: () => 'the password is wrong',
  draft_not_found: () => 'the account has no such draft (it may be shared already)',
  files_off: () => 'this installation takes no files: see SOTTO_FILE_MAX_BYTES',
  last_way_in: () => 'its owner could not sign in any more',

  // Notifications
  webhook_limit_reached: () => `the account has ${webhooksMax} webhooks already: delete one first`,
  delivery_not_found: () => 'there is no such notification (it may be delivered already)',
  mail_unavailable: () => 'no mails can be sent: see SOTTO_SMTP_URL and SOTTO_MAIL_FROM',
  send_failed: ({ reason }) => `the message was not delivered: ${reason}`,
  welcome_not_mailed: ({ reason }) =>
    `the one-time link was not mailed (${reason}): run the command again for a new one, without --mail to print it`,
  quota_exceeded: ({ retryAfterSeconds }) => `too many tests were sent: wait ${retryAfterSeconds} seconds`,
  tests_failed: ({ targets }) =>
    targets === 0
      ? 'there is nothing to test: the account gets no mails and has no webhooks'
      : `${counted(targets, 'message was', 'messages were')} not delivered`,

  // Settings, database and keys
  settings_invalid: ({ errors }) =>
    `the settings are not valid:\n${errors.map((line) => `  ${line}`).join('\n')}`,
  database_missing: ({ location }) =>
    `there is no database at ${location}: see ${settingOf(location)}, or make one with: sotto init`,
  database_not_writable: ({ location, detail }) =>
    `the database ${location} cannot be written (${detail}): see ${settingOf(location)}`,
  database_newer: ({ location }) =>
    `the database ${location} was written by a later version of Sotto: use that version`,
  database_older: ({ location }) =>
    `the database ${location} was written by an earlier version of Sotto: stop every process that uses it, then start the service`,
  database_unreleased: ({ location, commit }) => `the database ${location} ${unreleasedText(commit)}`,
  database_foreign: ({ location }) => `${location} is not a database of Sotto`,
  database_damaged: ({ location, detail }) =>
    `the database ${location} is corrupted (${detail}): restore a backup`,
  database_is_backup: ({ location }) =>
    `${location} is a backup that was copied into place: move it away, and run: sotto restore`,
  database_unreachable: ({ location, detail }) =>
    `the database ${location} cannot be reached (${detail}): see SOTTO_DATABASE_URL`,
  database_busy: ({ location }) => `the database ${location} is locked by another process`,
  database_unfit: ({ location, detail }) =>
    `the database ${location} cannot be kept safe there (${detail})${isRemote(location) ? '' : ': use a local disk'}`,
  key_file_lost: ({ path }) =>
    `there is a database but no key file at ${path}: put it back, or set SOTTO_KEYS_FILE; a new key could read nothing`,
  key_wrong: ({ path, kid }) => `key ${kid} in ${path} is not the one that the database was written with`,
  key_missing: ({ path, kid }) =>
    `the key file ${path} lacks key ${kid}, which the database was written with`,
  key_ring_unfit: ({ kid }) =>
    `another machine has added key ${kid}: copy its key file to this machine, then try again`,
  rows_damaged: ({ rows }) =>
    `${counted(rows, 'row does', 'rows do')} not decrypt: restore a backup, or see: sotto damage --help`,
  drop_refused: ({ rows }) => `${counted(rows, 'row was', 'rows were')} not dropped`,
  examination_failed: ({ findings }) => `${counted(findings, 'problem was', 'problems were')} found`,

  // Backups
  backup_unsupported: ({ detail }) => `this database is not backed up by sotto: ${detail}`,
  restore_unsupported: ({ detail }) => `this database is not restored by sotto: ${detail}`,
  backup_exists: ({ path }) => `${path} exists already, and a backup overwrites nothing: choose another name`,
  backup_not_written: ({ path, detail }) => `the backup ${path} cannot be written (${detail})`,
  backup_not_verified: ({ path, detail }) =>
    `the backup ${path} differs from the database (${detail}): try again`,
  backup_incomplete: ({ files }) =>
    `the backup was made without the content of ${counted(files, 'file')}: keep an earlier one that has it, or delete the secret or draft`,
  restored_incomplete: ({ files }) =>
    `the database was restored, but the backup lacks the content of ${counted(files, 'file')}: use another backup, or delete the secret or draft`,
  backup_unreadable: ({ path, detail }) => `the backup ${path} cannot be read (${detail})`,
  backup_foreign: ({ path }) => `${path} was not made by: sotto backup`,
  backup_newer: ({ path }) => `the backup ${path} was made by a later version of Sotto: use that version`,
  backup_unreleased: ({ path, commit }) => `the backup ${path} ${unreleasedText(commit)}`,
  backup_damaged: ({ path, detail }) => `the backup ${path} is corrupted (${detail}): use another one`,
  backup_key_missing: ({ path, kid }) =>
    `the key file ${path} lacks key ${kid}, which the backup was made under: put back a copy that holds it`,
  backup_key_wrong: ({ path, kid }) =>
    `key ${kid} in ${path} is not the one that the backup was made under: put back the right key file`,
  database_exists: ({ location }) =>
    `${location} exists already, and a restore overwrites nothing: move it away first`,
  restored_damaged: ({ rows }) =>
    `the database was restored, but ${counted(rows, 'row', 'rows')} of the backup ${rows === 1 ? 'does' : 'do'} not decrypt: ` +
    'use another backup, or see: sotto damage list, sotto damage drop --help',
  restored_unchecked: () =>
    'the database was restored, but it could not be checked for corruption: run sotto doctor',
  restore_not_written: ({ location, detail }) => `the database ${location} cannot be written (${detail})`,

  // Moves
  database_incomplete: ({ location }) =>
    `the database ${location} is the copy of an installation that is not finished: run sotto move again`,
  database_moved: ({ location, to }) => `the database ${location} was moved to ${to}: see ${settingOf(to)}`,
  database_in_use: ({ location }) =>
    `the database ${location} is in use: stop every server and command that works on it, and try again` +
    (isRemote(location) ? '; if a pooler is in between, restart it, or wait for 75 seconds' : ''),
  move_target_used: ({ location }) =>
    `there is data at ${location} already, and a move overwrites nothing: choose an empty place`,
  move_differs: ({ table }) =>
    `the copy differs from the database (${table}), which was changed after a move was interrupted: ` +
    'empty the new place, and run the move again; nothing was changed in the old one',
  move_file_missing: ({ id, secretId }) =>
    `the content of file ${id} is missing, so nothing is moved: restore a backup that has it, or delete its secret or draft ${secretId}`,
  move_same_place: ({ location }) => `the installation is at ${location} already`,

  // A service over HTTP
  access_missing: () => 'no service is known: run sotto login, or set SOTTO_URL and SOTTO_TOKEN',
  access_incomplete: () => 'SOTTO_URL and SOTTO_TOKEN belong together: set both or neither',
  access_exposed: ({ path, ...file }) => `${path} ${exposureText(file)}`,
  place_unsafe: ({ faults }) => faults.join('; '),
  access_unreadable: ({ path, detail }) => `${path} cannot be used (${detail}): run sotto login`,
  access_not_kept: ({ path, detail }) => `${path} cannot be written (${detail})`,
  access_invalid: () => 'the address is not an http or https URL, or the access token is none',
  remote_failed: remoteText,
  link_gone: () =>
    'the link is gone: it expired, was opened as often as allowed, was destroyed, or never existed',
  link_invalid: () => 'what was read as the link is not an http or https URL',
  key_invalid: () => 'the first line of standard input is not the key of a link',
  not_sealed: () => 'the text is not a sealed one',
  not_unsealed: () => 'the text cannot be decrypted with this key and password',
  page_differs: ({ version, differences }) =>
    `the page is not the one of a sealed link of release ${version}:\n${differences.map((line) => `  ${line}`).join('\n')}`,
  request_gone: () =>
    'the request cannot be answered: it was answered or closed, is over, or never existed; ask for a new link',
  target_gone: () => 'the account has no such secret: it expired, is destroyed already, or never existed',
  target_invalid: () => 'what was read is neither an http or https URL nor the id of a secret',
  folder_unknown: ({ labels }) =>
    labels.length === 0
      ? 'the account has no folder'
      : `there is no such folder; there are: ${labels.join(', ')}`,
  folder_ambiguous: ({ choices }) =>
    `which folder? Name one with --folder:\n${choices.map((line) => `  ${line}`).join('\n')}`,
  note_unreadable: ({ detail }) => `the file cannot be sent (${detail})`,
  attached_unreadable: ({ path, detail }) => `${path} cannot be sent (${detail})`,
  stdout_unusable: ({ detail }) =>
    `standard output cannot be written (${detail}): nothing was opened or sent`,
  output_unusable: ({ path, detail }) =>
    `no file can be made in ${path} (${detail}): --output takes a directory; nothing was opened`,
  files_not_saved: ({ faults }) =>
    `the secret is opened, but these files were not saved: ${faults.join(', ')}; for an hour they can be fetched from their addresses`,
  link_not_copied: ({ reason }) =>
    reason === 'no_program'
      ? 'the link was created but not copied: there is no wl-copy, xclip, xsel or pbcopy that works here'
      : 'the link was created but not copied: the program for the clipboard failed',
  terminal_missing: () =>
    'there is no terminal to ask on: use --password-stdin, or standard input for a token',
  prompt_left: () => 'nothing was entered',
  passwords_differ: () => 'the two passwords differ',

  // The process
  not_listening: ({ reason, port, setting }) =>
    listenTexts(port === undefined ? 'the port' : `port ${port}`, setting)[reason] ??
    `cannot listen (${reason}): see SOTTO_HOST and ${setting}`,
  disk_unsafe: () => 'the disk did not keep what was written to it',
  workers_failed: (ending) =>
    `a worker process has ended (${endingText(ending)}), so the server ends: the log says why, or try SOTTO_WORKERS=1`,
  workers_nested: () =>
    'SOTTO_WORKERS must be 1 here: this process is itself a worker of the program that started it',
  link_base_unknown: () =>
    'with SOTTO_PORT=0 a link needs SOTTO_LINK_BASE_URL, or the port that the server printed',
  base_unknown: () =>
    'with SOTTO_PORT=0 a one-time link needs SOTTO_BASE_URL, or the port that the server printed',
  input_not_text: ({ fault }) =>
    `${fault}: send what is binary with sotto share --file, or encode it first, for example with base64`,
  input_too_long: ({ noteMaxBytes }) =>
    `standard input is longer than a text may be: ${noteMaxBytes} bytes (SOTTO_NOTE_MAX_BYTES)`,
  lines_too_long: () => 'a line of standard input is longer than any link, title or password',
  output_lost: () => 'done, but the answer could not be written to standard output',
}

/** What is said of tables that this version does not know. Without a known commit they may also have been changed by hand. */
function unreleasedText(commit: string | undefined): string {
  return commit === undefined
    ? 'has tables that this version of Sotto does not know: read it with the commit of Sotto that made it, or, if somebody changed the tables, restore a backup'
    : `was made by an unreleased version of Sotto, and is not corrupted: read it with commit ${commit} (see docs/upgrade.md)`
}

function endingText({ exitCode, signal, startError }: Ending): string {
  if (startError !== undefined) return `it could not be started: ${startError}`
  return signal ?? `exit code ${exitCode}`
}

/** The setting that says where a database is. */
function settingOf(location: string): string {
  return isRemote(location) ? 'SOTTO_DATABASE_URL' : 'SOTTO_DATA_DIR'
}

/** Whether a location is an address rather than a path. */
function isRemote(location: string): boolean {
  return location.includes('://')
}

/** A sentence as part of another one. */
function clauseOf(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '')
}

const unavailableTexts = {
  busy: 'the database is busy: try again later',
  full: 'the disk is full',
  read_only: 'the database server is a standby or otherwise read-only',
  disk_failed: 'the disk cannot be read or written: check the disk',
  moved: 'the database is no longer where it was opened: put it back',
  closed: 'the database is being closed',
  outcome_unknown:
    'the connection to the database broke, or it was moved, while it was being written: look whether it happened before you try again',
} as const

const listenTexts = (port: string, setting: string): Readonly<Record<string, string>> => ({
  EADDRINUSE: `${port} is in use by another program: stop that, or set ${setting}`,
  EACCES: `this user may not listen on ${port}: set ${setting} to 1024 or higher`,
  EADDRNOTAVAIL: 'SOTTO_HOST is not an address of this machine',
  ENOTFOUND: 'SOTTO_HOST is a name that does not resolve',
})
