import type { StorageHarness } from '@sotto/test-kit'
import { err, ok } from 'neverthrow'
import { brokenStorage, brokenStore, pause, sameBytes, slowly, type Broken } from './broken.ts'

const identities = brokenStore('identities')
const passkeys = brokenStore('passkeys')
const usedTokens = brokenStore('usedTokens')

/** Flaws of the stores of identities, passkeys, and what counts once: each looks, then writes. */
export const brokenIdentities: readonly Broken<StorageHarness>[] = [
  identities(
    'looks whether the identity is taken, then adds',
    ['identity-store/one-of-parallel-inserts-wins', 'identity-store/one-of-inserts-from-two-storages-wins'],
    (store, data) => ({
      insert: (identity, indexes) =>
        slowly(async () => {
          const found = await store.find(indexes)
          await pause()
          if (found.isErr()) return err(found.error)
          if (found.value !== undefined) return err({ code: 'identity_taken' as const })
          data.identities.set(identity.id, { identity, nameIndex: indexes[0] })
          return ok()
        }),
    }),
  ),
  brokenStorage(
    'asks by what is left, then erases',
    [
      'identity-store/one-of-the-last-two-ways-in-stays',
      'identity-store/one-of-the-last-two-ways-in-stays-beside',
    ],
    ({ identities: store, passwords, data }) => ({
      identities: {
        ...store,
        erase: (accountId, id, { mayErase }) =>
          slowly(async () => {
            const found = await passwords.authenticators(accountId)
            if (found.isErr()) return err(found.error)
            const left = found.value.identities.filter((each) => each.id !== id)
            if (!mayErase({ ...found.value, identities: left })) return err({ code: 'last_way_in' as const })
            await pause()
            data.identities.delete(id)
            return ok()
          }),
      },
    }),
  ),
  passkeys(
    'compares the counter, then records',
    ['passkey-store/one-of-uses-with-one-counter-wins', 'passkey-store/one-of-uses-from-two-storages-wins'],
    (_, data) => ({
      recordUse: (id, counter, atMicros) =>
        slowly(async () => {
          const row = data.passkeys.get(id)
          const goesOn = row !== undefined && counter > row.passkey.counter
          await pause()
          if (row === undefined || !goesOn) return ok(false)
          data.passkeys.set(id, { ...row, passkey: { ...row.passkey, counter, lastUsedAtMicros: atMicros } })
          return ok(true)
        }),
    }),
  ),
  passkeys('finds another one', ['passkey-store/answers-as-the-memory-storage'], (store, data) => ({
    findByCredential: (digest) => {
      const row = data.passkeys.values().find((each) => !sameBytes(each.digest, digest))
      return store.findByCredential(row?.digest ?? digest)
    },
  })),
  usedTokens(
    'looks, then remembers',
    ['used-token-store/one-of-parallel-uses-wins', 'used-token-store/one-of-uses-from-two-storages-wins'],
    (_, data) => ({
      use: ({ digest, eraseAtMicros }) =>
        slowly(async () => {
          const key = Buffer.from(digest).toString('hex')
          const wasUsed = data.usedTokens.has(key)
          await pause()
          data.usedTokens.set(key, eraseAtMicros)
          return ok(!wasUsed)
        }),
    }),
  ),
]
