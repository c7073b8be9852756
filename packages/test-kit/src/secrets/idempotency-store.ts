import type { StoredShareableSecret } from '@sotto/core'
import { casesOf, contractOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { kids, storageCase, type StorageCase } from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { idempotencyKeepingCases } from './idempotency-keeping.ts'
import { claim, claimedBy, insertOnce, makeDigests, oneIsStored } from './idempotency-rows.ts'
import { addFolder, noteBehind, secretOf } from '../stores/rows.ts'

/** Cases of `insertSecret`. */
const claimCases: readonly StorageCase[] = casesOf({
  'idempotency-store/first-request-adds-the-secret': storageCase({
    rule: 'The first request with a key adds the secret with its note, exactly as given, and its claim is found.',
    needs: ['together'],
    async check(store, make) {
      const secret = make.secret(await addFolder(store, make))
      const [note, digests] = [make.note(), makeDigests(make)]
      const inserted = await store.idempotencyKeys.insertSecret(secret, note, claim([digests]))
      same(expectOk(inserted), true, 'whether it was the first')
      same(await secretOf(store, secret.accountId, secret.id), secret, 'the secret')
      same(await noteBehind(store, secret.link.lookup), note, 'the note')
      same(await claimedBy(store, secret.accountId, [digests.key]), {
        request: digests.request,
        secretId: secret.id,
      })
    },
  }),
  'idempotency-store/second-request-adds-nothing': storageCase({
    rule: 'A second request with the key answers Ok(false) and changes nothing, whatever else it asks for.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const [first, second] = [make.secret(folder), make.secret(folder)]
      const digests = makeDigests(make)
      same(await insertOnce(store, make, first, [digests]), true, 'the first')
      const other = { key: digests.key, request: make.bytes(32) }
      same(await insertOnce(store, make, second, [other]), false, 'the second')
      same(await secretOf(store, second.accountId, second.id), undefined, 'its secret')
      same((await claimedBy(store, first.accountId, [digests.key]))?.request, digests.request, 'the claim')
    },
  }),
  'idempotency-store/any-digest-of-the-key-is-enough': storageCase({
    rule: 'A key that was claimed under several digests is claimed under each of them; one of them is enough, and then none of the others is claimed.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const [first, second] = [make.secret(folder), make.secret(folder)]
      const [active, older, newer] = [makeDigests(make), makeDigests(make), makeDigests(make)]
      same(await insertOnce(store, make, first, [active, older]), true, 'the first')
      const { accountId } = first
      for (const { key, request } of [active, older]) {
        same(await claimedBy(store, accountId, [make.bytes(32), key]), { request, secretId: first.id })
      }
      same(await insertOnce(store, make, second, [newer, older]), false, 'the second')
      same(await secretOf(store, accountId, second.id), undefined, 'its secret')
      same(await claimedBy(store, accountId, [newer.key]), undefined, 'the claim under the new digest')
    },
  }),
  'idempotency-store/key-belongs-to-one-account': storageCase({
    rule: "A key that one account has claimed is free for another one, and neither finds the other's claim.",
    async check(store, make) {
      const [mine, theirs] = [
        make.secret(await addFolder(store, make)),
        make.secret(await addFolder(store, make)),
      ]
      const digests = makeDigests(make)
      same(await insertOnce(store, make, mine, [digests]), true, 'the first account')
      same(await claimedBy(store, theirs.accountId, [digests.key]), undefined)
      same(await insertOnce(store, make, theirs, [digests]), true, 'the other account')
      for (const { accountId, id } of [mine, theirs]) {
        same((await claimedBy(store, accountId, [digests.key]))?.secretId, id)
      }
    },
  }),
  'idempotency-store/refused-secret-claims-nothing': storageCase({
    rule: 'A secret that is refused, for its folder, its key of the ring or its id, claims nothing: the next request with the key is the first.',
    needs: ['together'],
    async check(store, make) {
      const folder = await addFolder(store, make)
      const [digests, good, taken] = [makeDigests(make), make.secret(folder), make.secret(folder)]
      same(await insertOnce(store, make, taken, [makeDigests(make)]), true, 'another secret')
      const refuse = (secret: StoredShareableSecret) =>
        store.idempotencyKeys.insertSecret(secret, make.note(), claim([digests]))
      const elsewhere = make.secret(make.folder(folder.accountId))
      expectErr(await refuse(elsewhere), 'folder_not_found')
      expectErr(await refuse(make.secret(folder, noonMicros, { kid: kids.retired })), 'key_retired')
      const sameId = make.secret(folder, noonMicros, { id: taken.id })
      expectErr(await refuse(sameId), 'storage_failed', 'storage_unavailable')
      same(await claimedBy(store, folder.accountId, [digests.key]), undefined, 'the claim')
      same(await insertOnce(store, make, good, [digests]), true, 'the next request')
    },
  }),
  'idempotency-store/one-of-many-is-the-first': storageCase({
    rule: 'Of many simultaneous requests with one key one adds its secret; all others answer Ok(false).',
    needs: ['together'],
    async check(store, make) {
      const folder = await addFolder(store, make)
      const digests = makeDigests(make)
      const secrets = Array.from({ length: 12 }, () => make.secret(folder))
      const firsts = await Promise.all(secrets.map((secret) => insertOnce(store, make, secret, [digests])))
      await oneIsStored(store, secrets, firsts, digests)
    },
  }),
  'idempotency-store/forgotten-claim-gives-way': storageCase({
    rule: 'A claim that was made at `forgottenByMicros` or before is not found, and the next request takes its place; one that was made later counts.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const [first, second] = [
        make.secret(folder),
        make.secret(folder, noonMicros, { createdAtMicros: noonMicros + 9 }),
      ]
      const [digests, later] = [makeDigests(make), makeDigests(make)]
      const next = { key: digests.key, request: later.request }
      same(await insertOnce(store, make, first, [digests]), true, 'the first')
      same(await insertOnce(store, make, second, [next], noonMicros - 1), false, 'while it counts')
      const { accountId } = folder
      same((await claimedBy(store, accountId, [digests.key], noonMicros - 1))?.secretId, first.id)
      same(await claimedBy(store, accountId, [digests.key], noonMicros), undefined, 'once it is forgotten')
      same(await insertOnce(store, make, second, [next], noonMicros), true, 'once it is forgotten')
      const claimed = { request: later.request, secretId: second.id }
      same(await claimedBy(store, accountId, [digests.key], noonMicros), claimed, 'the new claim')
    },
  }),
})

/** The contract of `IdempotencyStore`. */
export const idempotencyStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('idempotency-store', 'idempotencyKeys', [
    'accounts',
    'keys',
    'folders',
    'secrets',
    'drafts',
    'links',
  ]),
  ...claimCases,
  ...idempotencyKeepingCases,
])
