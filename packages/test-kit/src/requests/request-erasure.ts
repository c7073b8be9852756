import assert from 'node:assert/strict'
import { subjectOf, type StoredRequest } from '@sotto/core'
import { casesOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import {
  besideCase,
  storageCase,
  together,
  type StorageCase,
  type StorageUnderTest,
} from '../stores/harness.ts'
import { addRequest, handIn, requestEvent } from './request-rows.ts'
import { addFolder } from '../stores/rows.ts'

/** Cases of how requests end. */
export const requestErasureCases: readonly StorageCase[] = [
  ...casesOf({
    'request-store/erase-in-erases-those-of-the-folder': storageCase({
      rule: "eraseIn erases at most so many requests of the account's folder, whatever their state, and no others.",
      async check(store, make) {
        const { folder, request, digest } = await addRequest(store, make)
        const { accountId } = request
        const closed = await addRequest(store, make, {}, folder)
        expectOk(await store.requests.close(accountId, closed.request.id, noonMicros))
        const elsewhere = await addRequest(store, make, {}, await addFolder(store, make, accountId))
        const other = await addRequest(store, make)
        const erase = async (owner: string, limit: number) =>
          expectOk(await store.requests.eraseIn(owner, folder.id, limit))
        same(await erase(other.request.accountId, 10), 0, "another account's")
        same([await erase(accountId, 1), await erase(accountId, 10), await erase(accountId, 10)], [1, 1, 0])
        same(expectOk(await store.requests.findByDigest(digest, noonMicros)), undefined, 'its link')
        same(await idsOf(store, accountId), [elsewhere.request.id])
        same(await idsOf(store, other.request.accountId), [other.request.id])
      },
    }),
    'request-store/erase-expired-erases-what-is-over': storageCase({
      rule: 'eraseExpired erases at most so many requests that closed by then, with the forms that answered them, and keeps the others.',
      async check(store, make) {
        const over = await addRequest(store, make, { closesAtMicros: noonMicros })
        const formId = make.formId()
        expectOk(await handIn(store, make, over, { formId }))
        await addRequest(store, make, { closesAtMicros: noonMicros - 1 }, over.folder)
        const live = await addRequest(store, make, { closesAtMicros: noonMicros + 1 }, over.folder)
        const erase = async (limit: number) =>
          expectOk(await store.requests.eraseExpired(noonMicros, limit, reportsNone))
        same([await erase(1), await erase(10), await erase(10)], [1, 1, 0])
        same(expectOk(await store.requests.findByDigest(over.digest, 0, { formId })), undefined, 'the form')
        same(await idsOf(store, live.request.accountId, 0), [live.request.id])
      },
    }),
  }),
  ...together({
    'request-store/erased-with-its-folder': storageCase({
      rule: 'Erasing a folder answers folder_not_empty while a request in it can be answered; it erases those that cannot.',
      async check(store, make) {
        const { folder, request } = await addRequest(store, make)
        const { accountId } = request
        expectErr(await store.folders.erase(accountId, folder.id, noonMicros), 'folder_not_empty')
        expectOk(await store.requests.close(accountId, request.id, noonMicros))
        const other = await addRequest(store, make, {}, await addFolder(store, make, accountId))
        same(expectOk(await store.folders.erase(accountId, folder.id, noonMicros)), true)
        same(await idsOf(store, accountId), [other.request.id])
      },
    }),
    'request-store/erase-reports-the-unanswered': storageCase({
      rule: 'Those of the erased requests that have notify, no answer, and were not closed by their owner are passed to report, and its events are in the outbox.',
      async check(store, make) {
        const notified = { closesAtMicros: noonMicros, notify: true, answersAllowed: 2 }
        const unanswered = await addRequest(store, make, notified)
        const { folder, request } = unanswered
        expectOk(await handIn(store, make, await addRequest(store, make, notified, folder)))
        const closed = await addRequest(store, make, notified, folder)
        expectOk(await store.requests.close(request.accountId, closed.request.id, noonMicros - 1))
        await addRequest(store, make, { closesAtMicros: noonMicros }, folder)
        const reported: StoredRequest[] = []
        const event = requestEvent(make, request)
        const erased = await store.requests.eraseExpired(noonMicros, 10, (each) => {
          reported.push(each)
          return event
        })
        same(expectOk(erased), 4, 'how many were erased')
        same(reported.at(-1), request)
        same(new Set(reported.map(({ id }) => id)).size, 1, 'how many were reported')
        same(expectOk(await store.outbox.page(undefined, 10)), [event])
      },
    }),
    'request-store/erase-reports-each-request-once': besideCase({
      rule: 'Each erased request is reported by one event, however many callers erase at the same time.',
      async check(store, beside, make) {
        const folder = await addFolder(store, make)
        const over = { closesAtMicros: noonMicros, notify: true }
        const added = []
        while (added.length < 12) added.push(await addRequest(store, make, over, folder))
        const erase = async ({ requests }: StorageUnderTest) =>
          expectOk(await requests.eraseExpired(noonMicros, 3, (request) => requestEvent(make, request)))
        const erased = await Promise.all([store, beside, store, beside, store, beside].map(erase))
        same(
          erased.reduce((sum, each) => sum + each, 0),
          12,
          'how many were erased',
        )
        const events = expectOk(await store.outbox.page(undefined, 100))
        const subjects = events.map(subjectOf)
        same(subjects.toSorted(), added.map(({ request }) => request.id).toSorted(), 'the reported ones')
      },
    }),
    'request-store/events-come-back': storageCase({
      rule: 'An event about a request comes back from the outbox, and in a delivery, exactly as it was put there.',
      async check(store, make) {
        const { request } = await addRequest(store, make, { closesAtMicros: noonMicros, notify: true })
        const event = requestEvent(make, request)
        expectOk(await store.requests.eraseExpired(noonMicros, 1, () => event))
        same(expectOk(await store.outbox.page(undefined, 10)), [event])
        const delivery = { id: make.uuid(), target: { kind: 'mail', accountId: event.accountId } } as const
        const rest = { dueAtMicros: noonMicros, joins: false }
        const deliveries = [{ ...delivery, ...rest, event }]
        same(expectOk(await store.outbox.distribute([{ eventId: event.id, deliveries }])), 1)
        const [stored] = expectOk(await store.deliveries.page({}, undefined, 10))
        same(stored?.event, event)
      },
    }),
  }),
]

function reportsNone(): never {
  return assert.fail('a request was reported that was answered, was closed, or has no notify')
}

async function idsOf({ requests }: StorageUnderTest, accountId: string, nowMicros = noonMicros) {
  const page = expectOk(await requests.page({ accountId, nowMicros }, undefined, 10))
  return page.map(({ request }) => request.id)
}
