import { casesOf, contractOf } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import {
  besideCase,
  reopenCase,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
} from '../stores/harness.ts'
import { onlyWinner } from '../stores/races.ts'

/** The contract of the store of what counts once. */
export const usedTokenStoreContract: readonly StorageCase[] = contractOf(
  casesOf({
    'used-token-store/counts-once': storageCase({
      rule: 'use answers Ok(true) the first time and Ok(false) from then on; others are not affected.',
      async check({ usedTokens }, make) {
        const [one, other] = [tokenOf(make), tokenOf(make)]
        same(expectOk(await usedTokens.use(one)), true)
        for (const eraseAtMicros of [0, one.eraseAtMicros])
          same(expectOk(await usedTokens.use({ ...one, eraseAtMicros })), false)
        same(expectOk(await usedTokens.use(other)), true)
      },
    }),
    'used-token-store/one-of-parallel-uses-wins': storageCase({
      rule: 'Of several uses of one token at the same time exactly one succeeds.',
      check: (store, make) => oneUseWins(store, store, make),
    }),
    'used-token-store/one-of-uses-from-two-storages-wins': besideCase({
      rule: 'Of several uses of one token by two storages on the same data exactly one succeeds.',
      check: oneUseWins,
    }),
    'used-token-store/erases-what-is-over': storageCase({
      rule: 'eraseOver erases the tokens that can be forgotten at the given time or before, at most `limit`, and no other.',
      async check({ usedTokens }, make) {
        const over = [tokenOf(make, noonMicros), tokenOf(make, noonMicros - 1), tokenOf(make, 0)]
        const current = tokenOf(make, noonMicros + 1)
        for (const token of [...over, current]) expectOk(await usedTokens.use(token))
        for (const erased of [2, 1, 0]) same(expectOk(await usedTokens.eraseOver(noonMicros, 2)), erased)
        same(expectOk(await usedTokens.use(current)), false, 'the other one')
        for (const token of over) same(expectOk(await usedTokens.use(token)), true, 'one that was forgotten')
      },
    }),
    'used-token-store/uses-are-durable': reopenCase({
      rule: 'A token that was used is so after reopening.',
      async before({ usedTokens }, make) {
        const token = tokenOf(make)
        expectOk(await usedTokens.use(token))
        return token
      },
      async after({ usedTokens }, token: ReturnType<typeof tokenOf>) {
        same(expectOk(await usedTokens.use(token)), false)
      },
    }),
  }),
)

function tokenOf(make: Samples, eraseAtMicros = noonMicros) {
  return { digest: make.tokenDigest(), eraseAtMicros }
}

async function oneUseWins(store: StorageUnderTest, beside: StorageUnderTest, make: Samples): Promise<void> {
  const token = tokenOf(make)
  await onlyWinner({
    stores: [store, beside],
    makeRival: () => token,
    run: ({ usedTokens }, rival) => usedTokens.use(rival),
  })
}
