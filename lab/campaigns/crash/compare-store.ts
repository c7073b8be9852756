import { uuidToFind } from '@sotto/core'
import type { Installation } from '@sotto/server'
import { expectOk, linkRecordOf, recordWithNote } from '@sotto/test-kit'
import { compareKeyedFile, compareTickets, partsOf } from './compare-files.ts'
import { isGone, type Entry, type Ledger, type Status } from './ledger.ts'

type Ports = Installation['ports']

/** The secrets of a list by label. */
export type ListedSecrets = ReadonlyMap<string, { readonly id: string; readonly token: string }>

export interface CompareOptions {
  readonly installation: Pick<Installation, 'sotto' | 'storage' | 'ports'>
  /** Gets the violations, and the outcome of requests that were under way at the crash. */
  readonly ledger: Ledger
  /** The shareable secrets as the account's list shows them. */
  readonly secrets: ListedSecrets
  /** Whether notes with a password are decrypted as well, which is slow. */
  readonly withPasswords: boolean
}

/**
 * Compares a store after a crash with what was acknowledged before it. A request that was under way at the crash may have happened or
 * not: its outcome is looked up now, and must stay the same from then on. Resolves with the number of drafts.
 */
export async function compareStore(options: CompareOptions): Promise<number> {
  const { installation, ledger, secrets, withPasswords } = options
  const { ports, storage } = installation
  for (const { check, ok, text } of await storage.upkeep.examine()) {
    if (ok === false) ledger.violations.push(`the database is not sound: ${check}: ${text}`)
  }
  const drafts = await draftIds(installation, ledger)
  for (const label of [...secrets.keys(), ...drafts.keys()]) {
    if (!ledger.entries.has(label)) ledger.violations.push(`${label}: it was never requested`)
  }
  for (const entry of ledger.entries.values()) {
    settle(ledger, entry, statusOf(entry, secrets, drafts))
    await compareEntry(ports, ledger, entry, withPasswords)
    await compareTickets(installation, ledger, entry)
  }
  return drafts.size
}

/** The ids of the drafts by label. */
async function draftIds(
  { sotto }: CompareOptions['installation'],
  { accountId }: Ledger,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for await (const page of sotto.listDrafts({ accountId })) {
    for (const { label, id } of expectOk(page).items) found.set(label, id)
  }
  return found
}

interface Found {
  readonly status: Status
  readonly id?: string
  readonly token?: string
}

function statusOf({ label }: Entry, secrets: ListedSecrets, drafts: ReadonlyMap<string, string>): Found {
  const secret = secrets.get(label)
  if (secret !== undefined) return { status: 'shared', ...secret }
  const id = drafts.get(label)
  return id === undefined ? { status: 'absent' } : { status: 'draft', id }
}

function settle({ violations, figures }: Ledger, entry: Entry, { status, id, token }: Found): void {
  const { label, possible } = entry
  if (!possible.includes(status)) violations.push(`${label}: ${status}, not ${possible.join(' or ')}`)
  if (possible.length > 1) figures[status === possible[0] ? 'cutOffUndone' : 'cutOffDone'] += 1
  entry.possible = [status]
  if (id !== undefined && (entry.id ??= id) !== id) violations.push(`${label}: its id has changed`)
  if (token !== undefined && (entry.token ??= token) !== token)
    violations.push(`${label}: its link has changed`)
}

async function compareEntry(
  ports: Ports,
  ledger: Ledger,
  entry: Entry,
  withPasswords: boolean,
): Promise<void> {
  const [status] = entry.possible
  if (status === 'draft') await compareDraft(ports, ledger, entry)
  else if (status === 'shared' && entry.token !== undefined)
    await compareLink(ports, ledger, entry, { token: entry.token, withPasswords })
}

/** The note must be the one that was sent, unless it was opened as often as allowed; and the opens must be counted. */
async function compareLink(
  ports: Ports,
  ledger: Ledger,
  entry: Entry,
  { token, withPasswords }: { readonly token: string; readonly withPasswords: boolean },
): Promise<void> {
  const lookup = ports.digests.linkLookup(token)
  const record = await linkRecordOf(ports, lookup)
  if (record === undefined) return void ledger.violations.push(`${entry.label}: its link finds nothing`)
  compareOpens(ledger, entry, record.state)
  if (!record.state.hasNote || (entry.password !== undefined && !withPasswords)) return
  const found = await recordWithNote(ports, lookup)
  if (found?.note === undefined) return void ledger.violations.push(`${entry.label}: its note is missing`)
  const note = await ports.secretCipher.decryptNote(found.secret, found.note, entry.password)
  await compareNote(ports, ledger, entry, note.unwrapOr(undefined))
}

function compareOpens(
  { violations, figures }: Ledger,
  entry: Entry,
  { opens: counted, hasNote }: { readonly opens: number; readonly hasNote: boolean },
): void {
  const { label, opens, delivered } = entry
  if (counted < opens.least || counted > opens.most) {
    violations.push(`${label}: ${counted} opens are counted, not ${opens.least} to ${opens.most}`)
  }
  figures.opensLost += counted - opens.least
  opens.least = opens.most = counted
  if (counted < delivered) violations.push(`${label}: delivered ${delivered} times, counted ${counted}`)
  if (hasNote === isGone(entry, counted)) {
    const note = hasNote ? 'present' : 'gone'
    violations.push(`${label}: ${counted} of ${String(entry.openLimit)} opens, and its note is ${note}`)
  }
}

async function compareDraft(ports: Ports, ledger: Ledger, entry: Entry): Promise<void> {
  const draft = expectOk(await ports.drafts.find(ledger.accountId, uuidToFind(entry.id ?? '')))
  if (draft === undefined) return void ledger.violations.push(`${entry.label}: the draft is not found`)
  const note = await ports.secretCipher.decryptNote(draft.secret, draft.note, undefined)
  await compareNote(ports, ledger, entry, note.unwrapOr(undefined))
}

async function compareNote(
  ports: Ports,
  ledger: Ledger,
  entry: Entry,
  found: string | undefined,
): Promise<void> {
  const { label, note } = entry
  ledger.figures.notesCompared += 1
  if (found === undefined) return void ledger.violations.push(`${label}: its note does not decrypt`)
  const { text, file } = partsOf(found)
  if (text !== note) ledger.violations.push(`${label}: its note is not what was sent`)
  await compareKeyedFile(ports, ledger, entry, file)
}
