import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sizeText } from '@sotto/system'
import { toWireMoved } from '@sotto/wire'
import { InvalidArgumentError, type Command } from 'commander'
import { err } from 'neverthrow'
import { transferInstallation, type TransferredInstallation, type TransferProgress } from './transfer.ts'
import type { StorageSettings } from '../installation/storage-driver.ts'
import { counted, listed } from '../shared/text.ts'
import { addCommand, plainCommand, type Cli } from '../cli/command.ts'
import { createProgress } from '../cli/progress.ts'

/** `sotto move` */
export function addMoveCommand(program: Command, cli: Cli): void {
  addCommand(program, 'move', {
    description:
      'Copies the installation to a PostgreSQL database or to a data directory, compares every row and the content of every file, and leaves the old place for good: ' +
      'nothing is erased there, but no server starts on it again. No process may use either place. The new place must be empty: nothing ' +
      'is ever overwritten. After an interruption, running it again continues. Sessions and the counters of the quota stay behind. The key ' +
      'file stays as it is. A password in the URL is visible to other users of the machine: use ~/.pgpass or PGPASSWORD.',
    examples:
      '$ sotto move --to postgres://sotto@db.example.org/sotto\n$ SOTTO_DATABASE_URL=postgres://… sotto move --to file:/var/lib/sotto',
  })
    .summary('moves the installation to another database')
    .requiredOption('--to <place>', 'postgres://… or file:DIRECTORY', (text) => placeOf(text, cli.cwd))
    .action(
      plainCommand<{ readonly to: StorageSettings }>(cli, async (output, settings, { to }) => {
        const { show, end } = createProgress(cli.stderr)
        const onProgress = (progress: TransferProgress): void => show(progressText(progress))
        const moved = await transferInstallation({ settings, to, onProgress })
        end()
        if (moved.isErr()) return err(moved.error)
        return output.answer({ text: movedText(moved.value), json: toWireMoved(moved.value) })
      }),
    )
}

function progressText(progress: TransferProgress): string {
  return progress.step === 'contents'
    ? `copied: ${counted(progress.files, 'file')}, ${sizeText(progress.bytes)}`
    : `${progress.step}: ${counted(progress.rows, 'row')} of ${progress.table}`
}

/** The storage settings of a place that a person names. */
function placeOf(text: string, cwd: string): StorageSettings {
  if (/^postgres(?:ql)?:\/\//.test(text))
    return { dataDir: cwd, database: { url: text, connectionsMax: 1, pipeline: false, prepare: false } }
  if (text.startsWith('file:///')) return { dataDir: fileURLToPath(text), database: undefined }
  const directory = /^file:(?!\/\/)(.+)$/s.exec(text)?.[1]
  if (directory !== undefined) return { dataDir: resolve(cwd, directory), database: undefined }
  throw new InvalidArgumentError('must be postgres://… or file:DIRECTORY')
}

function movedText({ from, to, rows, contents }: TransferredInstallation): string {
  const setting = to.includes('://') ? 'SOTTO_DATABASE_URL' : 'SOTTO_DATA_DIR'
  const next = `Set ${setting} and start the server. ${from} is left for good: remove it once the new place works, without the key file.`
  if (rows === undefined) return `Everything was moved to ${to} before.\n${next}`
  const parts = [
    counted(rows['accounts'] ?? 0, 'account'),
    counted(rows['folders'] ?? 0, 'folder'),
    counted(rows['secrets'] ?? 0, 'secret and draft', 'secrets and drafts'),
    counted(rows['access_tokens'] ?? 0, 'access token'),
    counted(rows['webhooks'] ?? 0, 'webhook'),
    ...(contents.files === 0 ? [] : [`${counted(contents.files, 'file')} (${sizeText(contents.bytes)})`]),
  ]
  return [
    `Everything was moved to ${to}, and compared row by row: ${listed(parts)}.`,
    "Sessions and the quota's counters stayed behind: owners sign in again.",
    next,
  ].join('\n')
}
