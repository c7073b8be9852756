import { listDrafts, nilUuid, parseUuid, type Uuid } from '../../../packages/core/src/index.ts'
import type { Installation } from '../../../packages/server/src/installation.ts'
import type { Entry, Ledger, Standing } from './ledger.ts'

type Ports = Installation['ports']

/** By label. */
export type ListedSecrets = ReadonlyMap<string, { readonly id: string; readonly token: string }>

export interface CompareOptions {
  readonly installation: Pick<Installation, 'ports' | 'upkeep'>
  /** Told what is violated, and what became of that which was under way. */
  readonly ledger: Ledger
  /** The shareable secrets as the account's list shows them. */
  readonly secrets: ListedSecrets
  /** Whether notes with a password are decrypted as well, which takes long. */
  readonly withPasswords: boolean
}

/**
 * Holds a store after a crash against what was acknowledged before it. What was under way at the crash may have happened or not: it
 * is looked up, and has to stay so from then on. Ok with the number of drafts.
 */
export async function compareStore(options: CompareOptions): Promise<number> {
  const { installation, ledger, secrets, withPasswords } = options
  const { ports, upkeep } = installation
  const inspected = (await upkeep.inspect())._unsafeUnwrap()
  for (const fault of inspected.faults) ledger.violations.push(`the database is not sound: ${fault}`)
  const drafts = await idsByLabel(ports, ledger.accountId)
  for (const label of [...secrets.keys(), ...drafts.keys()]) {
    if (!ledger.entries.has(label)) ledger.violations.push(`${label}: nobody has asked for it`)
  }
  for (const entry of ledger.entries.values()) {
    settle(ledger, entry, standingOf(entry, secrets, drafts))
    await compareNote(ports, ledger, entry, withPasswords)
  }
  return drafts.size
}

async function idsByLabel(ports: Ports, accountId: Uuid): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for await (const slice of listDrafts(ports, { accountId })) {
    for (const { label, id } of slice._unsafeUnwrap()) found.set(label, id)
  }
  return found
}

interface Found {
  readonly standing: Standing
  readonly id?: string
  readonly token?: string
}

function standingOf({ label }: Entry, secrets: ListedSecrets, drafts: ReadonlyMap<string, string>): Found {
  const secret = secrets.get(label)
  if (secret !== undefined) return { standing: 'shared', ...secret }
  const id = drafts.get(label)
  return id === undefined ? { standing: 'absent' } : { standing: 'draft', id }
}

function settle({ violations, figures }: Ledger, entry: Entry, { standing, id, token }: Found): void {
  const { label, possible } = entry
  if (!possible.includes(standing)) violations.push(`${label}: ${standing}, and not ${possible.join(' or ')}`)
  if (possible.length > 1) figures[standing === possible[0] ? 'cutOffUndone' : 'cutOffDone'] += 1
  entry.possible = [standing]
  if (id !== undefined && (entry.id ??= id) !== id) violations.push(`${label}: its id has changed`)
  if (token !== undefined && (entry.token ??= token) !== token)
    violations.push(`${label}: its link has changed`)
}

/** The note as it was sent, unless it was opened as often as it may be; and the opens that are counted. */
async function compareNote(
  ports: Ports,
  ledger: Ledger,
  entry: Entry,
  withPasswords: boolean,
): Promise<void> {
  const { label, token, opens, openLimit, password, delivered } = entry
  if (entry.possible[0] === 'draft') return compareDraft(ports, ledger, entry)
  if (entry.possible[0] !== 'shared' || token === undefined) return
  const lookup = ports.digests.linkLookup(token)
  const record = (await ports.links.find(lookup))._unsafeUnwrap()
  if (record === undefined) return void ledger.violations.push(`${label}: its link finds nothing`)
  const { opens: counted, hasNote } = record.state
  if (counted < opens.least || counted > opens.most) {
    ledger.violations.push(`${label}: ${counted} opens are counted, not ${opens.least} to ${opens.most}`)
  }
  ledger.figures.opensLost += counted - opens.least
  opens.least = opens.most = counted
  if (counted < delivered)
    ledger.violations.push(`${label}: delivered ${delivered} times, counted ${counted}`)
  if (hasNote !== (openLimit === 0 || counted < openLimit)) {
    ledger.violations.push(
      `${label}: ${counted} of ${openLimit} opens, and its note is ${hasNote ? 'there' : 'gone'}`,
    )
  }
  if (!hasNote || (password !== undefined && !withPasswords)) return
  const stored = (await ports.links.findWithNote(lookup))._unsafeUnwrap()
  if (stored === undefined) return void ledger.violations.push(`${label}: its note is missing`)
  const note = await ports.secretCipher.decryptNote(stored.secret, stored.note, password)
  compare(ledger, entry, note.isOk() ? note.value : undefined)
}

async function compareDraft(ports: Ports, ledger: Ledger, entry: Entry): Promise<void> {
  const id = parseUuid(entry.id ?? '') ?? nilUuid
  const draft = (await ports.drafts.find(ledger.accountId, id))._unsafeUnwrap()
  if (draft === undefined) return void ledger.violations.push(`${entry.label}: the draft is not found`)
  const note = await ports.secretCipher.decryptNote(draft.secret, draft.note, undefined)
  compare(ledger, entry, note.isOk() ? note.value : undefined)
}

function compare({ violations, figures }: Ledger, { label, note }: Entry, found: string | undefined): void {
  figures.notesCompared += 1
  if (found === undefined) violations.push(`${label}: its note does not decrypt`)
  else if (found !== note) violations.push(`${label}: its note is not what was sent`)
}
