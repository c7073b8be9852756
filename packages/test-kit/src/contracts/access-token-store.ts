import { setImmediate } from 'node:timers/promises'
import type { Scope, StoredAccessToken, TokenStanding } from '@sotto/core'
import { noonMicros, type Samples } from '../samples.ts'
import { failsWith, okOf, same, sameIds } from './expect.ts'
import { ascending, isPagedInOrder, tiedPositions } from './paging.ts'
import { addAccount, storageCase, kids, type StorageCase, type StorageUnderTest } from './storage-harness.ts'

/** How often the store is asked for the use that was noted, before it counts as lost. */
const glances = 200

export const accessTokenStoreCases: readonly StorageCase[] = [
  storageCase({
    id: 'access-token-store/insert-is-found-again',
    rule: 'A token is found again exactly as it was added: its standing by its hash, all of it in the list.',
    async check(store, make) {
      const { id: accountId } = await addAccount(store, make)
      const scopes: readonly (readonly Scope[])[] = [['read'], ['write'], ['read', 'write']]
      const tokens = scopes.map((each) => make.accessToken(accountId, { scopes: each }))
      const used = {
        expiresAtMicros: Number.MAX_SAFE_INTEGER,
        revokedAtMicros: noonMicros + 2,
        lastUsedAtMicros: noonMicros + 1,
      }
      tokens.push(make.accessToken(accountId, used))
      for (const token of tokens) {
        const hash = make.tokenHash()
        await okOf(store.accessTokens.insert(token, hash))
        same(await okOf(store.accessTokens.findByHash(hash)), standing(token))
      }
      same(await okOf(store.accessTokens.slice(accountId, undefined, 10)), tokens)
    },
  }),
  storageCase({
    id: 'access-token-store/account-has-to-exist',
    rule: 'A token of an account that does not exist is refused with account_not_found, and nothing is written.',
    async check(store, make) {
      await addAccount(store, make)
      const token = make.accessToken(make.uuid())
      const hash = make.tokenHash()
      await failsWith(store.accessTokens.insert(token, hash), 'account_not_found')
      same(await okOf(store.accessTokens.findByHash(hash)), undefined)
      same(await okOf(store.accessTokens.slice(token.accountId, undefined, 10)), [])
    },
  }),
  storageCase({
    id: 'access-token-store/retired-key-is-refused',
    rule: 'A token whose name is under a retired or an unknown key is refused with key_retired, and nothing is written.',
    async check(store, make) {
      const { id: accountId } = await addAccount(store, make)
      for (const kid of [kids.retired, kids.unknown]) {
        const token = make.accessToken(accountId, { name: { kid, ciphertext: make.ciphertext() } })
        const hash = make.tokenHash()
        await failsWith(store.accessTokens.insert(token, hash), 'key_retired')
        same(await okOf(store.accessTokens.findByHash(hash)), undefined)
      }
      same(await okOf(store.accessTokens.slice(accountId, undefined, 10)), [])
    },
  }),
  storageCase({
    id: 'access-token-store/find-of-none-is-undefined',
    rule: 'findByHash answers undefined for a hash that no token has.',
    async check(store, make) {
      const { hash } = await addToken(store, make)
      const close = Uint8Array.from(hash, (byte, at) => (at === 31 ? byte ^ 1 : byte))
      for (const other of [make.tokenHash(), close])
        same(await okOf(store.accessTokens.findByHash(other)), undefined)
    },
  }),
  storageCase({
    id: 'access-token-store/find-tells-of-a-disabled-account',
    rule: 'findByHash finds the token of a disabled account, and says that the account is disabled.',
    async check(store, make) {
      const { token, hash } = await addToken(store, make)
      const other = await addToken(store, make)
      await okOf(store.accounts.disable(token.accountId, noonMicros))
      same(await okOf(store.accessTokens.findByHash(hash)), { ...standing(token), accountDisabled: true })
      same(await okOf(store.accessTokens.findByHash(other.hash)), standing(other.token), "another account's")
    },
  }),
  storageCase({
    id: 'access-token-store/slice-is-in-order',
    rule: 'Tokens are listed by creation and id ascending, revoked ones included, in slices that neither repeat nor miss one.',
    async check(store, make) {
      const { id } = await addAccount(store, make)
      const rows = tiedPositions(make.uuid, noonMicros).map((position, at) =>
        make.accessToken(id, { ...position, revokedAtMicros: at % 3 === 0 ? noonMicros : undefined }),
      )
      for (const row of rows) await okOf(store.accessTokens.insert(row, make.tokenHash()))
      await isPagedInOrder(
        (after, limit) => store.accessTokens.slice(id, after, limit),
        (token) => token,
        rows.toSorted(ascending),
      )
    },
  }),
  storageCase({
    id: 'access-token-store/slice-shows-own-tokens-only',
    rule: "An account's list holds its own tokens, and none of another account's.",
    async check(store, make) {
      const [mine, theirs] = [await addToken(store, make), await addToken(store, make)]
      sameIds(await okOf(store.accessTokens.slice(mine.token.accountId, undefined, 10)), [mine.token.id])
      sameIds(await okOf(store.accessTokens.slice(theirs.token.accountId, undefined, 10)), [theirs.token.id])
      sameIds(await okOf(store.accessTokens.slice(make.uuid(), undefined, 10)), [])
    },
  }),
  storageCase({
    id: 'access-token-store/revoke-keeps-the-first-moment',
    rule: 'revoke sets the moment once; a repeat is answered Ok(true) and keeps the first moment; other tokens stay.',
    async check(store, make) {
      const { token, hash } = await addToken(store, make)
      const other = make.accessToken(token.accountId)
      await okOf(store.accessTokens.insert(other, make.tokenHash()))
      const revoked = { ...token, revokedAtMicros: noonMicros + 5 }
      same(await okOf(store.accessTokens.revoke(token.accountId, token.id, noonMicros + 5)), true)
      same(await okOf(store.accessTokens.findByHash(hash)), standing(revoked))
      for (const atMicros of [noonMicros + 9, noonMicros + 1]) {
        same(await okOf(store.accessTokens.revoke(token.accountId, token.id, atMicros)), true, 'the repeat')
        same(await okOf(store.accessTokens.findByHash(hash)), standing(revoked))
      }
      same(await okOf(store.accessTokens.slice(token.accountId, undefined, 10)), [revoked, other])
    },
  }),
  storageCase({
    id: 'access-token-store/revoke-of-none-is-false',
    rule: "revoke answers Ok(false) for a token that is unknown or another account's, and changes nothing.",
    async check(store, make) {
      const [mine, theirs] = [await addToken(store, make), await addToken(store, make)]
      for (const id of [theirs.token.id, make.uuid()]) {
        same(await okOf(store.accessTokens.revoke(mine.token.accountId, id, noonMicros)), false)
      }
      same(await okOf(store.accessTokens.findByHash(theirs.hash)), standing(theirs.token))
    },
  }),
  storageCase({
    id: 'access-token-store/hash-belongs-to-one-token',
    rule: 'A token whose id or hash is taken is refused with a storage error; nothing is written, nothing is replaced.',
    async check(store, make) {
      const { token, hash } = await addToken(store, make)
      const hashOfOther = make.tokenHash()
      const sameHash = make.accessToken(token.accountId)
      const sameId = make.accessToken(token.accountId, { id: token.id })
      await failsWith(store.accessTokens.insert(sameHash, hash), 'storage_failed', 'storage_unavailable')
      await failsWith(store.accessTokens.insert(sameId, hashOfOther), 'storage_failed', 'storage_unavailable')
      same(await okOf(store.accessTokens.findByHash(hash)), standing(token))
      same(await okOf(store.accessTokens.findByHash(hashOfOther)), undefined)
      same(await okOf(store.accessTokens.slice(token.accountId, undefined, 10)), [token])
    },
  }),
  storageCase({
    id: 'access-token-store/note-use-is-kept-or-lost',
    rule: 'After noteUse the use is kept exactly, or lost, and nothing else about the token changes.',
    async check(store, make) {
      const { token, hash } = await addToken(store, make)
      const other = await addToken(store, make)
      store.accessTokens.noteUse(token.id, noonMicros + 60_000_000)
      const used = { ...standing(token), lastUsedAtMicros: noonMicros + 60_000_000 }
      for (let glance = 0; glance < glances; glance += 1) {
        const found = await okOf(store.accessTokens.findByHash(hash))
        const isKept = found?.lastUsedAtMicros !== undefined
        same(found, isKept ? used : standing(token))
        if (isKept) break
        await setImmediate()
      }
      same(await okOf(store.accessTokens.findByHash(other.hash)), standing(other.token), 'another token')
    },
  }),
  storageCase({
    id: 'access-token-store/note-use-fails-silently',
    rule: 'noteUse of a token that does not exist, and many uses at once, are no fault: the store works on.',
    async check(store, make) {
      const { token, hash } = await addToken(store, make)
      store.accessTokens.noteUse(make.uuid(), noonMicros)
      for (let use = 0; use < 100; use += 1) store.accessTokens.noteUse(token.id, noonMicros + use)
      await setImmediate()
      same((await okOf(store.accessTokens.findByHash(hash)))?.id, token.id)
      same(await okOf(store.accessTokens.revoke(token.accountId, token.id, noonMicros)), true)
    },
  }),
]

interface AddedToken {
  readonly token: StoredAccessToken
  readonly hash: Uint8Array
}

/** Adds a token to an account of its own. */
async function addToken(store: StorageUnderTest, make: Samples): Promise<AddedToken> {
  const token = make.accessToken((await addAccount(store, make)).id)
  const hash = make.tokenHash()
  await okOf(store.accessTokens.insert(token, hash), 'adding a token')
  return { token, hash }
}

/** The standing of a token of an account that is not disabled. */
function standing(token: StoredAccessToken): TokenStanding {
  const { id, accountId, scopes, expiresAtMicros, revokedAtMicros, lastUsedAtMicros } = token
  return { id, accountId, scopes, expiresAtMicros, revokedAtMicros, lastUsedAtMicros, accountDisabled: false }
}
