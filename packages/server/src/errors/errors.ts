import type { BackUpError, ErrorOf, KeyStatus, Sotto } from '@sotto/core'
import type { RestoreInstallationError } from '../storage/backups.ts'
import type { SettingsInvalid } from '../config/settings.ts'
import type { FirstStartError } from '../serving/first-start.ts'
import type { InstallationError } from '../installation/installation.ts'
import type { MoveInstallationError } from '../storage/move.ts'
import type { ServerError } from '../serving/server.ts'
import type { InputNotText, InputTooLong, LinesTooLong } from '../cli/confidential-input.ts'
import type { OutputLost, RowsCorrupted } from '../cli/output.ts'
import type { AccessError, AccessNotKept } from '../remote/access.ts'
import { remoteCode, type RemoteError } from './remote-errors.ts'

/** The use-cases that commands call. */
type CalledUseCase =
  | 'createAccount'
  | 'inviteAccount'
  | 'resetAccount'
  | 'changeEmail'
  | 'findAccount'
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
  | 'shareDraft'
  | 'listDrafts'
  | 'deleteDraft'
  | 'browseSecrets'
  | 'destroySecret'
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
  | ErrorOf<Sotto[CalledUseCase]>
  | SettingsInvalid
  | InstallationError
  | FirstStartError
  | BackUpError
  | RestoreInstallationError
  | MoveInstallationError
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
