import { resolve } from 'node:path'
import type { Contents, CopyProgress, Restored } from '@sotto/adapter-sqlite'
import type { Command } from 'commander'
import { err } from 'neverthrow'
import { backUpInstallation, restoreInstallation } from '../backups.ts'
import { createSystemClock } from '../system-clock.ts'
import { addCommand, plainCommand, type Cli } from './command.ts'
import { counted, listed, sizeText, timeText } from './counting.ts'
import { createProgress } from './progress.ts'
import { timeOrEmpty, timeOrNull } from './wire.ts'

/** `sotto backup`, `sotto restore` */
export function addBackupCommands(program: Command, cli: Cli): void {
  addBackup(program, cli)
  addRestore(program, cli)
}

function addBackup(program: Command, cli: Cli): void {
  addCommand(program, 'backup', {
    description:
      'Makes a backup of the database while the server serves, and verifies it. It holds no key: keep a copy of the key file, but not ' +
      'in the same place. Counts of the quota are no part of it.',
    examples: '$ sotto backup /backups/sotto-$(date +%F).backup',
  })
    .argument('<file>', 'the backup, which must not be there yet')
    .action(
      plainCommand(cli, async (output, settings, _options, given = '') => {
        const file = resolve(cli.cwd, given)
        const { onProgress, end } = copyProgress(cli)
        const made = await backUpInstallation({ settings, file, onProgress })
        end()
        if (made.isErr()) return err(made.error)
        const { bytes, backedUpAtMicros, contents } = made.value
        return output.answer({
          text:
            `The backup was made at ${timeOrEmpty(backedUpAtMicros)}, has ${sizeText(bytes)} and is verified.\n` +
            contentsText(contents),
          json: { file, bytes, backed_up_at: timeOrNull(backedUpAtMicros), ...contentsJson(contents) },
        })
      }),
    )
}

interface RestoreOptions {
  readonly keepLimited: boolean
  readonly keepTokens: boolean
}

function addRestore(program: Command, cli: Cli): void {
  addCommand(program, 'restore', {
    description:
      'Makes the database out of a backup, when there is none; a restore never overwrites anything. What was opened or revoked since ' +
      'the backup would come back with it, so notes with an open limit are destroyed and all access tokens revoked, unless told ' +
      'otherwise. What has expired is erased. Needs the key file.',
    examples: '$ sotto restore /backups/sotto-2026-11-20.backup && sotto token create --help',
  })
    .argument('<file>', 'the backup')
    .option('--keep-limited', 'keep notes with an open limit: opens spent since the backup come back', false)
    .option('--keep-tokens', 'keep access tokens: those revoked since the backup are accepted again', false)
    .action(
      plainCommand<RestoreOptions>(cli, async (output, settings, options, given = '') => {
        const file = resolve(cli.cwd, given)
        const clock = createSystemClock()
        const { keepLimited, keepTokens } = options
        const { onProgress, end } = copyProgress(cli)
        const done = await restoreInstallation({ settings, file, keepLimited, keepTokens, onProgress, clock })
        end()
        if (done.isErr()) return err(done.error)
        const ageSeconds = (clock.nowMicros() - done.value.backedUpAtMicros) / 1e6
        return output.answer({
          text: restoredText(done.value, options, ageSeconds),
          json: restoredJson(done.value, ageSeconds),
        })
      }),
    )
}

function copyProgress({ stderr }: Cli): { onProgress: (progress: CopyProgress) => void; end: () => void } {
  const { show, end } = createProgress(stderr)
  const onProgress = ({ copiedBytes, totalBytes }: CopyProgress): void =>
    show(`${Math.floor((100 * copiedBytes) / Math.max(1, totalBytes))} % of ${sizeText(totalBytes)}`)
  return { onProgress, end }
}

function contentsText({ accounts, folders, drafts, secrets, accessTokens, kids }: Contents): string {
  const parts = [
    counted(accounts, 'account'),
    counted(folders, 'folder'),
    counted(drafts, 'draft'),
    counted(secrets, 'shared secret'),
    counted(accessTokens, 'access token'),
  ]
  const keys =
    kids.length === 0 ? '' : `, under ${kids.length === 1 ? 'key' : 'keys'} ${listed(kids.map(String))}`
  return `It holds ${listed(parts)}${keys}.`
}

function contentsJson({ kids, ...counts }: Contents) {
  return {
    accounts: counts.accounts,
    folders: counts.folders,
    drafts: counts.drafts,
    secrets: counts.secrets,
    expired_secrets: counts.expiredSecrets,
    access_tokens: counts.accessTokens,
    kids,
  }
}

function restoredText(
  done: Restored,
  { keepLimited, keepTokens }: RestoreOptions,
  ageSeconds: number,
): string {
  const { backedUpAtMicros, contents, purgedSecrets, destroyedNotes, revokedTokens } = done
  const age =
    ageSeconds < -60
      ? `lies ${timeText(-ageSeconds)} in the future (check the clock of this machine)`
      : `is ${timeText(ageSeconds)} old`
  return [
    `The database was restored from a backup that ${age}: made at ${timeOrEmpty(backedUpAtMicros)}.`,
    contentsText(contents),
    `Erased: ${counted(purgedSecrets, 'secret')} that expired.`,
    keepLimited
      ? 'Kept: notes with an open limit, with the opens that they had then.'
      : `Destroyed: ${counted(destroyedNotes, 'note')} with an open limit, whose spent opens would have come back.`,
    keepTokens
      ? 'Kept: access tokens, also those that were revoked since then.'
      : `Revoked: ${counted(revokedTokens, 'access token')}. For new ones see: sotto token create --help`,
  ].join('\n')
}

function restoredJson({ backedUpAtMicros, contents, ...done }: Restored, ageSeconds: number) {
  return {
    backed_up_at: timeOrNull(backedUpAtMicros),
    age_seconds: Math.floor(ageSeconds),
    ...contentsJson(contents),
    purged_secrets: done.purgedSecrets,
    destroyed_notes: done.destroyedNotes,
    revoked_tokens: done.revokedTokens,
  }
}
