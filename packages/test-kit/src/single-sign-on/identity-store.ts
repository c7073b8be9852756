import {
  type Authenticators,
  sessionIdleMicros,
  sessionLifetimeMicros,
  sessionsOverAt,
  type StoredAccessToken,
  type StoredIdentity,
  type StoredPassword,
  type StoredSession,
} from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import { ok } from 'neverthrow'
import { casesOf, contractOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import {
  besideCase,
  durableCase,
  kids,
  storageCase,
  together,
  type StorageCase,
  type StorageUnderTest,
} from '../stores/harness.ts'
import { identitySessionCases } from './identity-sessions.ts'
import { invitationIdentityCases } from './invitation-identities.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { ascending, tiedPositions } from '../stores/paging.ts'
import { onlyWinner } from '../stores/races.ts'
import { addAccount, addPassword, under } from '../stores/rows.ts'

/** Cases of adding and finding. */
const insertCases: readonly StorageCase[] = casesOf({
  'identity-store/insert-is-found-again': storageCase({
    rule: 'An identity is found by any of several indexes that it may be stored under, and listed, exactly as it was inserted.',
    async check(store, make) {
      const { id } = await addAccount(store, make)
      const origins = ['connected', 'invited', 'allowed'] as const
      const times = {
        createdAtMicros: 2 ** 52 + 1,
        lastUsedAtMicros: 2 ** 52 + 3,
        refusedAtMicros: 2 ** 52 + 5,
      }
      const identities = origins.map((origin) => make.identity(id, { origin, ...times }))
      for (const identity of identities) {
        const index = make.nameIndex()
        expectOk(await store.identities.insert(identity, [index, make.nameIndex()], 5))
        const status = { ...identity, accountDisabled: false, accountHeld: false }
        same(expectOk(await store.identities.find([make.nameIndex(), index])), status, identity.origin)
      }
      same(expectOk(await store.identities.find([make.nameIndex()])), undefined, 'one that is not stored')
      same(expectOk(await store.identities.list(id)), identities)
    },
  }),
  'identity-store/is-listed-with-its-account': storageCase({
    rule: 'list gives the identities of the account only, by creation and id ascending.',
    async check(store, make) {
      const [mine, theirs] = [await addAccount(store, make), await addAccount(store, make)]
      const identities = tiedPositions(make.uuid, noonMicros).map((at) => make.identity(mine.id, at))
      for (const each of identities) expectOk(await store.identities.insert(each, [make.nameIndex()], 100))
      await add(store, make, theirs.id)
      same(expectOk(await store.identities.list(mine.id)), identities.toSorted(ascending))
    },
  }),
  'identity-store/belongs-to-one-account': storageCase({
    rule: 'insert answers identity_taken, and adds nothing, when any of the indexes is that of a stored identity, of whatever account.',
    async check(store, make) {
      const [mine, theirs] = [await addAccount(store, make), await addAccount(store, make)]
      const { identity, index } = await add(store, make, mine.id)
      for (const { id } of [mine, theirs]) {
        const other = make.identity(id)
        expectErr(await store.identities.insert(other, [make.nameIndex(), index], 5), 'identity_taken')
      }
      same(expectOk(await store.identities.list(mine.id)), [identity])
      same(expectOk(await store.identities.list(theirs.id)), [])
    },
  }),
  'identity-store/taken-id-is-refused': storageCase({
    rule: 'insert under an id that is taken answers storage_failed and changes nothing.',
    async check(store, make) {
      const { id } = await addAccount(store, make)
      const { identity } = await add(store, make, id)
      const again = await store.identities.insert(
        make.identity(id, { id: identity.id }),
        [make.nameIndex()],
        5,
      )
      expectErr(again, 'storage_failed')
      same(expectOk(await store.identities.list(id)), [identity])
    },
  }),
  'identity-store/limit-is-per-account': storageCase({
    rule: 'insert answers identity_limit_reached, and adds nothing, once the account has `max` identities; those of others do not count.',
    async check(store, make) {
      const [mine, theirs] = [await addAccount(store, make), await addAccount(store, make)]
      for (const { id } of [theirs, mine, mine]) await add(store, make, id)
      const third = await store.identities.insert(make.identity(mine.id), [make.nameIndex()], 2)
      expectErr(third, 'identity_limit_reached')
      same(expectOk(await store.identities.list(mine.id)).length, 2)
    },
  }),
  'identity-store/one-of-parallel-inserts-wins': storageCase({
    rule: 'Of several inserts of one identity at the same time exactly one succeeds.',
    check: (store, make) => oneInsertWins(store, store, make),
  }),
  'identity-store/one-of-inserts-from-two-storages-wins': besideCase({
    rule: 'Of several inserts of one identity by two storages on the same data exactly one succeeds.',
    check: oneInsertWins,
  }),
  'identity-store/uses-are-recorded': storageCase({
    rule: 'recordUse records the time and takes a refusal back; it answers Ok(false) for an unknown id.',
    async check(store, make) {
      const { id } = await addAccount(store, make)
      const { identity } = await add(store, make, id, { refusedAtMicros: noonMicros })
      const other = await add(store, make, id)
      same(expectOk(await store.identities.recordUse(identity.id, noonMicros + 7)), true)
      const used = { ...identity, lastUsedAtMicros: noonMicros + 7, refusedAtMicros: undefined }
      same(expectOk(await store.identities.list(id)), [used, other.identity])
      same(expectOk(await store.identities.recordUse(make.uuid(), noonMicros)), false)
    },
  }),
})

/** Cases of erasing, and of what is found after reopening. */
const eraseCases: readonly StorageCase[] = casesOf({
  'identity-store/erase-of-none-is-told': storageCase({
    rule: 'erase answers identity_not_found for an unknown id and for another account, without asking, and erases nothing.',
    async check(store, make) {
      const [mine, theirs] = [await addAccount(store, make), await addAccount(store, make)]
      const { identity } = await add(store, make, mine.id)
      for (const [account, id] of [
        [theirs.id, identity.id],
        [mine.id, make.uuid()],
      ] as const) {
        let asked = 0
        const mayErase = () => (asked += 1) > 0
        expectErr(await store.identities.erase(account, id, { mayErase }), 'identity_not_found')
        same(asked, 0, 'how often it asked')
      }
      same(expectOk(await store.identities.list(mine.id)), [identity])
    },
  }),
  'identity-store/one-of-the-last-two-ways-in-stays': storageCase({
    rule: 'Of two calls at the same time that erase the last two identities exactly one is refused by the decision.',
    check: (store, make) => oneStays(store, store, make),
  }),
  'identity-store/one-of-the-last-two-ways-in-stays-beside': besideCase({
    rule: 'The same for calls by two storages on the same data.',
    check: oneStays,
  }),
  'identity-store/writes-are-durable': durableCase({
    rule: 'Identities that were added, used or refused are so after reopening, and those that were erased are gone.',
    async act(store, make) {
      const { id } = await addAccount(store, make)
      const [used, refused, erased] = [
        await add(store, make, id),
        await add(store, make, id),
        await add(store, make, id),
      ]
      expectOk(await store.identities.recordUse(used.identity.id, noonMicros))
      expectOk(await store.identities.refuse(refused.identity.id, noonMicros))
      expectOk(await store.identities.erase(id, erased.identity.id, { mayErase: () => true }))
      return ({ identities }) => [identities.list(id), identities.find([used.index])]
    },
  }),
})

/** Cases that see accounts and passwords. */
const accountCases: readonly StorageCase[] = together({
  'identity-store/account-must-exist': storageCase({
    rule: 'insert answers account_not_found for an unknown or disabled account; find tells whether the account is disabled.',
    async check(store, make) {
      const { id } = await addAccount(store, make)
      const { identity, index } = await add(store, make, id)
      expectOk(await store.accounts.disable(id, noonMicros))
      for (const account of [id, make.uuid()]) {
        const refused = await store.identities.insert(make.identity(account), [make.nameIndex()], 5)
        expectErr(refused, 'account_not_found')
      }
      same(expectOk(await store.identities.find([index])), {
        ...identity,
        accountDisabled: true,
        accountHeld: false,
      })
    },
  }),
  'identity-store/account-comes-with-its-identity': storageCase({
    rule: 'insertAccount adds the account and its identity, each to be found by its first index; find tells whether the account is held.',
    async check(store, make) {
      const [account, nameIndex, index] = [make.account({ isHeld: true }), make.nameIndex(), make.nameIndex()]
      const identity = make.identity(account.id, { origin: 'allowed' })
      expectOk(await store.identities.insertAccount(account, [nameIndex], identity, [index]))
      same(expectOk(await store.accounts.findByName([nameIndex])), account)
      const status = { ...identity, accountDisabled: false, accountHeld: true }
      same(expectOk(await store.identities.find([index])), status)
      expectOk(await store.accounts.release(account.id))
      same(expectOk(await store.identities.find([index])), { ...status, accountHeld: false }, 'released')
    },
  }),
  'identity-store/account-and-identity-are-added-both-or-none': storageCase({
    rule: 'insertAccount answers account_exists, identity_taken or key_retired, and adds neither then.',
    async check(store, make) {
      const [old, nameIndex] = [make.account(), make.nameIndex()]
      expectOk(await store.accounts.insert(old, [nameIndex]))
      const { index } = await add(store, make, old.id)
      const insert = (names: Uint8Array, indexes: Uint8Array, kidsOf = [kids.writable, kids.writable]) => {
        const account = make.account({ name: under(make, kidsOf[0] ?? 0) })
        const identity = make.identity(account.id, { name: under(make, kidsOf[1] ?? 0) })
        return store.identities.insertAccount(account, [make.nameIndex(), names], identity, [
          make.nameIndex(),
          indexes,
        ])
      }
      expectErr(await insert(nameIndex, make.nameIndex()), 'account_exists')
      expectErr(await insert(make.nameIndex(), index), 'identity_taken')
      for (const kidsOf of [
        [kids.retired, kids.writable],
        [kids.writable, kids.retired],
      ])
        expectErr(await insert(make.nameIndex(), make.nameIndex(), kidsOf), 'key_retired')
      same(expectOk(await store.accounts.page(undefined, 10)), [old])
      const texts = await store.rewraps.texts('identity.name', kids.unknown, undefined, 10)
      same(expectOk(texts).length, 1, 'how many identities there are')
    },
  }),
  'identity-store/ways-in-are-told': storageCase({
    rule: 'authenticators tells whether the account is held and has a password, and which identities and passkeys.',
    async check(store, make) {
      const [mine, theirs] = [await addAccount(store, make, { isHeld: true }), await addAccount(store, make)]
      const authenticators = async (id: Uuid) => expectOk(await store.passwords.authenticators(id))
      same(await authenticators(mine.id), { ...noAuthenticators, isHeld: true })
      await addPassword(store, make, mine.id)
      const identities = [
        (await add(store, make, mine.id)).identity,
        (await add(store, make, mine.id)).identity,
      ]
      const hosts = ['a.example', 'b.example', 'a.example']
      const passkeys = hosts.map((rpId) => make.passkey(mine.id, { rpId }))
      for (const each of passkeys) expectOk(await store.passkeys.insert(each, make.tokenDigest(), 5))
      const shown = passkeys.toSorted(ascending).map(({ id, rpId }) => ({ id, rpId }))
      same(await authenticators(mine.id), { isHeld: true, hasPassword: true, identities, passkeys: shown })
      same(await authenticators(theirs.id), noAuthenticators)
    },
  }),
  'identity-store/erase-asks-with-what-is-left': storageCase({
    rule: 'erase passes what is left to the decision, and erases the identity only when that is enough; last_way_in otherwise.',
    async check(store, make) {
      const { id } = await addAccount(store, make)
      const [one, two] = [await add(store, make, id), await add(store, make, id)]
      const { password } = await addPassword(store, make, id)
      const seen: Authenticators[] = []
      const erase = (identity: StoredIdentity, isEnough: boolean) =>
        store.identities.erase(id, identity.id, {
          mayErase: (left) => {
            seen.push(left)
            return isEnough
          },
        })
      expectErr(await erase(one.identity, false), 'last_way_in')
      same(seen.at(-1), { ...noAuthenticators, hasPassword: true, identities: [two.identity] })
      same(expectOk(await store.identities.list(id)), [one.identity, two.identity])
      expectOk(await erase(one.identity, true))
      same(expectOk(await store.identities.find([one.index])), undefined)
      same(expectOk(await store.identities.list(id)), [two.identity])
      same(expectOk(await store.passwords.find(id)), password, 'the password')
    },
  }),
  'identity-store/refused-accounts-with-access-are-told': storageCase({
    rule: 'refusedWithAccess gives held accounts, by creation and id, that were refused last, or have no identity that was used, and have a password, a passkey, or a session or access token that works; with `evenAllowed` also those that were not refused; up to the limit.',
    async check(store, make) {
      let made = 0
      const account = async (columns: Partial<StoredIdentity>, isHeld = true) => {
        const createdAtMicros = noonMicros + (made += 1)
        const { id } = await addAccount(store, make, { isHeld, createdAtMicros })
        await add(store, make, id, columns)
        return id
      }
      const refusedAtMicros = noonMicros - 5
      const token = async (id: Uuid, columns: Partial<StoredAccessToken> = {}) =>
        expectOk(await store.accessTokens.insert(make.accessToken(id, columns), make.tokenDigest()))
      const session = async (id: Uuid, password: StoredPassword, columns: Partial<StoredSession> = {}) =>
        expectOk(await store.sessions.insert(make.session(id, columns), make.tokenDigest(), password.id))
      const none = { hasPassword: false, passkeys: 0, sessions: 0, accessTokens: 0 }

      const withToken = await account({ refusedAtMicros, lastUsedAtMicros: refusedAtMicros - 1 })
      for (const expiresAtMicros of [noonMicros + 1, noonMicros, undefined])
        await token(withToken, { expiresAtMicros })
      await token(withToken, { revokedAtMicros: noonMicros })
      const withPasskey = await account({ refusedAtMicros })
      expectOk(await store.passkeys.insert(make.passkey(withPasskey), make.tokenDigest(), 5))
      const gone = await account({ lastUsedAtMicros: refusedAtMicros })
      const { password } = await addPassword(store, make, gone)
      for (const { id } of expectOk(await store.identities.list(gone)))
        expectOk(await store.identities.erase(gone, id, { mayErase: () => true }))
      await session(gone, password, { lastUsedAtMicros: noonMicros - sessionIdleMicros })
      await session(gone, password, { createdAtMicros: noonMicros - sessionLifetimeMicros })
      const allowed = await account({ refusedAtMicros, lastUsedAtMicros: refusedAtMicros + 1 })
      await token(allowed)
      await account({ refusedAtMicros })
      await token(await account({ refusedAtMicros }, false))
      await token(await account({ refusedAtMicros }), { revokedAtMicros: noonMicros })

      const told = async (evenAllowed: boolean, limit: number) =>
        expectOk(
          await store.identities.refusedWithAccess({
            nowMicros: noonMicros,
            sessionsOver: sessionsOverAt(noonMicros),
            evenAllowed,
            limit,
          }),
        )
      const refused = [
        { ...none, accountId: withToken, accessTokens: 2 },
        { ...none, accountId: withPasskey, passkeys: 1 },
        { ...none, accountId: gone, hasPassword: true, sessions: 1 },
      ]
      same(await told(false, 10), refused)
      same(await told(true, 10), [...refused, { ...none, accountId: allowed, accessTokens: 1 }])
      same(await told(true, 1), refused.slice(0, 1))
      expectOk(await store.accounts.release(withToken))
      same(await told(false, 10), refused.slice(1), 'released')
    },
  }),
})

/** The contract of the store of identities. */
export const identityStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('identity-store', 'identities', [
    ...([
      'accounts',
      'keys',
      'accessTokens',
      'passwords',
      'sessions',
      'passkeys',
      'invitations',
      'rewraps',
    ] as const),
  ]),
  ...insertCases,
  ...eraseCases,
  ...accountCases,
  ...identitySessionCases,
  ...invitationIdentityCases,
])

const noAuthenticators: Authenticators = { isHeld: false, hasPassword: false, identities: [], passkeys: [] }

interface AddedIdentity {
  readonly identity: StoredIdentity
  readonly index: Uint8Array
}

/** Adds an identity to an account. */
async function add(
  store: StorageUnderTest,
  make: Samples,
  accountId: Uuid,
  columns?: Partial<StoredIdentity>,
): Promise<AddedIdentity> {
  const [identity, index] = [make.identity(accountId, columns), make.nameIndex()]
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
