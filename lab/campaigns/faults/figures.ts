import { emptyFigures, type Figures } from '../crash/ledger.ts'

/** Counts of what has happened so far. Times are in milliseconds. */
export interface FaultFigures {
  faults: number
  /** Servers that ended themselves, because an fsync had failed. */
  ended: number
  /** Servers that were killed while a fault lasted. */
  killed: number
  /** Servers that were stopped and started again. */
  restarted: number
  /** Answers 503 and 500. */
  refused: number
  failed: number
  /** Pages of links, and calls of the API that only read, which were answered while a fault lasted. */
  pagesRead: number
  listsRead: number
  slowestRed: number
  slowestGreen: number
  /** How often each kind of fault has happened. */
  readonly kinds: Map<string, number>
  /** What the load and the checks have counted. */
  readonly load: Figures
}

export function emptyFaultFigures(): FaultFigures {
  const none = { faults: 0, ended: 0, killed: 0, restarted: 0, refused: 0, failed: 0 }
  const read = { pagesRead: 0, listsRead: 0, slowestRed: 0, slowestGreen: 0 }
  return { ...none, ...read, kinds: new Map(), load: emptyFigures() }
}

/** The figures as they are printed. */
export function tableOf({ kinds, load, ...own }: FaultFigures): Readonly<Record<string, unknown>> {
  const { created, withPassword, withFile, withFileRefused, refusedWithoutKey, delivered, opensLost } = load
  const { cutOffDone, cutOffUndone, notesCompared, filesCompared } = load
  const first = { created, withPassword, withFile, withFileRefused, refusedWithoutKey, delivered, opensLost }
  const counted = { ...first, cutOffDone, cutOffUndone, notesCompared, filesCompared }
  return { kinds: kinds.size, ...own, ...counted }
}
