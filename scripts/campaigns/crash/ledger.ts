import type { Uuid } from '../../../packages/core/src/index.ts'

/** Where a secret may be: nowhere, a draft, or shared. */
export type Standing = 'absent' | 'draft' | 'shared'

/** How often something may have happened: between what was answered and what was asked. */
export interface Count {
  /** Answered. */
  least: number
  /** Asked, and not refused. */
  most: number
}

/** What the client knows of one secret. */
export interface Entry {
  readonly label: string
  readonly note: string
  readonly password: string | undefined
  /** 0: without limit. */
  readonly openLimit: number
  /** One when an answer or a look has told; two while a request is under way or was cut off. */
  possible: readonly Standing[]
  id?: string
  /** Of its link. */
  token?: string
  /** Opens that the store may have counted. */
  readonly opens: Count
  /** Notes that have reached the client. */
  delivered: number
  /** Its password was given when it was looked at for the last time. */
  passwordTried?: boolean
}

/** What a client knows. It lives through every crash of what it talks to. */
export interface Ledger {
  readonly accountId: Uuid
  readonly folderId: Uuid
  readonly bearer: string
  /** By label, which no two share. */
  readonly entries: Map<string, Entry>
  /** Calls of the API that the quota counts. */
  readonly calls: Count
  /** What contradicts the promises. */
  readonly violations: string[]
  readonly figures: Figures
}

/** What has happened so far. */
export interface Figures {
  /** Of servers, with SIGKILL. */
  kills: number
  killsWhileStarting: number
  operatorKills: number
  rotationKills: number
  rotations: number
  created: number
  withPassword: number
  draftsSaved: number
  draftsShared: number
  draftsDeleted: number
  delivered: number
  /** Opens that were counted and whose note did not arrive. */
  opensLost: number
  /** Writes that were under way at a kill and turned out to be done, or not. */
  cutOffDone: number
  cutOffUndone: number
  /** Notes that were decrypted and compared. */
  notesCompared: number
  calls: number
}

export function emptyFigures(): Figures {
  return {
    kills: 0,
    killsWhileStarting: 0,
    operatorKills: 0,
    rotationKills: 0,
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
    calls: 0,
  }
}

/** Whether nothing is under way that could change where the secret is. */
export function isSettled(entry: Entry, standing: Standing): boolean {
  return entry.possible.length === 1 && entry.possible[0] === standing
}

/** Notes a delivery: it must have been one more that the limit allows, and the very note. */
export function noteDelivery(ledger: Ledger, entry: Entry, note: string): void {
  entry.delivered += 1
  entry.opens.least += 1
  ledger.figures.delivered += 1
  if (entry.openLimit > 0 && entry.delivered > entry.openLimit) {
    ledger.violations.push(
      `${entry.label}: delivered ${entry.delivered} times, its limit is ${entry.openLimit}`,
    )
  }
  if (note !== entry.note) ledger.violations.push(`${entry.label}: another note was delivered`)
}

/** Notes that a link was called gone: then nothing may have been left of it. */
export function noteGone(ledger: Ledger, entry: Entry): void {
  entry.opens.most -= 1
  if (entry.openLimit === 0 || entry.opens.most < entry.openLimit) {
    ledger.violations.push(
      `${entry.label}: gone, with at most ${entry.opens.most} opens of ${entry.openLimit}`,
    )
  }
}
