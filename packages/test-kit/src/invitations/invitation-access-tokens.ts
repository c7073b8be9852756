import type { StoredAccessToken } from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { kids, storageCase, type StorageCase, type StorageUnderTest, together } from '../stores/harness.ts'
import { addAccount, addPassword } from '../stores/rows.ts'
import { addInvitation, spending } from '../stores/one-time-rows.ts'

/** Cases of what `spend` does with access tokens. */
export const invitationAccessTokenCases: readonly StorageCase[] = together({
  'invitation-store/invitation-that-replaces-a-password-revokes-the-tokens': storageCase({
    rule: 'spend of an invitation that replaces a password revokes all access tokens of the account, and of no other, at the time of the spending. One that is revoked already keeps its first time.',
    async check(store, make) {
      const [{ id: mine }, { id: theirs }] = [await addAccount(store, make), await addAccount(store, make)]
      for (const id of [mine, theirs]) await addPassword(store, make, id)
      const revoked = await addToken(store, make, mine, noonMicros - 1)
      const tokens = [await addToken(store, make, mine), await addToken(store, make, mine)]
      const other = await addToken(store, make, theirs)
      const { digest } = await addInvitation(store, make, mine, { kind: 'invite' })
      same(expectOk(await store.invitations.spend(digest, spending(make, mine))), true)
      const after = [revoked, ...tokens.map((token) => ({ ...token, revokedAtMicros: noonMicros }))]
      same(await tokensOf(store, mine), byId(after))
      same(await tokensOf(store, theirs), [other], 'of another account')
    },
  }),
  'invitation-store/other-spendings-revoke-no-token': storageCase({
    rule: 'spend revokes no access token when the account had no password, when the link is a reset, and when it is refused.',
    async check(store, make) {
      const { id } = await addAccount(store, make)
      const token = await addToken(store, make, id)
      for (const [kind, when] of [
        ['invite', 'an invitation to an account without a password'],
        ['reset', 'a reset of an account with a password'],
      ] as const) {
        const { digest } = await addInvitation(store, make, id, { kind })
        same(expectOk(await store.invitations.spend(digest, spending(make, id))), true)
        same(await tokensOf(store, id), [token], when)
      }
      const { digest } = await addInvitation(store, make, id, { kind: 'invite' })
      const hash = { kid: kids.retired, ciphertext: make.ciphertext() }
      expectErr(await store.invitations.spend(digest, spending(make, id, { hash })), 'key_retired')
      same(expectOk(await store.invitations.spend(make.tokenDigest(), spending(make, id))), false)
      same(await tokensOf(store, id), [token], 'a refused spending')
    },
  }),
})

async function addToken(
  store: StorageUnderTest,
  make: Samples,
  accountId: Uuid,
  revokedAtMicros?: number,
): Promise<StoredAccessToken> {
  const token = make.accessToken(accountId, { revokedAtMicros })
  expectOk(await store.accessTokens.insert(token, make.tokenDigest()), 'adding a token')
  return token
}

async function tokensOf(store: StorageUnderTest, accountId: Uuid): Promise<readonly StoredAccessToken[]> {
  return byId(expectOk(await store.accessTokens.page(accountId, undefined, 10)))
}

function byId(tokens: readonly StoredAccessToken[]): readonly StoredAccessToken[] {
  return tokens.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}
