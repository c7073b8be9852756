import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expectOk } from '@sotto/test-kit'
import { backUpInstallation, restoreInstallation } from '../../../src/backups.ts'
import { addOwner, entriesOf, openIn, settingsIn, type Owner } from '../../support/installation.ts'

const child = fileURLToPath(new URL('./write-for-ever.ts', import.meta.url))

/** A process that writes to an installation. */
export interface Writer {
  readonly owner: Owner
  /** How many of its writes have been acknowledged. */
  acknowledged(): number
  stop(): Promise<void>
}

export async function startWriter(cwd: string): Promise<Writer> {
  const installation = await openIn(cwd)
  const owner = await addOwner(installation)
  await installation.close()
  const { accountId, folderId } = owner
  const writer = spawn(process.execPath, [child, cwd, accountId, folderId], {
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
export async function checkBackup(cwd: string, writer: Writer, scratch: string): Promise<readonly string[]> {
  const acknowledged = writer.acknowledged()
  const file = join(scratch, 'one.backup')
  expectOk(await backUpInstallation({ settings: settingsIn(cwd), file }))
  const elsewhere = join(scratch, 'restored')
  mkdirSync(elsewhere)
  cpSync(join(cwd, 'keys'), join(elsewhere, 'keys'), { recursive: true })
  const settings = settingsIn(elsewhere)
  expectOk(await restoreInstallation({ settings, file, keepLimited: true, keepTokens: true }))
  const errors = await check(elsewhere, writer.owner, acknowledged)
  for (const path of [file, elsewhere]) rmSync(path, { recursive: true })
  return errors
}

/** The same with a plain copy of the file, which is not a backup. */
export async function checkCopy(cwd: string, writer: Writer, scratch: string): Promise<readonly string[]> {
  const acknowledged = writer.acknowledged()
  const elsewhere = join(scratch, 'copied')
  mkdirSync(join(elsewhere, 'data'), { recursive: true })
  cpSync(join(cwd, 'keys'), join(elsewhere, 'keys'), { recursive: true })
  cpSync(join(cwd, 'data', 'sotto.sqlite'), join(elsewhere, 'data', 'sotto.sqlite'))
  const errors = await check(elsewhere, writer.owner, acknowledged).catch(() => ['it cannot be opened'])
  rmSync(elsewhere, { recursive: true })
  return errors
}

/**
 * Checks that a database holds the state of one point in time: numbers without a gap, everything that was acknowledged before, a secret for
 * each draft, and each note complete, or destroyed together with its last open. Returns what is wrong.
 */
async function check(cwd: string, { accountId }: Owner, acknowledged: number): Promise<readonly string[]> {
  const installation = await openIn(cwd)
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
