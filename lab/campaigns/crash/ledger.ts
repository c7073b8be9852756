import type { Uuid } from '@sotto/core'

/** What a label may be: nothing, a draft, or a shared secret. */
export type Status = 'absent' | 'draft' | 'shared'

/** How often something may have happened: at least as often as it was answered, at most as often as it was requested. */
export interface Count {
  /** Answered. */
  least: number
  /** Requested, and not refused. */
  most: number
}

/** What the client knows about one secret. */
export interface Entry {
  readonly label: string
  readonly note: string
  readonly password: string | undefined
  /** The proof of its key, where the note is sealed. */
  readonly proof?: string | undefined
  /** The content of its file; none by default. */
  readonly file?: Buffer | undefined
  /** `undefined` means without limit. */
  readonly openLimit: number | undefined
  /** One status when it is certain; two while a request is under way or after it was cut off. */
  possible: readonly Status[]
  id?: string
  /** The token of its link. */
  token?: string
  /** Opens that the store may have counted. */
  readonly opens: Count
  /** The tickets for its file that opens returned. Each lives for an hour. */
  tickets?: string[]
  /** How often its note has reached the client. */
  delivered: number
  /** Whether an open with its password was requested. */
  passwordTried?: boolean
}

/** What the client knows. It survives every crash of the server. */
export interface Ledger {
  readonly accountId: Uuid
  readonly folderId: Uuid
  readonly bearer: string
  /** The entries by label, which is unique. */
  readonly entries: Map<string, Entry>
  /** Calls of the API that the quota counts. */
  readonly calls: Count
  /** Whether the latest counts may be forgotten: when the database itself crashes, whose quota does not wait for the disk. */
  countsMayBeForgotten: boolean
  /** Whether a ticket may be over at any time, because the clock is set. */
  ticketsMayEnd: boolean
  /** Whether an answer may be 500, because the disk cannot be read. Like a broken connection it leaves open whether a write has happened. */
  readsMayFail: boolean
  /** Whether a file may be refused with 507, because writes fail for want of room. */
  diskMayBeFull: boolean
  /** A sentence for each observation that contradicts the promises. */
  readonly violations: string[]
  readonly figures: Figures
}

/** Counts of what has happened so far. */
export interface Figures {
  /** Servers killed with SIGKILL. */
  kills: number
  killsWhileStarting: number
  operatorKills: number
  /** Kills of one process of a server, which went on. */
  workerKills: number
  rotationKills: number
  /** Crashes of PostgreSQL itself. */
  databaseCrashes: number
  rotations: number
  created: number
  withPassword: number
  draftsSaved: number
  draftsShared: number
  draftsDeleted: number
  delivered: number
  /** Opens that were counted but whose note did not arrive. */
  opensLost: number
  /** Writes that were under way at a kill and turned out to have happened, or not. */
  cutOffDone: number
  cutOffUndone: number
  /** Notes that were decrypted and compared. */
  notesCompared: number
  /** Secrets with a file that were created, those that were refused, and contents that were read and compared. */
  withFile: number
  withFileRefused: number
  /** Opens of sealed secrets with another key, which count nothing. */
  refusedWithoutKey: number
  filesCompared: number
  calls: number
}

export function emptyFigures(): Figures {
  return {
    kills: 0,
    killsWhileStarting: 0,
    operatorKills: 0,
    workerKills: 0,
    rotationKills: 0,
    databaseCrashes: 0,
    rotations: 0,
    created: 0,
    withPassword: 0,
    draftsSaved: 0,
    draftsShared: 0,
    draftsDeleted: 0,
    delivered: 0,
    opensLost: 0,
    cutOffDone: 0,
    cutOffUndone: 0,
    notesCompared: 0,
    withFile: 0,
    withFileRefused: 0,
    refusedWithoutKey: 0,
    filesCompared: 0,
    calls: 0,
  }
}

/** Whether this is certain, because no request is under way that could change it. */
export function isSettled(entry: Entry, status: Status): boolean {
  return entry.possible.length === 1 && entry.possible[0] === status
}

/** Records a delivery. It must be within the limit, and of the right note. */
export function recordDelivery(ledger: Ledger, entry: Entry, note: string): void {
  entry.delivered += 1
  entry.opens.least += 1
  ledger.figures.delivered += 1
  if (entry.openLimit !== undefined && entry.delivered > entry.openLimit) {
    ledger.violations.push(
      `${entry.label}: delivered ${entry.delivered} times, its limit is ${entry.openLimit}`,
    )
  }
  if (note !== entry.note) ledger.violations.push(`${entry.label}: another note was delivered`)
}

/** Records an answer that the link is gone. Then no open may have been left. */
export function recordGone(ledger: Ledger, entry: Entry): void {
  entry.opens.most -= 1
  if (!isGone(entry, entry.opens.most)) {
    ledger.violations.push(
      `${entry.label}: gone, with at most ${entry.opens.most} opens of ${String(entry.openLimit)}`,
    )
  }
}

/** Whether so many opens use up the link. */
export function isGone({ openLimit }: Pick<Entry, 'openLimit'>, opens: number): boolean {
  return openLimit !== undefined && opens >= openLimit
}
