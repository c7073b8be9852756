import { createHash } from 'node:crypto'
import type { Uuid } from '@sotto/core'
import { emptyFigures, type Entry, type Ledger, type Status } from '../crash/ledger.ts'

/** One line that the workload prints: a request before it is sent, or its acknowledgement. */
export type Report =
  | { readonly accountId: Uuid; readonly folderId: Uuid }
  | { readonly rotating: true }
  | {
      readonly asked: 'create' | 'save'
      readonly label: string
      readonly note: string
      readonly openLimit: number | undefined
      /** The length of its file, see {@link fileOf}. */
      readonly fileBytes: number | undefined
    }
  | { readonly asked: 'share' | 'delete' | 'open'; readonly label: string }
  | { readonly done: 'create' | 'share'; readonly label: string; readonly id: string; readonly token: string }
  | { readonly done: 'save'; readonly label: string; readonly id: string }
  | { readonly done: 'delete'; readonly label: string }
  | { readonly done: 'open'; readonly label: string; readonly ticket: string | undefined }

const before: Readonly<Record<'create' | 'save' | 'share' | 'delete', Status>> = {
  create: 'absent',
  save: 'absent',
  share: 'draft',
  delete: 'draft',
}
const after: typeof before = { create: 'shared', save: 'draft', share: 'shared', delete: 'absent' }

/** The content of a secret's file, which follows from its label, so that a report is short. */
export function fileOf({
  label,
  fileBytes,
}: {
  readonly label: string
  readonly fileBytes: number | undefined
}): Buffer | undefined {
  if (fileBytes === undefined) return undefined
  return createHash('shake256', { outputLength: fileBytes }).update(label).digest()
}

/** What a client knows that has received these reports; `undefined` before there is an account. */
export function ledgerOf(reports: readonly Report[]): Ledger | undefined {
  const entries = new Map<string, Entry>()
  let owner: { readonly accountId: Uuid; readonly folderId: Uuid } | undefined
  for (const report of reports) {
    if ('accountId' in report) owner = report
    else if ('asked' in report) ask(entries, report)
    else if ('done' in report) acknowledge(entries, report)
  }
  if (owner === undefined) return undefined
  const calls = { least: 0, most: 0 }
  return {
    ...owner,
    bearer: '',
    entries,
    calls,
    violations: [],
    countsMayBeForgotten: false,
    readsMayFail: false,
    diskMayBeFull: false,
    ticketsMayEnd: false,
    figures: emptyFigures(),
  }
}

function ask(entries: Map<string, Entry>, report: Extract<Report, { asked: unknown }>): void {
  const { label, asked } = report
  if ('note' in report) {
    const { note, openLimit } = report
    const file = fileOf(report)
    const opens = { least: 0, most: 0 }
    entries.set(label, {
      label,
      note,
      password: undefined,
      file,
      openLimit,
      possible: [],
      opens,
      delivered: 0,
    })
  }
  const entry = entries.get(label)
  if (entry === undefined) throw new TypeError(`${label} was never created`)
  if (asked === 'open') entry.opens.most += 1
  else entry.possible = [before[asked], after[asked]]
}

function acknowledge(entries: Map<string, Entry>, report: Extract<Report, { done: unknown }>): void {
  const entry = entries.get(report.label)
  if (entry === undefined) throw new TypeError(`${report.label} was never requested`)
  if (report.done === 'open') {
    entry.opens.least += 1
    entry.delivered += 1
    if (report.ticket !== undefined) entry.tickets = [...(entry.tickets ?? []), report.ticket]
  } else entry.possible = [after[report.done]]
  if ('id' in report) entry.id = report.id
  if ('token' in report) entry.token = report.token
}
