import { setTimeout as sleep } from 'node:timers/promises'
import type { KeyStatus, RotationProgress } from '@sotto/core'
import { toWireKey, toWireRetiredKey, toWireRotation, toWireWaitingKey } from '@sotto/wire'
import { InvalidArgumentError, type Command } from 'commander'
import { err, type Result } from 'neverthrow'
import { backupsUnder, corruptionText, counted, listed } from '../shared/text.ts'
import { addCommand, storeCommand, type Cli, type StoreContext } from '../cli/command.ts'
import type { CliError } from '../errors/errors.ts'
import { whenEverywhere } from './key-wait.ts'
import { onePage, whole, timeCell, widths, type ListLayout } from '../cli/output.ts'
import { createProgress } from '../cli/progress.ts'

/** `sotto keys …` */
export function addKeysCommands(program: Command, cli: Cli): void {
  const keys = program.command('keys').description('the keys that all confidential data is encrypted under')
  addAdd(keys, cli)
  addRotate(keys, cli)
  addStatus(keys, cli)
  addRetire(keys, cli)
}

function addAdd(keys: Command, cli: Cli): void {
  addCommand(keys, 'add', {
    description:
      'Adds a key that no row is written under yet. For servers with a key file each: copy the key file to all of them, then run ' +
      'keys rotate. Where there is one key file, keys rotate is enough.',
    examples: '$ sotto keys add && sotto keys status',
  }).action(
    storeCommand(cli, async ({ sotto, settings, output }) => {
      const added = await sotto.addKey()
      if (added.isErr()) return err(added.error)
      const { kid } = added.value
      const first = added.value.added ? `Key ${kid} was added` : `Key ${kid} was there already`
      const text =
        `${first}. No row is written under it yet. Copy ${settings.keysFile} to every other machine, ` +
        'then run sotto keys rotate.'
      return output.answer({ text, json: toWireWaitingKey(added.value) })
    }),
  )
}

function addRotate(keys: Command, cli: Cli): void {
  addCommand(keys, 'rotate', {
    description:
      'Makes the key that keys add has added the active one, or adds one itself, and moves all data to it, while the servers run. Needs ' +
      'no password. It waits up to 30 seconds for servers that lack the key, and names them then. After an interruption, run it again: it ' +
      'finishes the rotation. The old keys stay until they are retired.',
    examples: '$ sotto keys rotate && sotto keys status',
  }).action(storeCommand(cli, rotate))
}

async function rotate({ sotto, storage, output, stderr }: StoreContext): Promise<Result<void, CliError>> {
  const progress = createProgress(stderr)
  const onProgress = ({ kid, rewrapped }: RotationProgress): void =>
    progress.show(`${counted(rewrapped, 'row')} moved to key ${kid}`)
  const rotated = await whenEverywhere({
    attempt: () => sotto.rotateKeys({ onProgress }),
    onWait: (names) => progress.show(`waiting for the key to be on ${listed(names)}`),
    pause: (millis) => sleep(millis),
  })
  progress.end()
  if (rotated.isErr()) return err(rotated.error)
  // Removes what was under the old key from the database's files. If another process is in the way, that process does it a little later.
  storage.erasure.finish()
  const status = await sotto.keyStatus()
  if (status.isErr()) return err(status.error)
  const answered = await output.answer({
    text: rotationText(rotated.value, status.value),
    json: toWireRotation(rotated.value),
  })
  const rows = rotated.value.corrupted.length
  return answered.isOk() && rows > 0 ? err({ code: 'rows_damaged', rows }) : answered
}

function rotationText(done: RotationProgress, status: readonly KeyStatus[]): string {
  const { kid, added, rewrapped, corrupted } = done
  const rows = `${counted(rewrapped, 'row was', 'rows were')} moved to it`
  const first = added
    ? `Key ${kid} was added and is active: ${rows}.`
    : `An interrupted rotation was finished. Key ${kid} is active: ${rows}. No key was added.`
  const free = status
    .filter((key) => !key.active && !key.waiting && key.rows === 0)
    .map((key) => String(key.kid))
  const last =
    free.length === 0
      ? []
      : [
          `No row is under ${free.length === 1 ? 'key' : 'keys'} ${listed(free)} any more: see sotto keys retire --help.`,
        ]
  return [
    first,
    ...corrupted.map((error) => `${corruptionText(error)}: it was left as it is.`),
    ...last,
  ].join('\n')
}

function addStatus(keys: Command, cli: Cli): void {
  addCommand(keys, 'status', {
    description: 'Lists the keys, how many rows are under each, and which servers lack it.',
    examples: '$ sotto keys status',
  }).action(
    storeCommand(cli, ({ sotto, output }) => output.list(onePage(sotto.keyStatus().map(whole)), layout)),
  )
}

const layout: ListLayout<KeyStatus> = {
  columns: [
    { title: 'KEY', width: 6, text: ({ kid }) => String(kid) },
    { title: 'CREATED', width: widths.time, text: ({ createdAtMicros }) => timeCell(createdAtMicros) },
    { title: 'ACTIVE', width: 6, text: ({ active, waiting }) => (active ? 'yes' : waiting ? 'waits' : 'no') },
    { title: 'ROWS', width: 8, text: ({ rows }) => String(rows) },
    {
      title: 'LACKED BY',
      text: ({ lackedBy }) => listed(lackedBy.map(({ name }) => name)) || 'none',
    },
  ],
  json: toWireKey,
}

function addRetire(keys: Command, cli: Cli): void {
  addCommand(keys, 'retire', {
    description:
      'Removes a key from the database and from the key file for good. Refused while a row is under it. Backups that were made ' +
      'under it still need it: keep a copy of the key file with them. Without --yes it only says which backups those are.',
    examples: '$ sotto keys retire 1 --yes',
  })
    .argument('<kid>', 'the number of the key (see: sotto keys status)', kidArgument)
    .option('--yes', 'confirms that you need no backup under the key, or have a copy of the key file')
    .action(storeCommand<RetireOptions>(cli, retire))
}

interface RetireOptions {
  readonly yes?: true
}

async function retire(
  { sotto, output }: StoreContext,
  { yes }: RetireOptions,
  given?: string,
): Promise<Result<void, CliError>> {
  const kid = Number(given)
  const status = await sotto.keyStatus()
  if (status.isErr()) return err(status.error)
  // A key that the database does not know is one whose retirement was interrupted, or none.
  const key = status.value.find((each) => each.kid === kid)
  if (key !== undefined && yes === undefined) return err(refusalOf(key))
  const retired = await sotto.retireKey({ kid })
  if (retired.isErr()) return err(retired.error)
  const rest = key === undefined ? '' : `\nOnly a copy of the key file can restore ${backupsUnder(key)}.`
  return output.answer({ text: `Key ${kid} is retired.${rest}`, json: toWireRetiredKey(kid) })
}

function refusalOf({ kid, active, rows, replacedAtMicros }: KeyStatus): CliError {
  if (active || rows > 0) return { code: 'key_in_use', rows }
  return { code: 'retirement_unconfirmed', kid, replacedAtMicros }
}

function kidArgument(text: string): string {
  if (!/^[1-9][0-9]{0,9}$/.test(text)) throw new InvalidArgumentError('must be the number of a key')
  return text
}
