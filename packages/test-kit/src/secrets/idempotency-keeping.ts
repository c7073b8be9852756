import { casesOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { durableCase, besideCase, storageCase, type StorageCase } from '../stores/harness.ts'
import { claim, claimedBy, insertOnce, makeDigests, oneIsStored } from './idempotency-rows.ts'
import { addFolder, secretOf } from '../stores/rows.ts'

/** Cases of what remains of a claim, and for how long. */
export const idempotencyKeepingCases: readonly StorageCase[] = casesOf({
  'idempotency-store/unclaimed-key-is-not-found': storageCase({
    rule: 'A key that nobody has claimed is not found, and where nothing was claimed eraseOld erases nothing.',
    async check(store, make) {
      same(await claimedBy(store, make.uuid(), [make.bytes(32)]), undefined, 'the claim')
      same(expectOk(await store.idempotencyKeys.eraseOld(noonMicros, 10)), 0, 'how many were erased')
    },
  }),
  'idempotency-store/claim-outlives-its-secret': storageCase({
    rule: 'A claim stays when its secret is erased: the key does not create another one.',
    needs: ['together'],
    async check(store, make) {
      const folder = await addFolder(store, make)
      const [secret, digests] = [make.secret(folder), makeDigests(make)]
      same(await insertOnce(store, make, secret, [digests]), true)
      same(expectOk(await store.secrets.erase(secret.accountId, secret.id)), true, 'whether it was erased')
      same((await claimedBy(store, secret.accountId, [digests.key]))?.secretId, secret.id)
      same(await insertOnce(store, make, make.secret(folder), [digests]), false, 'the next request')
    },
  }),
  'idempotency-store/erase-old-takes-the-old': storageCase({
    rule: 'eraseOld erases the claims that were made at the given time or before, at most `limit` of them, and answers how many; their secrets stay.',
    needs: ['together'],
    async check(store, make) {
      const folder = await addFolder(store, make)
      const rows = [0, 1, noonMicros, noonMicros + 1].map((createdAtMicros) => ({
        secret: make.secret(folder, createdAtMicros, { createdAtMicros }),
        digests: makeDigests(make),
      }))
      for (const { secret, digests } of rows) same(await insertOnce(store, make, secret, [digests]), true)
      for (const erased of [2, 1, 0]) {
        same(expectOk(await store.idempotencyKeys.eraseOld(noonMicros, 2)), erased, 'how many were erased')
      }
      const found = await Promise.all(
        rows.map(({ digests }) => claimedBy(store, folder.accountId, [digests.key])),
      )
      same(
        found.map((row) => row?.secretId),
        [undefined, undefined, undefined, rows[3]?.secret.id],
        'the claims that are left',
      )
      for (const { secret } of rows) same(await secretOf(store, secret.accountId, secret.id), secret)
    },
  }),
  'idempotency-store/erased-with-the-account': storageCase({
    rule: "The claims of an account are gone when its erasure begins, none that is made afterwards keeps the account, and other accounts' stay.",
    needs: ['together'],
    async check(store, make) {
      const [mine, theirs] = [await addFolder(store, make), await addFolder(store, make)]
      const [digests, late] = [makeDigests(make), makeDigests(make)]
      for (const folder of [mine, theirs])
        same(await insertOnce(store, make, make.secret(folder), [digests]), true)
      expectOk(await store.accounts.beginErasure(mine.accountId))
      same(await claimedBy(store, mine.accountId, [digests.key]), undefined, 'the claim')
      // This claim is of a request that was authenticated before.
      const added = await store.idempotencyKeys.insertSecret(make.secret(mine), make.note(), claim([late]))
      if (added.isErr()) expectErr(added, 'folder_not_found')
      expectOk(await store.accounts.eraseBegun(10), 'erasing the rest')
      same(expectOk(await store.accounts.eraseBegun(10)), 0, 'how many rows are left')
      same(await claimedBy(store, mine.accountId, [late.key]), undefined, 'the late claim')
      same((await claimedBy(store, theirs.accountId, [digests.key]))?.request, digests.request, "another's")
    },
  }),
  'idempotency-store/claims-are-durable': durableCase({
    rule: 'A claim is found after reopening, with its secret; one that was erased is not.',
    async act(store, make) {
      const folder = await addFolder(store, make)
      const { accountId } = folder
      const [old, digests] = [makeDigests(make), makeDigests(make)]
      const oldSecret = make.secret(folder, 0, { createdAtMicros: 0 })
      same(await insertOnce(store, make, oldSecret, [old], -1), true)
      const { id, ...secret } = make.secret(folder)
      same(await insertOnce(store, make, { id, ...secret }, [digests]), true)
      expectOk(await store.idempotencyKeys.eraseOld(0, 10))
      return (each) => [
        ...[digests, old].map(({ key }) => claimedBy(each, accountId, [key])),
        secretOf(each, accountId, id),
      ]
    },
  }),
  'idempotency-store/one-of-two-storages-is-the-first': besideCase({
    rule: 'Of simultaneous requests with one key in two storages one adds its secret, and both storages find its claim.',
    needs: ['together'],
    async check(store, beside, make) {
      const folder = await addFolder(store, make)
      const digests = makeDigests(make)
      const secrets = Array.from({ length: 8 }, () => make.secret(folder))
      const firsts = await Promise.all(
        secrets.map((secret, at) => insertOnce(at % 2 === 0 ? store : beside, make, secret, [digests])),
      )
      for (const each of [store, beside]) await oneIsStored(each, secrets, firsts, digests)
    },
  }),
})
