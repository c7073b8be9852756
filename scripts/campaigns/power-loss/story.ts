import type { Uuid } from '../../../packages/core/src/index.ts'
import { emptyFigures, type Entry, type Ledger, type Standing } from '../crash/ledger.ts'

/** One line that the workload tells: what is asked for, and what was acknowledged. */
export type Told =
  | { readonly accountId: Uuid; readonly folderId: Uuid }
  | { readonly rotating: true }
  | {
      readonly asked: 'create' | 'save'
      readonly label: string
      readonly note: string
      readonly openLimit: number
    }
  | { readonly asked: 'share' | 'delete' | 'open'; readonly label: string }
  | { readonly done: 'create' | 'share'; readonly label: string; readonly id: string; readonly token: string }
  | { readonly done: 'save'; readonly label: string; readonly id: string }
  | { readonly done: 'delete' | 'open'; readonly label: string }

const before: Readonly<Record<'create' | 'save' | 'share' | 'delete', Standing>> = {
  create: 'absent',
  save: 'absent',
  share: 'draft',
  delete: 'draft',
}
const after: typeof before = { create: 'shared', save: 'draft', share: 'shared', delete: 'absent' }

/** What a client knows who has heard so much; `undefined` before there is an account. */
export function ledgerOf(story: readonly Told[]): Ledger | undefined {
  const entries = new Map<string, Entry>()
  let owner: { readonly accountId: Uuid; readonly folderId: Uuid } | undefined
  for (const told of story) {
    if ('accountId' in told) owner = told
    else if ('asked' in told) ask(entries, told)
    else if ('done' in told) acknowledge(entries, told)
  }
  if (owner === undefined) return undefined
  const calls = { least: 0, most: 0 }
  return { ...owner, bearer: '', entries, calls, violations: [], figures: emptyFigures() }
}

function ask(entries: Map<string, Entry>, told: Extract<Told, { asked: unknown }>): void {
  const { label, asked } = told
  if ('note' in told) {
    const { note, openLimit } = told
    const opens = { least: 0, most: 0 }
    entries.set(label, { label, note, password: undefined, openLimit, possible: [], opens, delivered: 0 })
  }
  const entry = entries.get(label)
  if (entry === undefined) throw new TypeError(`${label} was never made`)
  if (asked === 'open') entry.opens.most += 1
  else entry.possible = [before[asked], after[asked]]
}

function acknowledge(entries: Map<string, Entry>, told: Extract<Told, { done: unknown }>): void {
  const entry = entries.get(told.label)
  if (entry === undefined) throw new TypeError(`${told.label} was never asked for`)
  if (told.done === 'open') {
    entry.opens.least += 1
    entry.delivered += 1
  } else entry.possible = [after[told.done]]
  if ('id' in told) entry.id = told.id
  if ('token' in told) entry.token = told.token
}
