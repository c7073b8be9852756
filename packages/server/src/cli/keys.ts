import {
  keyStatus,
  retireKey,
  rotateKeys,
  type DecryptError,
  type KeyStatus,
  type RotationProgress,
  type Slices,
  type StorageError,
} from '@sotto/core'
import { InvalidArgumentError, type Command } from 'commander'
import { err, ok, type Result } from 'neverthrow'
import { addCommand, storeCommand, type Cli, type StoreContext } from './command.ts'
import { counted, listed } from './counting.ts'
import type { CliFault } from './faults.ts'
import { widths, type ListLayout } from './output.ts'
import { createProgress } from './progress.ts'
import { timeOrEmpty, timeOrNull } from './wire.ts'

/** `sotto keys …` */
export function addKeysCommands(program: Command, cli: Cli): void {
  const keys = program.command('keys').description('the keys that everything confided is encrypted under')
  addRotate(keys, cli)
  addStatus(keys, cli)
  addRetire(keys, cli)
}

function addRotate(keys: Command, cli: Cli): void {
  addCommand(keys, 'rotate', {
    description:
      'Adds a key and puts everything under it, while the server serves. Needs no password. When it was cut off, running it again ' +
      'finishes it without adding another key. The old keys stay until they are retired.',
    examples: '$ sotto keys rotate && sotto keys status',
  }).action(storeCommand(cli, rotate))
}

async function rotate({ installation, output, stderr }: StoreContext): Promise<Result<void, CliFault>> {
  const { rotation, erasure } = installation
  const progress = createProgress(stderr)
  const onProgress = ({ kid, rewrapped }: RotationProgress): void =>
    progress.show(`${counted(rewrapped, 'row')} put under key ${kid}`)
  const rotated = await rotateKeys(rotation, { onProgress })
  progress.end()
  if (rotated.isErr()) return err(rotated.error)
  // What was under the old key leaves the write-ahead log. Whoever is in the way of that does it himself a little later.
  erasure.finish()
  const status = await keyStatus(rotation)
  if (status.isErr()) return err(status.error)
  const told = await output.answer({
    text: rotationText(rotated.value, status.value),
    json: rotationJson(rotated.value),
  })
  const rows = rotated.value.damaged.length
  return told.isOk() && rows > 0 ? err({ code: 'rows_damaged', rows }) : told
}

function rotationText(done: RotationProgress, status: readonly KeyStatus[]): string {
  const { kid, added, rewrapped, damaged } = done
  const rows = `${counted(rewrapped, 'row was', 'rows were')} put under it`
  const first = added
    ? `Key ${kid} was added and is active: ${rows}.`
    : `A rotation that was cut off is finished. Key ${kid} is active: ${rows}. No key was added.`
  const free = status.filter((key) => !key.active && key.rows === 0).map((key) => String(key.kid))
  const last =
    free.length === 0
      ? []
      : [
          `Nothing is under ${free.length === 1 ? 'key' : 'keys'} ${listed(free)} any more: see sotto keys retire --help.`,
        ]
  return [first, ...damaged.map(damageText), ...last].join('\n')
}

function damageText(error: DecryptError): string {
  return error.code === 'data_damaged'
    ? `${error.what} of ${error.id} does not decrypt and was left as it is.`
    : `A row needs key ${error.kid}, which the key file lacks, and was left as it is.`
}

function rotationJson({ kid, added, rewrapped, damaged }: RotationProgress) {
  return { kid, added, rewrapped, damaged }
}

function addStatus(keys: Command, cli: Cli): void {
  addCommand(keys, 'status', {
    description: 'Lists the keys, and how many rows are under each.',
    examples: '$ sotto keys status',
  }).action(
    storeCommand(cli, async ({ installation, output }) => {
      const status = await keyStatus(installation.rotation)
      return status.isErr() ? err(status.error) : output.list(oneSlice(status.value), layout)
    }),
  )
}

// eslint-disable-next-line @typescript-eslint/require-await -- a list is read as it comes, also one that is there already
async function* oneSlice<T>(entries: readonly T[]): Slices<T, StorageError> {
  yield ok(entries)
}

const layout: ListLayout<KeyStatus> = {
  columns: [
    { title: 'KEY', width: 6, text: ({ kid }) => String(kid) },
    { title: 'CREATED', width: widths.time, text: ({ createdAtMicros }) => timeOrEmpty(createdAtMicros) },
    { title: 'ACTIVE', width: 6, text: ({ active }) => (active ? 'yes' : 'no') },
    { title: 'ROWS', width: 0, text: ({ rows }) => String(rows) },
  ],
  json: ({ kid, createdAtMicros, active, rows }) => ({
    kid,
    created_at: timeOrNull(createdAtMicros),
    active,
    rows,
  }),
}

function addRetire(keys: Command, cli: Cli): void {
  addCommand(keys, 'retire', {
    description:
      'Takes a key out of the database and of the key file for good. Refused while anything is under it. Backups made before need ' +
      'it still: keep a copy of the key file with them.',
    examples: '$ sotto keys retire 1',
  })
    .argument('<kid>', 'the number of the key (see: sotto keys status)', kidArgument)
    .action(
      storeCommand(cli, async ({ installation, output }, _options, given) => {
        const kid = Number(given)
        const retired = await retireKey(installation.rotation, { kid })
        if (retired.isErr()) return err(retired.error)
        return output.answer({ text: `Key ${kid} is retired.`, json: { kid, retired: true } })
      }),
    )
}

function kidArgument(text: string): string {
  if (!/^[1-9][0-9]{0,9}$/.test(text)) throw new InvalidArgumentError('must be the number of a key')
  return text
}
