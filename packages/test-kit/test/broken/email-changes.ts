import type { StorageHarness } from '@sotto/test-kit'
import { err, ok } from 'neverthrow'
import { brokenStore, pause, slowly, type Broken } from './broken.ts'

const changes = brokenStore('emailChanges')
const id = (name: string): string => `email-change-store/${name}`

/** Flaws of the store of waiting changes of email addresses. */
export const brokenEmailChanges: readonly Broken<StorageHarness>[] = [
  changes('cuts the address off', [id('answers-as-the-memory-storage')], (store) => ({
    replace: (change, digest) =>
      store.replace({ ...change, email: change.email.slice(0, 40) as typeof change.email }, digest),
  })),
  changes(
    'looks, then spends',
    [id('one-of-parallel-spendings-wins'), id('one-of-spendings-from-two-storages-wins')],
    (store, data) => ({
      spend: (digest, nowMicros, name, [nameIndex]) =>
        slowly(async () => {
          const found = await store.find(digest, nowMicros)
          await pause()
          if (found.isErr()) return err(found.error)
          if (found.value === undefined) return ok(false)
          const { accountId } = found.value
          const row = data.accounts.get(accountId)
          if (row) data.accounts.set(accountId, { account: { ...row.account, name }, nameIndex })
          data.emailChanges.delete(accountId)
          return ok(true)
        }),
    }),
  ),
]
