import { casesOf } from '../contract/contract.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { besideCase, storageCase, type StorageCase, type StorageUnderTest } from '../stores/harness.ts'
import { onlyWinner } from '../stores/races.ts'

/** What histories do not show of the store of what counts once: callers at the same time. */
export const usedTokenCases: readonly StorageCase[] = casesOf({
  'used-token-store/one-of-parallel-uses-wins': storageCase({
    rule: 'Of several uses of one token at the same time exactly one succeeds.',
    check: (store, make) => oneUseWins(store, store, make),
  }),
  'used-token-store/one-of-uses-from-two-storages-wins': besideCase({
    rule: 'Of several uses of one token by two storages on the same data exactly one succeeds.',
    check: oneUseWins,
  }),
})

async function oneUseWins(store: StorageUnderTest, beside: StorageUnderTest, make: Samples): Promise<void> {
  const token = { digest: make.tokenDigest(), eraseAtMicros: noonMicros }
  await onlyWinner({
    stores: [store, beside],
    makeRival: () => token,
    run: ({ usedTokens }, rival) => usedTokens.use(rival),
  })
}
