import { isTokenUsable, type StoredAccessToken } from '@sotto/core'
import type { StorageHarness } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { brokenStore, sameBytes, type Broken } from './broken.ts'

const tokens = brokenStore('accessTokens')

export const brokenAccessTokens: readonly Broken<StorageHarness>[] = [
  tokens('gives every token both scopes', ['access-token-store/insert-is-found-again'], (store) => ({
    insert: (token, digest) => store.insert({ ...token, scopes: ['read', 'write'] }, digest),
  })),
  tokens('loses when a token expires', ['access-token-store/insert-is-found-again'], (store) => ({
    insert: (token, digest) => store.insert({ ...token, expiresAtMicros: undefined }, digest),
  })),
  tokens(
    'inserts what it refuses',
    ['access-token-store/account-must-exist', 'access-token-store/retired-key-is-refused'],
    (store, { accessTokens }) => ({
      insert: (token, digest) =>
        store.insert(token, digest).mapErr((error) => {
          accessTokens.set(token.id, { token, digest })
          return error
        }),
    }),
  ),
  tokens(
    'compares only the first 16 bytes of a digest',
    ['access-token-store/find-of-none-is-undefined'],
    (store, data) => ({
      findUsable(digest, nowMicros) {
        const digests = [...data.accessTokens.values()].map((row) => row.digest)
        return store.findUsable(
          digests.find((each) => sameBytes(each.subarray(0, 16), digest.subarray(0, 16))) ?? digest,
          nowMicros,
        )
      },
    }),
  ),
  finding(
    'does not look at the account',
    ['access-token-store/find-knows-no-disabled-account'],
    isTokenUsable,
  ),
  finding('finds revoked tokens', ['access-token-store/find-knows-only-usable-tokens'], (token, nowMicros) =>
    isTokenUsable({ ...token, revokedAtMicros: undefined }, nowMicros),
  ),
  finding(
    'finds a token in the microsecond of its expiry',
    ['access-token-store/find-knows-only-usable-tokens'],
    (token, nowMicros) => isTokenUsable(token, nowMicros - 1),
  ),
  tokens('lists the latest first', ['access-token-store/page-is-in-order'], (store) => ({
    page: (...asked) => store.page(...asked).map((rows) => rows.toReversed()),
  })),
  tokens('hides revoked tokens', ['access-token-store/page-is-in-order'], (store) => ({
    page: (...asked) =>
      store.page(...asked).map((rows) => rows.filter(({ revokedAtMicros }) => revokedAtMicros === undefined)),
  })),
  tokens(
    "lists other accounts' tokens",
    ['access-token-store/page-shows-own-tokens-only'],
    (store, data) => ({
      page: (accountId, after, limit) => {
        const owner = data.accessTokens.values().next().value?.token.accountId
        return store.page(owner ?? accountId, after, limit)
      },
    }),
  ),
  tokens(
    'revokes again at the later time',
    ['access-token-store/revoke-keeps-the-first-time'],
    (store, data) => ({
      revoke(accountId, id, atMicros) {
        const row = data.accessTokens.get(id)
        if (row) data.accessTokens.set(id, { ...row, token: { ...row.token, revokedAtMicros: undefined } })
        return store.revoke(accountId, id, atMicros)
      },
    }),
  ),
  tokens(
    'answers false for a token that is revoked already',
    ['access-token-store/revoke-keeps-the-first-time'],
    (store, data) => ({
      revoke: (accountId, id, atMicros) =>
        data.accessTokens.get(id)?.token.revokedAtMicros === undefined
          ? store.revoke(accountId, id, atMicros)
          : okAsync(false),
    }),
  ),
  tokens("revokes other accounts' tokens", ['access-token-store/revoke-of-none-is-false'], (store, data) => ({
    revoke: (accountId, id, atMicros) =>
      store.revoke(data.accessTokens.get(id)?.token.accountId ?? accountId, id, atMicros),
  })),
  tokens(
    'says that it revoked what is not there',
    ['access-token-store/revoke-of-none-is-false'],
    (store) => ({
      revoke: (...asked) => store.revoke(...asked).map(() => true),
    }),
  ),
  tokens(
    'replaces a token of the same digest',
    ['access-token-store/id-and-digest-belong-to-one-token'],
    (store, data) => ({
      insert(token, digest) {
        for (const [id, row] of data.accessTokens)
          if (sameBytes(row.digest, digest)) data.accessTokens.delete(id)
        return store.insert(token, digest)
      },
    }),
  ),
  tokens(
    'replaces a token of the same id',
    ['access-token-store/id-and-digest-belong-to-one-token'],
    (store, data) => ({
      insert(token, digest) {
        data.accessTokens.delete(token.id)
        return store.insert(token, digest)
      },
    }),
  ),
  tokens(
    'records a use for every token',
    ['access-token-store/recorded-use-is-exact-or-lost'],
    (store, data) => ({
      recordUse(_, atMicros) {
        for (const id of data.accessTokens.keys()) store.recordUse(id, atMicros)
      },
    }),
  ),
  tokens('records uses to the second', ['access-token-store/recorded-use-is-exact-or-lost'], (store) => ({
    recordUse: (id, atMicros) => store.recordUse(id, Math.floor(atMicros / 1_000_000) * 1_000_000),
  })),
  tokens(
    'throws when an unknown token is used',
    ['access-token-store/record-use-never-fails'],
    (store, data) => ({
      recordUse(id, atMicros) {
        if (!data.accessTokens.has(id)) throw new RangeError('no such token')
        store.recordUse(id, atMicros)
      },
    }),
  ),
  tokens('finds nothing after many uses', ['access-token-store/record-use-never-fails'], (store) => {
    let uses = 0
    return {
      recordUse: () => void (uses += 1),
      findUsable: (...asked) => (uses > 50 ? okAsync(undefined) : store.findUsable(...asked)),
    }
  }),
]

/** A store that finds every token which passes, whatever its account. */
function finding(
  flaw: string,
  breaks: readonly string[],
  passes: (token: StoredAccessToken, nowMicros: number) => boolean,
): Broken<StorageHarness> {
  return tokens(flaw, breaks, (_store, data) => ({
    findUsable(digest, nowMicros) {
      const row = data.accessTokens.values().find((each) => sameBytes(each.digest, digest))
      if (row === undefined || !passes(row.token, nowMicros)) return okAsync(undefined)
      const { id, accountId, scopes, lastUsedAtMicros } = row.token
      return okAsync({ id, accountId, scopes, lastUsedAtMicros })
    },
  }))
}
