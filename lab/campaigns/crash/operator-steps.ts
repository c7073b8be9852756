import type { Chance } from '../support/chance.ts'
import { newEntry, pickEntry } from './entries.ts'
import { recordDelivery, recordGone, type Entry, type Ledger } from './ledger.ts'
import type { Operator } from './operator.ts'
import type { OperatorAnswer } from './operator-process.ts'

export interface OperatorStepOptions {
  readonly ledger: Ledger
  readonly chance: Chance
  readonly operator: Operator
}

/** The step may have taken effect: what is possible stays as it was while the request was under way. */
const unknown = 'outcome_unknown'

/** Sends one request to the operator's process. False when the process is gone. */
export async function operatorStep(options: OperatorStepOptions): Promise<boolean> {
  const { ledger, chance } = options
  const kind = chance.between(1, 100)
  const draft = pickEntry(ledger, chance, 'draft')
  if (kind <= 35 || draft?.id === undefined) return save(options)
  if (kind <= 65) return share(options, draft, draft.id)
  if (kind <= 80) return erase(options, draft, draft.id)
  const entry = pickEntry(ledger, chance, 'shared')
  if (entry?.token === undefined || entry.password !== undefined) return save(options)
  return (await openBy(options.operator, ledger, entry, {})) !== undefined
}

async function save({ ledger, chance, operator }: OperatorStepOptions): Promise<boolean> {
  const { accountId, folderId, figures } = ledger
  const entry = newEntry(ledger, chance)
  entry.possible = ['absent', 'draft']
  const { label, note, openLimit } = entry
  const answer = await operator.ask({ task: 'save', accountId, folderId, label, note, openLimit })
  if (answer === undefined) return false
  if (answer.code === unknown) return true
  if (answer.id === undefined) entry.possible = ['absent']
  else {
    Object.assign(entry, { id: answer.id, possible: ['draft'] })
    figures.draftsSaved += 1
  }
  return true
}

async function share({ ledger, operator }: OperatorStepOptions, entry: Entry, id: string): Promise<boolean> {
  entry.possible = ['draft', 'shared']
  const answer = await operator.ask({ task: 'share', accountId: ledger.accountId, id })
  if (answer === undefined) return false
  if (answer.code === unknown) return true
  if (answer.token === undefined) return notDone(ledger, entry, answer.code)
  Object.assign(entry, { token: answer.token, possible: ['shared'] })
  ledger.figures.draftsShared += 1
  return true
}

async function erase({ ledger, operator }: OperatorStepOptions, entry: Entry, id: string): Promise<boolean> {
  entry.possible = ['draft', 'absent']
  const answer = await operator.ask({ task: 'delete', accountId: ledger.accountId, id })
  if (answer === undefined) return false
  if (answer.code === unknown) return true
  if (answer.code !== undefined) return notDone(ledger, entry, answer.code)
  entry.possible = ['absent']
  ledger.figures.draftsDeleted += 1
  return true
}

/** The draft was not changed, for which only a busy store is a valid reason. */
function notDone(ledger: Ledger, entry: Entry, code = 'nothing'): true {
  entry.possible = ['draft']
  if (code !== 'storage_unavailable')
    ledger.violations.push(`${entry.label}: a draft, but the answer is ${code}`)
  return true
}

/**
 * Opens a link through the core. `undefined` when the process that is asked is gone.
 * @param given what is sent to it: without the key of a sealed secret it is refused
 */
export async function openBy(
  operator: Pick<Operator, 'ask'>,
  ledger: Ledger,
  entry: Entry,
  given: Partial<Pick<Entry, 'password' | 'proof'>>,
): Promise<OperatorAnswer | undefined> {
  entry.opens.most += 1
  const { token = '' } = entry
  const { password, proof } = given
  const answer = await operator.ask({ task: 'open', token, password, proof })
  if (answer === undefined) return undefined
  if (answer.note !== undefined) recordDelivery(ledger, entry, answer.note)
  else if (answer.code === 'link_not_found') recordGone(ledger, entry)
  else if (answer.code !== unknown) entry.opens.most -= 1
  if (answer.ticket !== undefined && !ledger.ticketsMayEnd) (entry.tickets ??= []).push(answer.ticket)
  return answer
}
