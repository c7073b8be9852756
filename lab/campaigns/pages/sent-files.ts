import { shownText } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import type { Entries, PageForm } from './forms.ts'
import type { Step } from './inputs.ts'
import { accountMaxBytes, fileMaxBytes, type World } from './world.ts'

/** A file as a browser sends it, or as it is stored. */
export interface SentFile {
  readonly name: string
  readonly bytes: Buffer
}

/** The files that somebody chooses in a form; `undefined` where none can be chosen. */
export function chosenFiles(
  { takesFiles }: PageForm,
  { files }: Pick<Step, 'files'>,
): readonly SentFile[] | undefined {
  if (!takesFiles) return undefined
  return files.map(({ name, size, fill }) => ({
    name,
    bytes: Buffer.alloc(size, `\xff\r\n--${fill}\r\n`, 'latin1'),
  }))
}

const boundary = 'xboundary'
export const multipartType = `multipart/form-data; boundary=${boundary}`

/** A body as browsers write it (HTML, “multipart/form-data encoding algorithm”). Where no file was chosen, there is one without a name. */
export function inParts(entries: Entries, files?: readonly SentFile[]): Buffer {
  const part = (disposition: string, content: string | Buffer): readonly Buffer[] => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]
  const chosen = files?.length === 0 ? [{ name: '', bytes: Buffer.alloc(0) }] : (files ?? [])
  return Buffer.concat([
    ...entries.flatMap(([name, value]) => part(`name="${escaped(name)}"`, value)),
    ...chosen.flatMap(({ name, bytes }) =>
      part(`name="files"; filename="${escaped(name)}"\r\nContent-Type: text/html`, bytes),
    ),
    Buffer.from(`--${boundary}--\r\n`),
  ])
}

const escapes: Readonly<Record<string, string>> = { '"': '%22', '\r': '%0D', '\n': '%0A' }

function escaped(name: string): string {
  return name.replaceAll(/["\r\n]/g, (character) => escapes[character] ?? '')
}

/** The name that a file has for the server: it cannot tell an escape of a browser from one that somebody typed. */
export function arrivedName(name: string): string {
  return name.toWellFormed().replaceAll(/%(?:22|0D|0A)/gi, (escape) => decodeURIComponent(escape))
}

/** Whether the names of the files can be read, so that the form is shown again when they are refused. */
export function areReadable(files: readonly SentFile[] = []): boolean {
  return !files.some(({ name }) => /[\p{Cc}\\]/u.test(arrivedName(name)))
}

/** What a name must not have: a path, characters that control something or that nobody sees. */
function isBadName(name: string): boolean {
  return /[/\\]|^\.{0,2}$/u.test(name) || shownText(name) !== name || Buffer.byteLength(name) > 255
}

/** Whether files are taken that come to those which a draft keeps; `undefined` where that is not known. */
export async function areTaken(
  world: World,
  { accountId }: { readonly accountId: string },
  files: readonly SentFile[] = [],
  kept: readonly SentFile[] | undefined,
): Promise<boolean | undefined> {
  const names = files.map(({ name }) => arrivedName(name))
  if (names.some(isBadName)) return false
  if (files.length > 10 || files.some(({ bytes }) => bytes.length > fileMaxBytes)) return false
  const { usedBytes } = expectOk(await world.sotto.fileUsage({ accountId }))
  const fits =
    usedBytes + files.reduce((sum, { bytes }) => sum + world.countOf(bytes.length), 0) <= accountMaxBytes
  if (files.length === 0) return true
  // Removed ones make room.
  if (kept === undefined || (kept.length > 0 && !fits)) return undefined
  return kept.length + files.length > 10 ? undefined : fits
}
