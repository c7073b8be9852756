import type { KeyFileError, KeysError } from '@sotto/adapter-node-crypto'
import type {
  BackUpError,
  ErrorOf,
  KeyStatus,
  RestoreError,
  StorageError,
  TransferDiffers,
  TransferFileMissing,
  TransferSourceError,
  TransferTargetError,
} from '@sotto/core'
import type { FullSotto } from '@sotto/identity'
import type { SettingsInvalid } from '../config/settings.ts'
import type { InstallationError } from '../installation/installation.ts'
import { remoteCode, type RemoteError } from './remote-errors.ts'

/** The use-cases that commands call. */
type CalledUseCase =
  | 'createAccount'
  | 'inviteAccount'
  | 'resetAccount'
  | 'changeEmail'
  | 'findAccount'
  | 'getAccount'
  | 'listAccounts'
  | 'disableAccount'
  | 'deleteAccount'
  | 'listIdentities'
  | 'removeIdentity'
  | 'createFolder'
  | 'listFolders'
  | 'renameFolder'
  | 'deleteFolder'
  | 'saveDraft'
  | 'getDraft'
  | 'editDraft'
  | 'shareDraft'
  | 'listDrafts'
  | 'deleteDraft'
  | 'browseSecrets'
  | 'destroySecret'
  | 'unlockSecret'
  | 'createRequest'
  | 'listRequests'
  | 'closeRequest'
  | 'createAccessToken'
  | 'listAccessTokens'
  | 'revokeAccessToken'
  | 'createWebhook'
  | 'listWebhooks'
  | 'deleteWebhook'
  | 'testWebhook'
  | 'testMail'
  | 'listDeliveries'
  | 'retryDelivery'
  | 'sweepExpired'
  | 'sweepFiles'
  | 'findCorruptedRows'
  | 'dropCorruptedRows'
  | 'addKey'
  | 'rotateKeys'
  | 'keyStatus'
  | 'retireKey'

/** Every error that a command can end with. */
export type CliError =
  | ErrorOf<FullSotto[CalledUseCase]>
  | SettingsInvalid
  | InstallationError
  | FirstStartError
  | BackUpError
  | RestoreInstallationError
  | TransferInstallationError
  | ServerError
  | InputNotText
  | InputTooLong
  | LinesTooLong
  | OutputLost
  /** The address of a link is not known when the port is chosen at the start. */
  | { readonly code: 'link_base_unknown' }
  /** The address of a one-time link is not known, for the same reason. */
  | { readonly code: 'base_unknown' }
  | RowsCorrupted
  | PlaceUnsafe
  | BackupIncomplete
  | RestoredCorrupted
  | RestoredUnchecked
  | DropRefused
  | RetirementUnconfirmed
  | InvitationNotMailed
  | TestsFailed
  | AccessError
  | AccessNotKept
  | RemoteError
  /** An fsync has failed, so the state of the data is unknown. */
  | { readonly code: 'disk_unsafe' }
  /** A worker ended while the server was starting, or all of them do again and again. */
  | ({ readonly code: 'workers_failed' } & Ending)
  /** This process is itself a worker of another program. */
  | { readonly code: 'workers_nested' }
  /** Some findings of the examination need attention: how many. */
  | { readonly code: 'examination_failed'; readonly findings: number }

/** How a process has ended. */
export interface Ending {
  readonly exitCode: number | null
  readonly signal: string | null
  /** The code of the system's error when the process could not be started at all. */
  readonly startError?: string
}

/** Others can replace the data or the keys. Each fault says what to do. */
export interface PlaceUnsafe {
  readonly code: 'place_unsafe'
  readonly faults: readonly string[]
}

/** A backup was made or restored without the contents of some files, each of which was named. */
export interface BackupIncomplete {
  readonly code: 'backup_incomplete' | 'restored_incomplete'
  readonly files: number
}

/** A backup was restored, and some of its rows do not decrypt. */
export interface RestoredCorrupted {
  readonly code: 'restored_damaged'
  readonly rows: number
}

/** A backup was restored, and what was restored could not be read again. */
export interface RestoredUnchecked {
  readonly code: 'restored_unchecked'
}

/** Some rows were not dropped; each was named already. */
export interface DropRefused {
  readonly code: 'drop_refused'
  readonly rows: number
}

/** A key can be retired, and --yes is missing. */
export interface RetirementUnconfirmed extends Pick<KeyStatus, 'kid' | 'replacedAtMicros'> {
  readonly code: 'retirement_unconfirmed'
}

/** A one-time link was made, and no mail server took it. */
export interface InvitationNotMailed {
  readonly code: 'welcome_not_mailed'
  readonly reason: string
}

/** Some test messages were not delivered, each of which was named already; none at all where there is no target. */
export interface TestsFailed {
  readonly code: 'tests_failed'
  readonly targets: number
}

/**
 * What programs read about an error: the exit code, and with --json the code. docs/send.md lists those of the commands that speak to a
 * service over HTTP.
 */
export function publicCodeOf(error: CliError): string {
  if (error.code === 'retirement_unconfirmed') return 'usage'
  return error.code === 'remote_failed' ? remoteCode(error) : error.code
}

/** The exit codes by {@link publicCodeOf}; every other error is 1. */
export const exitCodes: Readonly<Record<string, number>> = {
  usage: 2,
  folder_ambiguous: 2,
  link_invalid: 2,
  target_invalid: 2,
  link_gone: 3,
  request_gone: 3,
  target_gone: 3,
  password_missing: 4,
  password_wrong: 4,
  network_failure: 5,
  rate_limited: 6,
  unavailable: 6,
  no_room: 6,
}

export function exitCodeOf(error: CliError): number {
  return exitCodes[publicCodeOf(error)] ?? 1
}

/** What a confidential input is read from, as errors name it. */
export type InputName = 'standard input' | 'the file'

/** The input is probably binary, so it cannot be stored unchanged. `fault` says why. */
export interface InputNotText {
  readonly code: 'input_not_text'
  readonly fault: `${InputName} is not valid UTF-8` | 'the text must not contain NUL'
}

/** Standard input is longer than a note and the lines before it may be; the rest was not read. */
export interface InputTooLong {
  readonly code: 'input_too_long'
  readonly noteMaxBytes: number
}

/** The first lines of standard input are longer than a password, label or link may be; the rest was not read. */
export interface LinesTooLong {
  readonly code: 'lines_too_long'
}

/** The answer was not written completely: the reader of standard output closed it early, or the disk that it goes to is full. */
export interface OutputLost {
  readonly code: 'output_lost'
}

/** Rows that do not decrypt were left as they are. */
export interface RowsCorrupted {
  readonly code: 'rows_damaged'
  readonly rows: number
}

/** Why there is no access. */
export type AccessError =
  /** Neither the variables nor the file are there. */
  | { readonly code: 'access_missing' }
  /** Only one of the variables is set. The other half from the file would send a token to a service that it is not for. */
  | { readonly code: 'access_incomplete' }
  /** Other users can read or change the file. */
  | { readonly code: 'access_exposed'; readonly path: string; readonly isRegular: boolean }
  /** The file cannot be read or holds something else. */
  | { readonly code: 'access_unreadable'; readonly path: string; readonly detail: string }
  /** The address is no URL, or the token cannot be one. */
  | { readonly code: 'access_invalid' }

export interface AccessNotKept {
  readonly code: 'access_not_kept'
  readonly path: string
  readonly detail: string
}

/** Why nothing was restored. Nothing has changed. */
export type RestoreInstallationError =
  | RestoreError
  | KeyFileError
  /** The key file lacks a key that rows of the backup are under. */
  | { readonly code: 'backup_key_missing'; readonly path: string; readonly kid: number }
  /** The key of this number in the key file is not the key that the backup was made under. */
  | { readonly code: 'backup_key_wrong'; readonly path: string; readonly kid: number }

export type TransferInstallationError =
  TransferSourceError | TransferTargetError | StorageError | TransferDiffers | TransferFileMissing | KeysError

export type FirstStartError =
  | ErrorOf<
      FullSotto['createAccount' | 'inviteAccount' | 'createFolder' | 'listFolders' | 'createAccessToken']
    >
  | StorageError

/** The server cannot listen. `reason` is the system's code, such as EADDRINUSE. */
export interface ServerError {
  readonly code: 'not_listening'
  readonly reason: string
  /** Where the system names it. */
  readonly port?: number | undefined
  /** The setting that names the port. */
  readonly setting: PortSetting
}

/** The settings of ports. */
export type PortSetting = 'SOTTO_PORT' | 'SOTTO_METRICS_PORT'
