import { newEntry, pickEntry } from './entries.ts'
import { noteDelivery, noteGone, type Entry, type Ledger } from './ledger.ts'
import type { LoadOptions } from './load.ts'

/** One request of the operator's process. False when it is gone. */
export async function operatorStep(options: LoadOptions): Promise<boolean> {
  const { chance } = options
  const kind = chance.between(1, 100)
  const draft = pickEntry(options, 'draft')
  if (kind <= 35 || draft?.id === undefined) return save(options)
  if (kind <= 65) return share(options, draft, draft.id)
  if (kind <= 80) return erase(options, draft, draft.id)
  const entry = pickEntry(options, 'shared')
  if (entry?.token === undefined || entry.password !== undefined) return save(options)
  return open(options, entry, entry.token)
}

async function save({ ledger, chance, operator }: LoadOptions): Promise<boolean> {
  const { accountId, folderId, figures } = ledger
  const entry = newEntry(ledger, chance, undefined)
  entry.possible = ['absent', 'draft']
  const { label, note, openLimit } = entry
  const answer = await operator.ask({ task: 'save', accountId, folderId, label, note, openLimit })
  if (answer === undefined) return false
  if (answer.id === undefined) entry.possible = ['absent']
  else {
    Object.assign(entry, { id: answer.id, possible: ['draft'] })
    figures.draftsSaved += 1
  }
  return true
}

async function share({ ledger, operator }: LoadOptions, entry: Entry, id: string): Promise<boolean> {
  entry.possible = ['draft', 'shared']
  const answer = await operator.ask({ task: 'share', accountId: ledger.accountId, id })
  if (answer === undefined) return false
  if (answer.token === undefined) return refused(ledger, entry, answer.code)
  Object.assign(entry, { token: answer.token, possible: ['shared'] })
  ledger.figures.draftsShared += 1
  return true
}

async function erase({ ledger, operator }: LoadOptions, entry: Entry, id: string): Promise<boolean> {
  entry.possible = ['draft', 'absent']
  const answer = await operator.ask({ task: 'delete', accountId: ledger.accountId, id })
  if (answer === undefined) return false
  if (answer.code !== undefined) return refused(ledger, entry, answer.code)
  entry.possible = ['absent']
  ledger.figures.draftsDeleted += 1
  return true
}

/** A draft that was not changed: only a store that is busy may say so. */
function refused(ledger: Ledger, entry: Entry, code = 'nothing'): true {
  entry.possible = ['draft']
  if (code !== 'storage_unavailable') ledger.violations.push(`${entry.label}: a draft, and yet ${code}`)
  return true
}

async function open({ ledger, operator }: LoadOptions, entry: Entry, token: string): Promise<boolean> {
  entry.opens.most += 1
  const answer = await operator.ask({ task: 'open', accountId: ledger.accountId, token })
  if (answer === undefined) return false
  if (answer.note !== undefined) noteDelivery(ledger, entry, answer.note)
  else if (answer.code === 'link_not_found') noteGone(ledger, entry)
  else entry.opens.most -= 1
  return true
}
