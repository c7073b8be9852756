import type { StoredAccessToken, TokenStatus } from '@sotto/identity'
import type { Scope } from '@sotto/core'
import { casesOf, contractOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same, sameIds } from '../contract/compare.ts'
import { durableCase, storageCase, type StorageCase, type StorageUnderTest } from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { ascending, isPagedInOrder, tiedPositions } from '../stores/paging.ts'
import { recordUseCases } from '../stores/record-use.ts'
import { addAccount } from '../stores/rows.ts'

const ownCases: readonly StorageCase[] = casesOf({
  'access-token-store/insert-is-found-again': storageCase({
    rule: 'A token comes back exactly as it was inserted: its status by its digest, all of it in the list.',
    async check(store, make) {
      const { id: accountId } = await addAccount(store, make)
      const scopes: readonly (readonly Scope[])[] = [['read'], ['write'], ['read', 'write']]
      const tokens = scopes.map((each) => make.accessToken(accountId, { scopes: each }))
      const used = {
        expiresAtMicros: Number.MAX_SAFE_INTEGER,
        lastUsedAtMicros: noonMicros + 1,
      }
      tokens.push(make.accessToken(accountId, used))
      for (const token of tokens) {
        const digest = make.tokenDigest()
        expectOk(await store.accessTokens.insert(token, digest))
        same(expectOk(await store.accessTokens.findUsable(digest, noonMicros)), status(token))
      }
      const revoked = make.accessToken(accountId, { revokedAtMicros: noonMicros + 2 })
      expectOk(await store.accessTokens.insert(revoked, make.tokenDigest()))
      same(expectOk(await store.accessTokens.page(accountId, undefined, 10)), [...tokens, revoked])
    },
  }),
  'access-token-store/account-must-exist': storageCase({
    rule: 'insert answers account_not_found for an unknown account, and writes nothing.',
    needs: ['together'],
    async check(store, make) {
      await addAccount(store, make)
      const token = make.accessToken(make.uuid())
      const digest = make.tokenDigest()
      expectErr(await store.accessTokens.insert(token, digest), 'account_not_found')
      same(expectOk(await store.accessTokens.findUsable(digest, noonMicros)), undefined)
      same(expectOk(await store.accessTokens.page(token.accountId, undefined, 10)), [])
    },
  }),
  'access-token-store/id-and-digest-belong-to-one-token': storageCase({
    rule: 'insert with an id or a digest that is taken answers a storage error; nothing is written and nothing is replaced.',
    async check(store, make) {
      const { token, digest } = await addToken(store, make)
      const otherDigest = make.tokenDigest()
      const sameDigest = make.accessToken(token.accountId)
      const sameId = make.accessToken(token.accountId, { id: token.id })
      expectErr(await store.accessTokens.insert(sameDigest, digest), 'storage_failed', 'storage_unavailable')
      expectErr(await store.accessTokens.insert(sameId, otherDigest), 'storage_failed', 'storage_unavailable')
      same(expectOk(await store.accessTokens.findUsable(digest, noonMicros)), status(token))
      same(expectOk(await store.accessTokens.findUsable(otherDigest, noonMicros)), undefined)
      same(expectOk(await store.accessTokens.page(token.accountId, undefined, 10)), [token])
    },
  }),
  'access-token-store/find-of-none-is-undefined': storageCase({
    rule: 'findUsable answers undefined for an unknown digest.',
    async check(store, make) {
      const { digest } = await addToken(store, make)
      const close = Uint8Array.from(digest, (byte, at) => (at === 31 ? byte ^ 1 : byte))
      for (const other of [make.tokenDigest(), close]) {
        same(expectOk(await store.accessTokens.findUsable(other, noonMicros)), undefined)
      }
    },
  }),
  'access-token-store/find-knows-only-usable-tokens': storageCase({
    rule: 'findUsable answers undefined for a revoked token, and from the moment of the expiry on.',
    async check(store, make) {
      const { id: accountId } = await addAccount(store, make)
      const digest = make.tokenDigest()
      const token = make.accessToken(accountId, { expiresAtMicros: noonMicros + 9 })
      expectOk(await store.accessTokens.insert(token, digest))
      const find = async (nowMicros: number) =>
        expectOk(await store.accessTokens.findUsable(digest, nowMicros))
      same(await find(noonMicros + 8), status(token))
      same(await find(noonMicros + 9), undefined, 'expired')
      expectOk(await store.accessTokens.revoke(accountId, token.id, noonMicros))
      same(await find(noonMicros), undefined, 'revoked')
    },
  }),
  'access-token-store/find-knows-no-disabled-account': storageCase({
    rule: 'findUsable answers undefined for the token of a disabled account.',
    needs: ['together'],
    async check(store, make) {
      const { token, digest } = await addToken(store, make)
      const other = await addToken(store, make)
      expectOk(await store.accounts.disable(token.accountId, noonMicros))
      same(expectOk(await store.accessTokens.findUsable(digest, noonMicros)), undefined)
      const others = expectOk(await store.accessTokens.findUsable(other.digest, noonMicros))
      same(others, status(other.token), 'the token of another account')
    },
  }),
  'access-token-store/page-is-in-order': storageCase({
    rule: 'Tokens are listed by creation and id, ascending, revoked ones included; pages neither repeat nor miss one.',
    async check(store, make) {
      const { id } = await addAccount(store, make)
      const rows = tiedPositions(make.uuid, noonMicros).map((position, at) =>
        make.accessToken(id, { ...position, revokedAtMicros: at % 3 === 0 ? noonMicros : undefined }),
      )
      for (const row of rows) expectOk(await store.accessTokens.insert(row, make.tokenDigest()))
      await isPagedInOrder(
        (after, limit) => store.accessTokens.page(id, after, limit),
        (token) => token,
        rows.toSorted(ascending),
      )
    },
  }),
  'access-token-store/page-shows-own-tokens-only': storageCase({
    rule: "The list holds the account's own tokens and no other account's.",
    async check(store, make) {
      const [mine, theirs] = [await addToken(store, make), await addToken(store, make)]
      for (const { token } of [mine, theirs]) {
        sameIds(expectOk(await store.accessTokens.page(token.accountId, undefined, 10)), [token.id])
      }
      sameIds(expectOk(await store.accessTokens.page(make.uuid(), undefined, 10)), [])
    },
  }),
  'access-token-store/revoke-keeps-the-first-time': storageCase({
    rule: 'revoke sets the time once: a repeated call answers Ok(true) and keeps the first time; other tokens stay.',
    async check(store, make) {
      const { token } = await addToken(store, make)
      const other = make.accessToken(token.accountId)
      expectOk(await store.accessTokens.insert(other, make.tokenDigest()))
      const revoked = { ...token, revokedAtMicros: noonMicros + 5 }
      for (const atMicros of [noonMicros + 5, noonMicros + 9, noonMicros + 1]) {
        same(expectOk(await store.accessTokens.revoke(token.accountId, token.id, atMicros)), true)
      }
      same(expectOk(await store.accessTokens.page(token.accountId, undefined, 10)), [revoked, other])
    },
  }),
  'access-token-store/revoke-of-none-is-false': storageCase({
    rule: "revoke answers Ok(false) for an unknown token and for another account's, and changes nothing.",
    async check(store, make) {
      const [mine, theirs] = [await addToken(store, make), await addToken(store, make)]
      for (const id of [theirs.token.id, make.uuid()]) {
        same(expectOk(await store.accessTokens.revoke(mine.token.accountId, id, noonMicros)), false)
      }
      same(expectOk(await store.accessTokens.findUsable(theirs.digest, noonMicros)), status(theirs.token))
    },
  }),
  'access-token-store/writes-are-durable': durableCase({
    rule: 'Tokens that were inserted or revoked are found after reopening.',
    async act(store, make) {
      const { token } = await addToken(store, make)
      expectOk(await store.accessTokens.revoke(token.accountId, token.id, noonMicros))
      return ({ accessTokens }) => [accessTokens.page(token.accountId, undefined, 10)]
    },
  }),
})

const useCases = recordUseCases('access-token-store', async (store, make) => {
  const { token, digest } = await addToken(store, make)
  const { accessTokens } = store
  return {
    id: token.id,
    find: () => accessTokens.findUsable(digest, noonMicros),
    recordUse: (id, atMicros) => accessTokens.recordUse(id, atMicros),
    end: () => accessTokens.revoke(token.accountId, token.id, noonMicros),
  }
})

/** The contract of the access token store. */
export const accessTokenStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('access-token-store', 'accessTokens', ['accounts', 'keys']),
  ...ownCases,
  ...useCases,
])

interface AddedToken {
  readonly token: StoredAccessToken
  readonly digest: Uint8Array
}

/** Adds a token to a new account. */
async function addToken(store: StorageUnderTest, make: Samples): Promise<AddedToken> {
  const token = make.accessToken((await addAccount(store, make)).id)
  const digest = make.tokenDigest()
  expectOk(await store.accessTokens.insert(token, digest), 'adding a token')
  return { token, digest }
}

/** The status of a token that is usable. */
function status(token: StoredAccessToken): TokenStatus {
  const { id, accountId, scopes, lastUsedAtMicros } = token
  return { id, accountId, scopes, lastUsedAtMicros }
}
