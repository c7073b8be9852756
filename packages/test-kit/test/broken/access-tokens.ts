import type { AccessTokenStore } from '@sotto/core'
import type { MemoryData, StorageHarness } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { brokenStorage, sameBytes, type Broken } from './broken.ts'

export const brokenAccessTokens: readonly Broken<StorageHarness>[] = [
  tokens('gives every token both scopes', ['access-token-store/insert-is-found-again'], (store) => ({
    insert: (token, hash) => store.insert({ ...token, scopes: ['read', 'write'] }, hash),
  })),
  tokens('loses when a token expires', ['access-token-store/insert-is-found-again'], (store) => ({
    insert: (token, hash) => store.insert({ ...token, expiresAtMicros: undefined }, hash),
  })),
  tokens(
    'adds what it refuses',
    ['access-token-store/account-has-to-exist', 'access-token-store/retired-key-is-refused'],
    (store, { accessTokens }) => ({
      insert: (token, hash) =>
        store.insert(token, hash).mapErr((error) => {
          accessTokens.set(token.id, { token, hash })
          return error
        }),
    }),
  ),
  tokens(
    'compares the beginning of a hash',
    ['access-token-store/find-of-none-is-undefined'],
    (store, data) => ({
      findByHash(hash) {
        const hashes = [...data.accessTokens.values()].map((row) => row.hash)
        return store.findByHash(
          hashes.find((each) => sameBytes(each.subarray(0, 16), hash.subarray(0, 16))) ?? hash,
        )
      },
    }),
  ),
  tokens(
    'does not ask about the account',
    ['access-token-store/find-tells-of-a-disabled-account'],
    (store) => ({
      findByHash: (hash) =>
        store.findByHash(hash).map((found) => found && { ...found, accountDisabled: false }),
    }),
  ),
  tokens(
    'hides the tokens of disabled accounts',
    ['access-token-store/find-tells-of-a-disabled-account'],
    (store) => ({
      findByHash: (hash) =>
        store.findByHash(hash).map((found) => (found?.accountDisabled ? undefined : found)),
    }),
  ),
  tokens('lists the latest first', ['access-token-store/slice-is-in-order'], (store) => ({
    slice: (...asked) => store.slice(...asked).map((rows) => rows.toReversed()),
  })),
  tokens('hides revoked tokens', ['access-token-store/slice-is-in-order'], (store) => ({
    slice: (...asked) =>
      store
        .slice(...asked)
        .map((rows) => rows.filter(({ revokedAtMicros }) => revokedAtMicros === undefined)),
  })),
  tokens(
    "lists other accounts' tokens",
    ['access-token-store/slice-shows-own-tokens-only'],
    (store, data) => ({
      slice: (accountId, after, limit) => {
        const owner = data.accessTokens.values().next().value?.token.accountId
        return store.slice(owner ?? accountId, after, limit)
      },
    }),
  ),
  tokens(
    'revokes again with the later moment',
    ['access-token-store/revoke-keeps-the-first-moment'],
    (store, data) => ({
      revoke(accountId, id, atMicros) {
        const row = data.accessTokens.get(id)
        if (row) data.accessTokens.set(id, { ...row, token: { ...row.token, revokedAtMicros: undefined } })
        return store.revoke(accountId, id, atMicros)
      },
    }),
  ),
  tokens(
    'has nothing to revoke the second time',
    ['access-token-store/revoke-keeps-the-first-moment'],
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
    'replaces a token of the same hash',
    ['access-token-store/hash-belongs-to-one-token'],
    (store, data) => ({
      insert(token, hash) {
        for (const [id, row] of data.accessTokens) if (sameBytes(row.hash, hash)) data.accessTokens.delete(id)
        return store.insert(token, hash)
      },
    }),
  ),
  tokens(
    'replaces a token of the same id',
    ['access-token-store/hash-belongs-to-one-token'],
    (store, data) => ({
      insert(token, hash) {
        data.accessTokens.delete(token.id)
        return store.insert(token, hash)
      },
    }),
  ),
  tokens('notes the use of every token', ['access-token-store/note-use-is-kept-or-lost'], (store, data) => ({
    noteUse(_, atMicros) {
      for (const id of data.accessTokens.keys()) store.noteUse(id, atMicros)
    },
  })),
  tokens('notes uses to the second', ['access-token-store/note-use-is-kept-or-lost'], (store) => ({
    noteUse: (id, atMicros) => store.noteUse(id, Math.floor(atMicros / 1_000_000) * 1_000_000),
  })),
  {
    ...tokens(
      'throws when an unknown token is used',
      ['access-token-store/note-use-fails-silently'],
      (store, data) => ({
        noteUse(id, atMicros) {
          if (!data.accessTokens.has(id)) throw new RangeError('no such token')
          store.noteUse(id, atMicros)
        },
      }),
    ),
    thrown: RangeError,
  },
  tokens(
    'finds nothing any more after many uses',
    ['access-token-store/note-use-fails-silently'],
    (store) => {
      let uses = 0
      return {
        noteUse: () => void (uses += 1),
        findByHash: (hash) => (uses > 50 ? okAsync(undefined) : store.findByHash(hash)),
      }
    },
  ),
]

function tokens(
  fault: string,
  breaks: readonly string[],
  change: (store: AccessTokenStore, data: MemoryData) => Partial<AccessTokenStore>,
): Broken<StorageHarness> {
  return brokenStorage(fault, breaks, ({ accessTokens: store, data }) => ({
    accessTokens: { ...store, ...change(store, data) },
  }))
}
