import { randomBytes } from 'node:crypto'
import type { Chance } from '../support/chance.ts'
import { sealedNote } from '../support/sealed.ts'
import { isSettled, type Entry, type Ledger } from './ledger.ts'

/** Some are shorter than a chunk of the encryption, most are longer. */
const fileMaxBytes = 300_000

/** Adds a secret that is about to be requested to the ledger. */
export function newEntry(
  ledger: Ledger,
  chance: Chance,
  {
    password,
    withFile = false,
  }: { readonly password?: string | undefined; readonly withFile?: boolean } = {},
): Entry {
  const bytes = chance.happens(4) ? chance.between(3_000, 30_000) : chance.between(1, 1_500)
  const label = `Secret ${ledger.entries.size + 1}`
  const plain = `${label}\n${randomBytes(bytes).toString('base64').slice(0, bytes)}`
  const { note, proof } = chance.happens(3) ? sealedNote(bytes + 293) : { note: plain }
  const openLimit = chance.pick([undefined, 1, 1, 2, 3, 5])
  const opens = { least: 0, most: 0 }
  const file = withFile ? randomBytes(chance.between(0, fileMaxBytes)) : undefined
  const entry: Entry = {
    label,
    note,
    proof,
    password,
    file,
    openLimit,
    possible: ['absent'],
    opens,
    delivered: 0,
  }
  ledger.entries.set(label, entry)
  return entry
}

/** One of the latest entries that are certain to be there. */
export function pickEntry(ledger: Ledger, chance: Chance, status: 'draft' | 'shared'): Entry | undefined {
  const settled = [...ledger.entries.values()].slice(-150).filter((entry) => isSettled(entry, status))
  return chance.pick(settled)
}
