import type { StoredRequest } from '@sotto/core'
import { casesOf, contractOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { durableCase, storageCase, together, type StorageCase } from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { requestAnswerCases } from './request-answers.ts'
import { requestAnswerListCases } from './request-answer-lists.ts'
import { requestErasureCases } from './request-erasure.ts'
import { requestLinkCases } from './request-links.ts'
import { addRequest, freshAnswers, handIn } from './request-rows.ts'
import { addAccount, addFolder } from '../stores/rows.ts'

const ownersCases: readonly StorageCase[] = [
  ...casesOf({
    'request-store/insert-is-found-again': storageCase({
      rule: 'A request comes back by its id and in the list exactly as it was stored, without answers.',
      async check(store, make) {
        const { folder, request } = await addRequest(store, make, {
          notify: true,
          takesFiles: true,
          answersAllowed: 3,
        })
        const record = { request, state: freshAnswers }
        const { accountId, id } = request
        same(expectOk(await store.requests.find(accountId, id, noonMicros)), record)
        const filter = { accountId, folderId: folder.id, nowMicros: noonMicros }
        same(expectOk(await store.requests.page(filter, undefined, 10)), [record])
      },
    }),
    'request-store/insert-refuses-what-is-taken': storageCase({
      rule: 'insert of an id or a digest that is taken answers storage_failed and changes nothing.',
      async check(store, make) {
        const { folder, request, digest } = await addRequest(store, make)
        const { id, accountId } = request
        expectErr(
          await store.requests.insert(make.request(folder, { id }), make.tokenDigest()),
          'storage_failed',
        )
        expectErr(await store.requests.insert(make.request(folder), digest), 'storage_failed')
        const page = await store.requests.page({ accountId, nowMicros: noonMicros }, undefined, 10)
        same(expectOk(page), [{ request, state: freshAnswers }])
      },
    }),
    'request-store/find-is-of-the-account-until-the-end': storageCase({
      rule: "find answers undefined for an unknown id, another account's, and from the time on at which the request closes.",
      async check({ requests, ...store }, make) {
        const { request } = await addRequest({ requests, ...store }, make)
        const { accountId, id, closesAtMicros } = request
        same(expectOk(await requests.find(accountId, id, closesAtMicros - 1))?.request, request)
        same(expectOk(await requests.find(accountId, id, closesAtMicros)), undefined, 'at its end')
        same(expectOk(await requests.find(accountId, make.uuid(), noonMicros)), undefined, 'an unknown id')
        const other = await addAccount({ requests, ...store }, make)
        same(expectOk(await requests.find(other.id, id, noonMicros)), undefined, "another account's")
        same(expectOk(await requests.close(other.id, id, noonMicros)), false, 'to close it')
      },
    }),
    'request-store/page-is-newest-first': storageCase({
      rule: 'page lists the requests that pass the filter by creation and id, both descending, after the cursor, and at most as many as asked.',
      async check({ requests, ...store }, make) {
        const { folder, request: first } = await addRequest({ requests, ...store }, make)
        const { accountId } = folder
        const add = async (columns: Partial<StoredRequest>, given = folder) =>
          (await addRequest({ requests, ...store }, make, columns, given)).request
        const second = await add({})
        const later = await add({ createdAtMicros: noonMicros + 1 })
        const elsewhere = await add({}, await addFolder({ requests, ...store }, make, accountId))
        await add({ closesAtMicros: noonMicros })
        await addRequest({ requests, ...store }, make)
        const list = async (folderId?: string, after?: StoredRequest, limit = 10) => {
          const page = await requests.page({ accountId, folderId, nowMicros: noonMicros }, after, limit)
          return expectOk(page).map(({ request }) => request.id)
        }
        same(await list(), [later.id, elsewhere.id, second.id, first.id], 'of the account')
        same(await list(folder.id), [later.id, second.id, first.id], 'of the folder')
        same(await list(undefined, elsewhere, 1), [second.id], 'after a cursor')
        same(await list(folder.id, second), [first.id], 'after a cursor in the folder')
      },
    }),
    'request-store/count-open-counts-what-can-be-answered': storageCase({
      rule: 'countOpen counts the requests of account or folder that close later, are not closed by their owner, and have an answer left.',
      async check(store, make) {
        const { folder, request } = await addRequest(store, make)
        const { accountId } = request
        const other = await addFolder(store, make, accountId)
        await addRequest(store, make, {}, other)
        const closed = await addRequest(store, make, {}, folder)
        expectOk(await store.requests.close(accountId, closed.request.id, noonMicros))
        expectOk(await handIn(store, make, await addRequest(store, make, {}, folder)))
        expectOk(await handIn(store, make, await addRequest(store, make, { answersAllowed: 2 }, folder)))
        await addRequest(store, make, { closesAtMicros: noonMicros }, folder)
        const count = async (folderId?: string) =>
          expectOk(await store.requests.countOpen({ accountId, folderId, nowMicros: noonMicros }))
        same([await count(), await count(folder.id), await count(other.id)], [3, 2, 1])
        same(await count(make.uuid()), 0, 'of an unknown folder')
      },
    }),
    'request-store/close-keeps-its-first-time': storageCase({
      rule: 'close answers Ok(true) for a request that find finds, and keeps the first time; else Ok(false).',
      async check({ requests, ...store }, make) {
        const { request } = await addRequest({ requests, ...store }, make)
        const { accountId, id, closesAtMicros } = request
        for (const at of [1, 2])
          same(expectOk(await requests.close(accountId, id, noonMicros + at)), true, `time ${at}`)
        const found = expectOk(await requests.find(accountId, id, noonMicros))
        same(found, { request, state: { answers: 0, closedAtMicros: noonMicros + 1 } })
        same(expectOk(await requests.close(accountId, id, closesAtMicros)), false, 'one that is over')
        same(expectOk(await requests.close(accountId, make.uuid(), noonMicros)), false, 'an unknown id')
      },
    }),
    'request-store/survives-reopen': durableCase({
      rule: 'A request, its answers and its end by its owner are found after the storage was opened again.',
      async act(store, make) {
        const added = await addRequest(store, make, { answersAllowed: 2 })
        const { request, digest } = added
        const formId = make.formId()
        expectOk(await handIn(store, make, added, { formId }))
        expectOk(await store.requests.close(request.accountId, request.id, noonMicros))
        return ({ requests, drafts }) => [
          requests.find(request.accountId, request.id, noonMicros),
          requests.findByDigest(digest, noonMicros, { formId }),
          drafts.page(request, undefined, 10),
        ]
      },
    }),
  }),
  ...together({
    'request-store/insert-refuses-unknown-folders': storageCase({
      rule: "insert answers folder_not_found for a folder that does not exist, and for another account's, and adds nothing.",
      async check(store, make) {
        const [folder, other] = [await addFolder(store, make), await addAccount(store, make)]
        const { accountId } = folder
        for (const wrong of [make.folder(accountId), { ...folder, accountId: other.id }]) {
          const request = make.request(wrong)
          expectErr(await store.requests.insert(request, make.tokenDigest()), 'folder_not_found')
          const found = await store.requests.find(request.accountId, request.id, noonMicros)
          same(expectOk(found), undefined)
        }
      },
    }),
  }),
]

/** The contract of the store of requests. */
export const requestStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('request-store', 'requests', [
    'accounts',
    'deliveries',
    'drafts',
    'folders',
    'keys',
    'links',
    'outbox',
    'secretFiles',
    'secrets',
    'signIns',
  ]),
  ...ownersCases,
  ...requestLinkCases,
  ...requestAnswerCases,
  ...requestAnswerListCases,
  ...requestErasureCases,
])
