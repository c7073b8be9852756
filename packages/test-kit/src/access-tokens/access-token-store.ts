import { expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import type { StorageCase } from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { recordUseCases } from '../stores/record-use.ts'
import { addAccount } from '../stores/rows.ts'

/** What histories do not show of the access token store: what `recordUse` may lose. */
export const accessTokenCases: readonly StorageCase[] = [
  neededStoresCase('access-token-store', 'accessTokens', ['accounts', 'keys']),
  ...recordUseCases('access-token-store', async (store, make) => {
    const { accessTokens } = store
    const token = make.accessToken((await addAccount(store, make)).id)
    const digest = make.tokenDigest()
    expectOk(await accessTokens.insert(token, digest), 'adding a token')
    return {
      id: token.id,
      find: () => accessTokens.findUsable(digest, noonMicros),
      recordUse: (id, atMicros) => accessTokens.recordUse(id, atMicros),
      end: () => accessTokens.revoke(token.accountId, token.id, noonMicros),
    }
  }),
]
