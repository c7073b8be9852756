import type { FullStorage } from '@sotto/identity'
import { noAttempts } from '@sotto/core'
import fc from 'fast-check'
import { ok, okAsync, ResultAsync } from 'neverthrow'
import { addFullAccount, rowsOf, type FullAccount } from '../accounts/account-rows.ts'
import { expectOk } from '../contract/expect.ts'
import { createSamples } from '../shared/samples.ts'
import { kids } from '../stores/harness.ts'
import { step } from '../stores/steps.ts'
import { writes } from './key-writes.ts'

/** A key that rows may be written under, as a rule. */
export const aKid = fc.constantFrom(
  ...[kids.writable, kids.writable, kids.writable, kids.spare, kids.spare],
  ...[kids.retired, kids.unknown],
)

/** One of those, or of two that come later and have few rows. */
export const anyKid = fc.oneof({ arbitrary: aKid, weight: 3 }, fc.constantFrom(104, 105))

/** The accounts with a row of every kind that a history begins with. All histories have equal ones, because equal samples make equal rows. */
let fulls: readonly FullAccount[] = []

/** Adds those accounts. What is counted of their secrets is no longer what a new secret has. Stores that are not together get none. */
export async function addFullAccounts(storage: FullStorage, isTogether: boolean): Promise<void> {
  if (!isTogether) return
  const make = createSamples(1)
  const added = []
  for (const kid of [kids.writable, kids.spare]) {
    const full = await addFullAccount(storage, make, kid)
    const { id, secret, draft } = full
    expectOk(await storage.links.update(secret.link.lookup, undefined, () => ok({ opens: 3 })))
    const attempts = { ...noAttempts, wrongTotal: 1 }
    expectOk(await storage.drafts.updateAttempts(id, draft.id, () => ({ attempts })))
    added.push(full)
  }
  fulls = added
}

function fullOf(nth: number): FullAccount {
  const full = fulls[nth]
  if (full === undefined) throw new Error('no accounts were added')
  return full
}

const nth = fc.nat(1)

/** Any write of what is encrypted, besides those of the store of rewraps. */
const write = fc.constantFrom(...Object.keys(writes).filter((name) => !name.startsWith('rewraps.')))

/** A write of a row of one of those accounts, or of one that refers to it. Ids come after those of the accounts, in any order. */
export const writeStep = step(
  'accounts',
  'write',
  fc.record({ write, nth, kid: anyKid, seed: fc.nat(0xff_ff_ff) }),
  (store, { write: name, nth: at, kid, seed }) =>
    writes[name]?.({ store, make: createSamples(seed, 1_000 + 16 * seed), full: fullOf(at) }, kid) ??
    okAsync(),
)

/** All that is stored of one of those accounts. */
export const lookStep = step('accounts', 'look', fc.record({ nth }), (storage, { nth: at }) => {
  const full = fullOf(at)
  return ResultAsync.combine([
    ResultAsync.fromSafePromise(rowsOf(storage, full)),
    storage.accounts.findByName([full.index]),
  ])
})
