import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Pages } from '@sotto/core'
import { runProgram } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'
import { compileCache } from '../support/child.ts'
import { addOwner, type Owner } from '../support/owner.ts'
import { databaseOf, openPlace, placeIn, type Place } from '../support/place.ts'

const child = fileURLToPath(new URL('./write-process.ts', import.meta.url))

/** A process that writes to an installation. */
export interface Writer {
  readonly owner: Owner
  /** How many of its writes have been acknowledged. */
  acknowledged(): number
  stop(): Promise<void>
}

export async function startWriter({ directory, env }: Place): Promise<Writer> {
  const installation = await openPlace(placeIn(directory))
  const owner = await addOwner(installation.sotto)
  await installation.close()
  const { accountId, folderId } = owner
  const writer = spawn(process.execPath, [child, directory, accountId, folderId], {
    env: { ...env, NODE_COMPILE_CACHE: compileCache },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let acknowledged = 0
  writer.stdout
    .setEncoding('utf8')
    .on('data', (text: string) => (acknowledged += text.split('\n').length - 1))
  await once(writer.stdout, 'data')
  const ended = once(writer, 'close')
  return {
    owner,
    acknowledged: () => acknowledged,
    async stop() {
      writer.kill('SIGKILL')
      await ended
    },
  }
}

/** Makes a backup while the writer writes, restores it into a directory of its own, and returns what is wrong with it. */
export async function checkBackup(
  place: Place,
  writer: Writer,
  scratch = place.directory,
): Promise<readonly string[]> {
  const acknowledged = writer.acknowledged()
  const file = join(scratch, 'one.backup')
  await sotto(place, ['backup', file])
  const elsewhere = withKeysOf(place, join(scratch, 'restored'))
  await sotto(elsewhere, ['restore', file, '--keep-limited', '--keep-tokens'])
  const errors = await check(elsewhere, writer.owner, acknowledged)
  rmSync(file)
  elsewhere.remove()
  return errors
}

/** The same with a plain copy of the file, which is not a backup. */
export async function checkCopy(place: Place, writer: Writer): Promise<readonly string[]> {
  const acknowledged = writer.acknowledged()
  const elsewhere = withKeysOf(place, join(place.directory, 'copied'))
  mkdirSync(elsewhere.settings.dataDir, { recursive: true })
  cpSync(databaseOf(place), databaseOf(elsewhere))
  const errors = await check(elsewhere, writer.owner, acknowledged).catch(() => ['it cannot be opened'])
  elsewhere.remove()
  return errors
}

/** A place with the keys of another one, and nothing else. */
function withKeysOf({ settings: { keysFile } }: Place, directory: string): Place {
  const place = placeIn(directory)
  cpSync(dirname(keysFile), dirname(place.settings.keysFile), { recursive: true })
  return place
}

/** Runs the command in this process. Throws unless it succeeds. */
async function sotto({ directory, env }: Place, args: readonly string[]): Promise<void> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const errors = text(stderr)
  const code = await runProgram(args, { env, cwd: directory, stdin, stdout: stdout.resume(), stderr })
  stderr.end()
  if (code !== 0) throw new Error(await errors)
}

/**
 * Checks that a database holds the state of one point in time. Numbers have no gap, everything is there that was acknowledged before, and
 * each draft has a secret. Each note is complete, or was destroyed together with its last open. Returns what is wrong.
 */
async function check(place: Place, { accountId }: Owner, acknowledged: number): Promise<readonly string[]> {
  const installation = await openPlace(place)
  const { sotto, storage } = installation
  const findings = await storage.upkeep.examine()
  const errors = findings.filter(({ ok }) => ok === false).map(({ text }) => text)
  const expect = (what: string, ok: boolean): void => {
    if (!ok) errors.push(what)
  }
  const secrets = await entriesOf(sotto.listSecrets({ accountId }))
  const drafts = (await entriesOf(sotto.listDrafts({ accountId }))).length
  const byNumber = secrets.sort((one, other) => Number(one.label) - Number(other.label))
  expect(
    'numbers have gaps',
    byNumber.every(({ label }, at) => label === `${at}`),
  )
  expect(`${secrets.length} of ${acknowledged}`, secrets.length >= acknowledged)
  expect(`${drafts} drafts of ${secrets.length}`, drafts === secrets.length || drafts === secrets.length - 1)
  for (const { label, openLimit, link } of byNumber) {
    const opened = await sotto.openSecret({ token: link.token })
    const isComplete =
      opened.isOk() &&
      opened.value.note.startsWith(`note ${label} `) &&
      /^note \d+ \.+$/.test(opened.value.note)
    const isDestroyed = opened.isErr() && opened.error.code === 'link_not_found' && openLimit === 1
    expect(`the note of ${label}`, isComplete || isDestroyed)
  }
  await installation.close()
  return errors
}

/** Every entry of a list, each page of which must be Ok. */
async function entriesOf<T, E>(pages: Pages<T, E>): Promise<T[]> {
  const entries: T[] = []
  for await (const page of pages) entries.push(...expectOk(page).items)
  return entries
}
