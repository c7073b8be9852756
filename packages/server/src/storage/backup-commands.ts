import { resolve } from 'node:path'
import type { Contents, CopyProgress, MissingFile, Restored, RestoreChoices } from '@sotto/core'
import { createSystemClock, sizeText } from '@sotto/system'
import { isoMicros, toWireBackup, toWireRestored } from '@sotto/wire'
import type { Command } from 'commander'
import { err, ok, type Result } from 'neverthrow'
import { commandAudit } from '../audit.ts'
import { backUpInstallation, restoreInstallation, type RestoredInstallation } from './backups.ts'
import { corruptionText, counted, listed, timeText } from '../shared/text.ts'
import { addCommand, plainCommand, type Cli } from '../cli/command.ts'
import type { BackupIncomplete, RestoredCorrupted, RestoredUnchecked } from '../errors/errors.ts'
import { createProgress } from '../cli/progress.ts'

/** `sotto backup`, `sotto restore` */
export function addBackupCommands(program: Command, cli: Cli): void {
  addBackup(program, cli)
  addRestore(program, cli)
}

function addBackup(program: Command, cli: Cli): void {
  addCommand(program, 'backup', {
    description:
      'Makes a backup of the database and of all files, while the server runs, and verifies it. It contains no key: keep a copy of the key file, ' +
      'but in another place. The counters of the quota are not part of it. Files whose content is missing ' +
      'are named, and the exit code is 1.',
    examples: '$ sotto backup /backups/sotto-$(date +%F).backup',
  })
    .summary('makes a backup of the database')
    .argument('<file>', 'the backup, which must not exist yet')
    .action(
      plainCommand(cli, async (output, settings, _options, given = '') => {
        const file = resolve(cli.cwd, given)
        const { onProgress, end } = copyProgress(cli)
        const made = await backUpInstallation({ settings, file, onProgress })
        end()
        if (made.isErr()) return err(made.error)
        const { bytes, backedUpAtMicros, contents, missingFiles } = made.value
        commandAudit(cli.stderr, settings)?.('backup_made', { backed_up_at: isoMicros(backedUpAtMicros) })
        const answered = await output.answer({
          text:
            `The backup was made at ${isoMicros(backedUpAtMicros)}. It takes ${sizeText(bytes)} and is verified.\n` +
            contentsText(contents),
          json: toWireBackup(file, made.value),
        })
        if (answered.isErr()) return answered
        return reportMissing(cli, missingFiles, 'backup_incomplete')
      }),
    )
}

function addRestore(program: Command, cli: Cli): void {
  addCommand(program, 'restore', {
    description:
      'Creates the database and the files from a backup when there is no database; a restore never overwrites anything. Opens that were spent and ' +
      'tokens that were revoked since the backup would come back. So the texts of secrets with an open limit are destroyed and all access ' +
      'tokens are revoked, unless an option says otherwise. What has expired is erased. Needs the key file. Everything that was ' +
      'restored is authenticated: rows that do not decrypt are named, and the exit code is 1.',
    examples: '$ sotto restore /backups/sotto-2026-11-20.backup && sotto token create --help',
  })
    .summary('creates the database from a backup')
    .argument('<file>', 'the backup')
    .option(
      '--keep-limited',
      'keep the texts of secrets with an open limit, and open requests: opens and answers spent since the backup come back',
      false,
    )
    .option('--keep-tokens', 'keep access tokens: those revoked since the backup are accepted again', false)
    .action(
      plainCommand<RestoreChoices>(cli, async (output, settings, choices, given = '') => {
        const file = resolve(cli.cwd, given)
        const clock = createSystemClock()
        const { keepLimited, keepTokens } = choices
        const { onProgress, end } = copyProgress(cli)
        const done = await restoreInstallation({ settings, file, keepLimited, keepTokens, onProgress, clock })
        end()
        if (done.isErr()) return err(done.error)
        commandAudit(cli.stderr, settings)?.('backup_restored', {
          backed_up_at: isoMicros(done.value.backedUpAtMicros),
          revoked_tokens: done.value.revokedTokens,
          destroyed_notes: done.value.destroyedNotes,
        })
        const ageSeconds = (clock.nowMicros() - done.value.backedUpAtMicros) / 1e6
        const { corrupted } = done.value
        const answered = await output.answer({
          text: restoredText(done.value, choices, ageSeconds),
          json: toWireRestored(done.value, ageSeconds, corrupted.unwrapOr(undefined)),
        })
        if (answered.isErr()) return answered
        const complete = reportMissing(cli, done.value.missingFiles, 'restored_incomplete')
        const sound = reportCorruption(cli, corrupted)
        return sound.isErr() ? sound : complete
      }),
    )
}

/** Corrupted rows and missing files that are named one by one; `sotto damage list` and `sotto doctor` name all. */
const namedMax = 20

function reportMissing(
  { stderr }: Cli,
  missing: readonly MissingFile[],
  code: BackupIncomplete['code'],
): Result<void, BackupIncomplete> {
  const files = missing.length
  for (const { id, secretId } of missing.slice(0, namedMax))
    stderr.write(`sotto: the content of file ${id} of the secret or draft ${secretId} is missing\n`)
  if (files > namedMax) stderr.write(`sotto: and ${files - namedMax} more\n`)
  return files === 0 ? ok() : err({ code, files })
}

function reportCorruption(
  { stderr }: Cli,
  corrupted: RestoredInstallation['corrupted'],
): Result<void, RestoredCorrupted | RestoredUnchecked> {
  if (corrupted.isErr()) return err({ code: 'restored_unchecked' })
  const rows = corrupted.value.length
  for (const { error } of corrupted.value.slice(0, namedMax))
    stderr.write(`sotto: ${corruptionText(error)}\n`)
  if (rows > namedMax) stderr.write(`sotto: and ${rows - namedMax} more\n`)
  return rows === 0 ? ok() : err({ code: 'restored_damaged', rows })
}

function copyProgress({ stderr }: Cli): { onProgress: (progress: CopyProgress) => void; end: () => void } {
  const { show, end } = createProgress(stderr)
  const onProgress = ({ copiedBytes, totalBytes }: CopyProgress): void =>
    show(`${Math.floor((100 * copiedBytes) / Math.max(1, totalBytes))} % of ${sizeText(totalBytes)}`)
  return { onProgress, end }
}

function contentsText({ accounts, folders, drafts, secrets, accessTokens, ...rest }: Contents): string {
  const { files, fileBytes, kids } = rest
  const parts = [
    counted(accounts, 'account'),
    counted(folders, 'folder'),
    counted(drafts, 'draft'),
    counted(secrets, 'shared secret'),
    counted(accessTokens, 'access token'),
    ...(files === 0 ? [] : [`${counted(files, 'file')} (${sizeText(fileBytes)})`]),
  ]
  const keys =
    kids.length === 0 ? '' : `, under ${kids.length === 1 ? 'key' : 'keys'} ${listed(kids.map(String))}`
  return `It contains ${listed(parts)}${keys}.`
}

function restoredText(
  done: Restored,
  { keepLimited, keepTokens }: RestoreChoices,
  ageSeconds: number,
): string {
  const { backedUpAtMicros, contents, erasedSecrets, destroyedNotes, closedRequests, revokedTokens } = done
  const age =
    ageSeconds < -60
      ? `is from ${timeText(-ageSeconds)} in the future (check the clock of this machine)`
      : `is ${timeText(ageSeconds)} old`
  return [
    `The database was restored from a backup that ${age}: made at ${isoMicros(backedUpAtMicros)}.`,
    contentsText(contents),
    `Erased: ${counted(erasedSecrets, 'expired secret')}.`,
    keepLimited
      ? 'Kept: texts of secrets with an open limit, with the opens that were spent before the backup; and open requests.'
      : `Destroyed: the text of ${counted(destroyedNotes, 'secret')} with an open limit, because opens spent since the backup would come back.`,
    ...(contents.files === done.restoredFiles
      ? []
      : [`Left out: ${counted(contents.files - done.restoredFiles, 'file')} of those secrets.`]),
    ...(closedRequests === 0
      ? []
      : [
          `Closed: ${counted(closedRequests, 'request')}, for the same reason: they would take answers again.`,
        ]),
    keepTokens
      ? 'Kept: access tokens, including those that were revoked since the backup.'
      : `Revoked: ${counted(revokedTokens, 'access token')}. For new ones see: sotto token create --help`,
  ].join('\n')
}
