import type { Authenticators, StoredIdentity } from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import { ok } from 'neverthrow'
import { casesOf } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { besideCase, storageCase, type StorageCase, type StorageUnderTest } from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { addInvitation, spending } from '../stores/one-time-rows.ts'
import { onlyWinner } from '../stores/races.ts'
import { addAccount } from '../stores/rows.ts'
import { taking } from './identity-rows.ts'

/** What histories do not show of the store of identities: callers at the same time. */
export const identityCases: readonly StorageCase[] = [
  neededStoresCase('identity-store', 'identities', [
    ...(['accounts', 'keys', 'accessTokens', 'passwords', 'sessions', 'passkeys', 'invitations'] as const),
  ]),
  ...casesOf({
    'identity-store/one-of-parallel-inserts-wins': storageCase({
      rule: 'Of several inserts of one identity at the same time exactly one succeeds.',
      check: (store, make) => oneInsertWins(store, store, make),
    }),
    'identity-store/one-of-inserts-from-two-storages-wins': besideCase({
      rule: 'Of several inserts of one identity by two storages on the same data exactly one succeeds.',
      check: oneInsertWins,
    }),
    'identity-store/one-of-the-last-two-ways-in-stays': storageCase({
      rule: 'Of two calls at the same time that erase the last two identities exactly one is refused by the decision.',
      check: (store, make) => oneStays(store, store, make),
    }),
    'identity-store/one-of-the-last-two-ways-in-stays-beside': besideCase({
      rule: 'The same for calls by two storages on the same data.',
      check: oneStays,
    }),
    'identity-store/one-of-parallel-logouts-counts': storageCase({
      rule: 'Of several calls with one logout token at the same time exactly one counts.',
      check: (store, make) => oneLogoutCounts(store, store, make),
    }),
    'identity-store/one-of-logouts-from-two-storages-counts': besideCase({
      rule: 'Of several calls with one logout token by two storages on the same data exactly one counts.',
      check: oneLogoutCounts,
    }),
    'identity-store/one-of-parallel-takings-wins': storageCase({
      rule: 'Of several calls that take or spend one link at the same time exactly one succeeds.',
      needs: ['together'],
      check: (store, make) => oneTakingWins(store, store, make),
    }),
    'identity-store/one-of-takings-from-two-storages-wins': besideCase({
      rule: 'Of several calls by two storages that take or spend one link at the same time exactly one succeeds.',
      needs: ['together'],
      check: oneTakingWins,
    }),
  }),
]

interface AddedIdentity {
  readonly identity: StoredIdentity
  readonly index: Uint8Array
}

/** Adds an identity to an account. */
async function add(store: StorageUnderTest, make: Samples, accountId: Uuid): Promise<AddedIdentity> {
  const [identity, index] = [make.identity(accountId), make.nameIndex()]
  expectOk(await store.identities.insert(identity, [index], 100), 'adding an identity')
  return { identity, index }
}

async function oneInsertWins(
  store: StorageUnderTest,
  beside: StorageUnderTest,
  make: Samples,
): Promise<void> {
  const accounts = [await addAccount(store, make), await addAccount(store, make)]
  const index = make.nameIndex()
  let made = 0
  const winner = await onlyWinner({
    stores: [store, beside],
    makeRival: () => make.identity(accounts[(made += 1) % 2]?.id ?? ''),
    run: ({ identities }, identity) =>
      identities
        .insert(identity, [index], 100)
        .map(() => true)
        .orElse((error) => (error.code === 'identity_taken' ? ok(false) : ok(undefined as never))),
  })
  same(expectOk(await store.identities.find([index])), {
    ...winner,
    accountDisabled: false,
    accountHeld: false,
  })
}

async function oneStays(store: StorageUnderTest, beside: StorageUnderTest, make: Samples): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    const { id } = await addAccount(store, make)
    const both = [await add(store, make, id), await add(store, make, id)]
    const mayErase = ({ identities }: Authenticators) => identities.length > 0
    const erased = await Promise.all(
      both.map(({ identity }, at) =>
        (at === 0 ? store : beside).identities.erase(id, identity.id, { mayErase }),
      ),
    )
    const codes = erased.map((each) => (each.isOk() ? 'erased' : each.error.code)).toSorted()
    same(codes, ['erased', 'last_way_in'])
    same(expectOk(await store.identities.list(id)).length, 1)
  }
}

async function oneLogoutCounts(
  store: StorageUnderTest,
  beside: StorageUnderTest,
  make: Samples,
): Promise<void> {
  const { index } = await add(store, make, (await addAccount(store, make)).id)
  const token = { digest: make.tokenDigest(), eraseAtMicros: noonMicros + 60_000_000 }
  await onlyWinner({
    stores: [store, beside],
    makeRival: () => ({ identity: [index] as const, providerSession: undefined, token }),
    run: ({ identities }, logout) => identities.endSessions(logout).map((ended) => ended !== undefined),
  })
}

async function oneTakingWins(
  store: StorageUnderTest,
  beside: StorageUnderTest,
  make: Samples,
): Promise<void> {
  const { id } = await addAccount(store, make)
  const { digest } = await addInvitation(store, make, id)
  let made = 0
  const winner = await onlyWinner({
    stores: [store, beside],
    makeRival: () => ((made += 1) % 3 === 0 ? spending(make, id) : taking(make, id)),
    run: ({ invitations, identities }, left) =>
      'password' in left ? invitations.spend(digest, left) : identities.takeInvitation(digest, left, 5),
  })
  same(expectOk(await store.sessions.page(id, undefined, 10)), [winner.session])
}
