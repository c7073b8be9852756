import type { MemoryData, StorageHarness } from '@sotto/test-kit'
import { brokenStore, type Broken } from './broken.ts'

const welcomes = brokenStore('welcomes')

/** Flaws of what the spending of one-time links does with access tokens. */
export const brokenWelcomeAccessTokens: readonly Broken<StorageHarness>[] = [
  welcomes(
    'keeps the tokens of an account that is taken over',
    ['welcome-store/invitation-that-replaces-a-password-revokes-the-tokens'],
    (store, { accessTokens }) => ({
      spend(digest, left) {
        const before = [...accessTokens]
        return store.spend(digest, left).map((spent) => {
          for (const [id, row] of before) accessTokens.set(id, row)
          return spent
        })
      },
    }),
  ),
  welcomes(
    'revokes the tokens of all accounts',
    ['welcome-store/invitation-that-replaces-a-password-revokes-the-tokens'],
    (store, data) => ({
      spend: (digest, left) =>
        store.spend(digest, left).map((spent) => {
          revokeAll(data, left.nowMicros)
          return spent
        }),
    }),
  ),
  welcomes(
    'revokes tokens again that are revoked already',
    ['welcome-store/invitation-that-replaces-a-password-revokes-the-tokens'],
    (store, { accessTokens }) => ({
      spend: (digest, left) =>
        store.spend(digest, left).map((spent) => {
          for (const [id, row] of accessTokens) {
            if (row.token.revokedAtMicros === undefined) continue
            accessTokens.set(id, { ...row, token: { ...row.token, revokedAtMicros: left.nowMicros } })
          }
          return spent
        }),
    }),
  ),
  welcomes(
    'revokes tokens whenever a link is spent',
    ['welcome-store/other-spendings-revoke-no-token'],
    (store, data) => ({
      spend: (digest, left) =>
        store.spend(digest, left).map((spent) => {
          if (spent) revokeAll(data, left.nowMicros)
          return spent
        }),
    }),
  ),
  welcomes(
    'revokes tokens with every invitation',
    ['welcome-store/other-spendings-revoke-no-token'],
    (store, data) => ({
      spend(digest, left) {
        const kind = data.welcomes.get(left.password.accountId)?.welcome.kind
        return store.spend(digest, left).map((spent) => {
          if (spent && kind === 'invite') revokeAll(data, left.nowMicros)
          return spent
        })
      },
    }),
  ),
  welcomes(
    'revokes tokens with every password that is replaced',
    ['welcome-store/other-spendings-revoke-no-token'],
    (store, data) => ({
      spend(digest, left) {
        const isReplaced = data.passwords.has(left.password.accountId)
        return store.spend(digest, left).map((spent) => {
          if (spent && isReplaced) revokeAll(data, left.nowMicros)
          return spent
        })
      },
    }),
  ),
  welcomes(
    'revokes tokens although it refuses',
    ['welcome-store/other-spendings-revoke-no-token'],
    (store, data) => ({
      spend: (digest, left) =>
        store.spend(digest, left).mapErr((error) => {
          revokeAll(data, left.nowMicros)
          return error
        }),
    }),
  ),
]

function revokeAll({ accessTokens }: MemoryData, revokedAtMicros: number): void {
  for (const [id, row] of accessTokens) {
    if (row.token.revokedAtMicros !== undefined) continue
    accessTokens.set(id, { ...row, token: { ...row.token, revokedAtMicros } })
  }
}
