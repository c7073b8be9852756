import { casesOf } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import type { Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { besideCase, storageCase, type StorageCase, type StorageUnderTest } from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { onlyWinner } from '../stores/races.ts'
import { addAccount, addPassword } from '../stores/rows.ts'

/** What histories do not show of the store of passwords: callers at the same time. */
export const passwordCases: readonly StorageCase[] = [
  neededStoresCase('password-store', 'passwords', [
    ...(['accounts', 'keys', 'sessions', 'invitations', 'emailChanges'] as const),
  ]),
  ...casesOf({
    'password-store/one-of-parallel-replacements-wins': storageCase({
      rule: 'Of several replacements of one password at the same time exactly one succeeds, and its password is stored.',
      needs: ['together'],
      check: (store, make) => oneReplacementWins(store, store, make),
    }),
    'password-store/one-of-replacements-from-two-storages-wins': besideCase({
      rule: 'Of several replacements of one password by two storages on the same data exactly one succeeds.',
      needs: ['together'],
      check: oneReplacementWins,
    }),
  }),
]

async function oneReplacementWins(
  store: StorageUnderTest,
  beside: StorageUnderTest,
  make: Samples,
): Promise<void> {
  const { id: accountId } = await addAccount(store, make)
  const { password, session } = await addPassword(store, make, accountId)
  const options = { expectedId: password.id, keepSessionId: session.id }
  const winner = await onlyWinner({
    stores: [store, beside],
    makeRival: () => make.password(accountId),
    run: ({ passwords }, rival) => passwords.replace(rival, options),
  })
  same(expectOk(await store.passwords.find(accountId)), winner, 'the password that is stored')
}
