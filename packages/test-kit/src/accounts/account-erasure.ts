import { casesOf } from '../contract/contract.ts'
import { textColumns } from '@sotto/core'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { besideCase, kids, storageCase, type StorageCase, together } from '../stores/harness.ts'
import { listed, putEvents } from '../notifications/queue-rows.ts'
import { addAccount, addFolder, addSecrets, linkRecordOf } from '../stores/rows.ts'
import { accessOf, addFullAccount, noAccess, noRows, rowsOf } from './account-rows.ts'

const aloneCases: readonly StorageCase[] = casesOf({
  'account-store/one-of-parallel-erasures-begins': storageCase({
    rule: 'Of several calls that begin the erasure of one account at the same time exactly one answers Ok(true).',
    async check({ accounts, ...store }, make) {
      const { id } = await addAccount({ accounts, ...store }, make)
      const begun = await Promise.all(Array.from({ length: 8 }, () => accounts.beginErasure(id)))
      same(begun.filter((each) => expectOk(each)).length, 1)
    },
  }),
})

const togetherCases: readonly StorageCase[] = together({
  'account-store/begun-erasure-lets-nobody-in': storageCase({
    rule: "Access tokens, sessions, password, identities, passkeys, display name, one-time link, known addresses, webhooks and deliveries are gone when the account's erasure begins; those of other accounts stay.",
    async check(store, make) {
      const [mine, theirs] = [await addFullAccount(store, make), await addFullAccount(store, make)]
      const others = await rowsOf(store, theirs)
      expectOk(await store.accounts.beginErasure(mine.id))
      same(await accessOf(store, mine), noAccess)
      same(expectOk(await store.accessTokens.revoke(mine.id, mine.token.id, noonMicros)), false, 'to revoke')
      same(await rowsOf(store, theirs), others, 'another account')
      const links = await store.invitations.eraseExpired(Number.MAX_SAFE_INTEGER, 10)
      same(expectOk(links), 1, 'how many one-time links are stored')
    },
  }),
  'account-store/nothing-is-added-to-an-account-that-is-being-erased': storageCase({
    rule: 'Once the erasure of an account has begun, no folder, access token, one-time link, session, identity, passkey, address, webhook or delivery can be added to it.',
    async check(store, make) {
      const { account, password, secret } = await addFullAccount(store, make)
      const { id } = account
      const event = make.event(id)
      await putEvents(store, { secret }, [event])
      expectOk(await store.accounts.beginErasure(id))
      expectErr(await store.webhooks.insert(make.webhook(id), 9), 'account_not_found')
      const identity = await store.identities.insert(make.identity(id), [make.nameIndex()], 5)
      expectErr(identity, 'account_not_found')
      const passkey = await store.passkeys.insert(make.passkey(id), make.tokenDigest(), 10)
      expectErr(passkey, 'account_not_found')
      const distributed = store.outbox.distribute([{ eventId: event.id, deliveries: [make.delivery(event)] }])
      same(expectOk(await distributed), 1, 'how many events were replaced')
      same(await listed(store), [], 'the deliveries')
      expectErr(await store.folders.insert(make.folder(id)), 'account_not_found')
      const token = await store.accessTokens.insert(make.accessToken(id), make.tokenDigest())
      expectErr(token, 'account_not_found')
      expectErr(await store.invitations.replace(make.invitation(id), make.tokenDigest()), 'account_not_found')
      const session = await store.sessions.insert(make.session(id), make.tokenDigest(), password.id)
      same(expectOk(session), false, 'whether a session was added')
      const known = { accountId: id, address: make.tokenDigest(), atMicros: noonMicros }
      expectErr(await store.signIns.rememberAddress(known, 10), 'account_not_found')
    },
  }),
  'account-store/erase-begun-erases-everything': storageCase({
    rule: 'eraseBegun erases the secrets and drafts of accounts whose erasure has begun, with their notes and links, their folders and the accounts; others stay.',
    async check(store, make) {
      const [mine, theirs] = [await addFullAccount(store, make), await addFullAccount(store, make)]
      const others = await rowsOf(store, theirs)
      expectOk(await store.accounts.beginErasure(mine.id))
      same(expectOk(await store.accounts.eraseBegun(10)), 4, 'how many rows were erased')
      same(await rowsOf(store, mine), noRows)
      same(await linkRecordOf(store, mine.secret.link.lookup), undefined, 'the link')
      same(await rowsOf(store, theirs), others, 'another account')
      same(expectOk(await store.accounts.eraseBegun(10)), 0, 'the second time')
      expectOk(await store.accounts.insert(mine.account, [make.nameIndex()]), 'an account with the same id')
    },
  }),
  'account-store/erase-begun-goes-in-order-up-to-the-limit': storageCase({
    rule: 'eraseBegun erases at most the given number of rows: secrets and drafts first, then folders, at last the account; fewer mean that nothing remains.',
    async check(store, make) {
      const { id, ...mine } = await addFullAccount(store, make)
      await addSecrets(store, make, [make.draft(await addFolder(store, make, id))])
      expectOk(await store.accounts.beginErasure(id))
      for (const [limit, erased, secrets, folders] of [
        [1, 1, 2, 2],
        [2, 2, 0, 2],
        [1, 1, 0, 1],
        [1, 1, 0, 0],
        [2, 1, 0, 0],
        [2, 0, 0, 0],
      ] as const) {
        same(expectOk(await store.accounts.eraseBegun(limit)), erased, 'how many rows were erased')
        const left = await rowsOf(store, { id, ...mine })
        same(left.secrets.length + left.drafts.length, secrets, 'the secrets and drafts that are left')
        same(left.folders.length, folders, 'the folders that are left')
      }
    },
  }),
  'account-store/begun-erasure-blocks-no-rotation': storageCase({
    rule: 'An account whose erasure has begun keeps no key in use: what is under the key can be put under another one, and the key retired.',
    async check(store, make) {
      const { id } = await addFullAccount(store, make, kids.spare)
      expectOk(await store.accounts.beginErasure(id))
      for (const column of textColumns) {
        for (const text of expectOk(await store.rewraps.texts(column, kids.writable, undefined, 10))) {
          const index = column === 'account.name' ? make.nameIndex() : undefined
          same(expectOk(await store.rewraps.replaceText(text, make.encrypted(), index)), true, column)
        }
      }
      for (const stored of expectOk(await store.rewraps.secrets(kids.writable, undefined, 10))) {
        const keys = { kid: kids.writable, headCiphertext: make.ciphertext(), wrappedKey: make.ciphertext() }
        same(expectOk(await store.rewraps.replaceSecret(stored, keys)), true, stored.secret.id)
      }
      same(expectOk(await store.keys.retire(kids.spare)), true, 'whether the key was retired')
      same(expectOk(await store.accounts.eraseBegun(10)), 4, 'how many rows were erased')
    },
  }),
  'account-store/no-row-outlives-its-account': storageCase({
    rule: 'What is added to an account while its erasure begins is either refused or erased with it.',
    async check(store, make) {
      for (let round = 0; round < 6; round += 1) {
        const { id } = await addAccount(store, make)
        const add = async () => [
          await store.folders.insert(make.folder(id)),
          await store.accessTokens.insert(make.accessToken(id), make.tokenDigest()),
        ]
        const early = round % 2 === 0 ? add() : undefined
        const erased = store.accounts.beginErasure(id).andThen(() => store.accounts.eraseBegun(10))
        const [added, gone] = await Promise.all([early ?? add(), erased])
        expectOk(gone)
        for (const each of added) if (each.isErr()) same(each.error, { code: 'account_not_found' })
        expectOk(await store.accounts.eraseBegun(10))
        same(expectOk(await store.folders.page(id, 0, undefined, 10)), [], 'the folders')
        same(expectOk(await store.accessTokens.page(id, undefined, 10)), [], 'the tokens')
      }
    },
  }),
  'account-store/erasures-from-two-storages-count-each-row-once': besideCase({
    rule: 'Two storages on the same data that call eraseBegun at the same time count each row once.',
    async check(store, beside, make) {
      const folder = await addFolder(store, make)
      await addSecrets(
        store,
        make,
        Array.from({ length: 10 }, () => make.draft(folder)),
      )
      expectOk(await store.accounts.beginErasure(folder.accountId))
      const calls = Array.from({ length: 10 }, (_, at) =>
        (at % 2 === 0 ? store : beside).accounts.eraseBegun(3),
      )
      const erased = (await Promise.all(calls)).map((each) => expectOk(each))
      same(
        erased.reduce((sum, each) => sum + each, 0),
        12,
        'how many rows were erased',
      )
    },
  }),
})

/** Cases of `beginErasure` and `eraseBegun` with rows of every kind, and of callers at the same time. */
export const accountErasureCases: readonly StorageCase[] = [...aloneCases, ...togetherCases]
