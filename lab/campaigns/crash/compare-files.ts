import type { Uuid } from '@sotto/core'
import type { Installation } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'
import { readTicketWhole, wholeOf } from '../support/files.ts'
import type { Entry, Ledger } from './ledger.ts'

type Ports = Installation['ports']

/** The text of a decrypted note, and what it says of its file, read as docs/encryption.md describes it. */
export function partsOf(note: string): { readonly text: string; readonly file: KeyedFile | undefined } {
  const [text = '', files = '[]'] = note.split('\0')
  const [file] = JSON.parse(files) as readonly KeyedFile[]
  return { text, file }
}
type KeyedFile = readonly [id: Uuid, key: string, name: string, size: number, type: string]

/** A file must be the one that was sent: read with the key in its note, and with each of its tickets. */
export async function compareKeyedFile(
  { fileCipher, fileContents }: Ports,
  ledger: Ledger,
  entry: Entry,
  file: KeyedFile | undefined,
): Promise<void> {
  if (file === undefined) {
    compareContent(ledger, entry)
    return
  }
  const [fileId, key, , size] = file
  const place = { accountId: ledger.accountId, secretId: entry.id ?? '', fileId }
  const read = fileCipher.decryptFile(
    place,
    { key: Buffer.from(key, 'base64url'), size },
    { start: 0, end: size },
    (range) => fileContents.read(fileId, range),
  )
  compareContent(ledger, entry, await wholeOf(read))
}

export async function compareTickets(
  { sotto }: Pick<Installation, 'sotto'>,
  ledger: Ledger,
  entry: Entry,
): Promise<void> {
  for (const ticket of entry.tickets ?? [])
    compareContent(ledger, entry, await readTicketWhole(sotto, ticket))
}

function compareContent(
  { violations, figures }: Ledger,
  { label, file }: Entry,
  found?: Buffer | string,
): void {
  if (file === undefined && found === undefined) return
  figures.filesCompared += 1
  if (typeof found === 'string') violations.push(`${label}: its file gets ${found}`)
  else if (found === undefined || file?.equals(found) !== true)
    violations.push(`${label}: its file is not what was sent`)
}

/**
 * Sweeps, and compares what is left of contents with the rows, and these with the account's sum. The installation has a clock in whose time
 * all tickets are over, and what no row names is old enough.
 */
export async function compareSwept({ sotto, ports }: Installation, ledger: Ledger): Promise<void> {
  expectOk(await sotto.sweepFiles({ withOrphans: true }))
  const rows = expectOk(await ports.secretFiles.page({}, undefined, 10_000))
  const contents = expectOk(await ports.fileContents.page(undefined, 10_000))
  const ids = (all: readonly { readonly id: Uuid }[]): string => all.map(({ id }) => id).join()
  if (ids(rows) !== ids(contents))
    ledger.violations.push(
      `after a sweep there are ${contents.length} contents and ${rows.length} rows of files`,
    )
  const byId = new Map([...ledger.entries.values()].map((entry) => [entry.id, entry]))
  const sizes = rows.map(({ secretId }) => byId.get(secretId)?.file?.length)
  if (sizes.includes(undefined)) ledger.violations.push('a file belongs to no secret that was acknowledged')
  const sum = contents.reduce((total, { length }) => total + length, 0)
  const counted = expectOk(await ports.secretFiles.bytesOf(ledger.accountId))
  if (counted !== sum) ledger.violations.push(`${sum} bytes of files are stored, ${counted} are counted`)
}
