import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listDrafts, listSecrets, openSecret } from '@sotto/core'
import { backUpInstallation, restoreInstallation } from '../../../src/backups.ts'
import { addCast, okOf, openIn, settingsIn, type Cast } from './world.ts'

const child = fileURLToPath(new URL('./write-for-ever.ts', import.meta.url))

/** A process that writes to an installation. */
export interface Writer {
  readonly cast: Cast
  /** How many of its writes have been acknowledged. */
  acknowledged(): number
  stop(): Promise<void>
}

export async function startWriter(cwd: string): Promise<Writer> {
  const installation = await openIn(cwd)
  const cast = await addCast(installation)
  await installation.close()
  const { accountId, folderId } = cast
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
    cast,
    acknowledged: () => acknowledged,
    async stop() {
      writer.kill('SIGKILL')
      await ended
    },
  }
}

/** Makes a backup while somebody writes, restores it into a directory of its own, and says what is wrong with it: nothing, hopefully. */
export async function backUpAndJudge(
  cwd: string,
  writer: Writer,
  scratch: string,
): Promise<readonly string[]> {
  const acknowledged = writer.acknowledged()
  const file = join(scratch, 'one.backup')
  await okOf(backUpInstallation({ settings: settingsIn(cwd), file }))
  const elsewhere = join(scratch, 'restored')
  mkdirSync(elsewhere)
  cpSync(join(cwd, 'keys'), join(elsewhere, 'keys'), { recursive: true })
  const settings = settingsIn(elsewhere)
  await okOf(restoreInstallation({ settings, file, keepLimited: true, keepTokens: true }))
  const faults = await judge(elsewhere, writer.cast, acknowledged)
  for (const path of [file, elsewhere]) rmSync(path, { recursive: true })
  return faults
}

/** The same with a copy of the file, which is no backup. */
export async function copyAndJudge(cwd: string, writer: Writer, scratch: string): Promise<readonly string[]> {
  const acknowledged = writer.acknowledged()
  const elsewhere = join(scratch, 'copied')
  mkdirSync(join(elsewhere, 'data'), { recursive: true })
  cpSync(join(cwd, 'keys'), join(elsewhere, 'keys'), { recursive: true })
  cpSync(join(cwd, 'data', 'sotto.sqlite'), join(elsewhere, 'data', 'sotto.sqlite'))
  const faults = await judge(elsewhere, writer.cast, acknowledged).catch(() => ['it cannot be opened'])
  rmSync(elsewhere, { recursive: true })
  return faults
}

/**
 * The state of one moment: numbers without a gap, nothing missing that was acknowledged before, no draft without its secret, and each
 * note there and whole, or destroyed together with its last open.
 */
async function judge(cwd: string, { accountId }: Cast, acknowledged: number): Promise<readonly string[]> {
  const installation = await openIn(cwd)
  const { ports, upkeep } = installation
  const faults = [...(await okOf(upkeep.inspect())).faults]
  const expect = (what: string, ok: boolean): void => {
    if (!ok) faults.push(what)
  }
  const secrets = []
  for await (const slice of listSecrets(ports, { accountId })) secrets.push(...slice._unsafeUnwrap())
  let drafts = 0
  for await (const slice of listDrafts(ports, { accountId })) drafts += slice._unsafeUnwrap().length
  const byNumber = secrets.sort((one, other) => Number(one.label) - Number(other.label))
  expect(
    'numbers have gaps',
    byNumber.every(({ label }, at) => label === `${at}`),
  )
  expect(`${secrets.length} of ${acknowledged}`, secrets.length >= acknowledged)
  expect(`${drafts} drafts of ${secrets.length}`, drafts === secrets.length || drafts === secrets.length - 1)
  for (const { label, openLimit, link } of byNumber) {
    const opened = await openSecret(ports, { token: link.token })
    const isWhole =
      opened.isOk() &&
      opened.value.note.startsWith(`note ${label} `) &&
      /^note \d+ \.+$/.test(opened.value.note)
    const isDestroyed = opened.isErr() && opened.error.code === 'link_not_found' && openLimit === 1
    expect(`the note of ${label}`, isWhole || isDestroyed)
  }
  await installation.close()
  return faults
}
