import { ok } from 'neverthrow'
import { subjectOf, type FoundRequest } from '@sotto/core'
import { casesOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import {
  besideCase,
  storageCase,
  together,
  type StorageCase,
  type StorageUnderTest,
} from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { addFolder } from '../stores/rows.ts'
import { requestAnswerListCases } from './request-answer-lists.ts'
import { accept, addRequest, answerTo, handIn, requestEvent, type AddedRequest } from './request-rows.ts'

const callers = 60
const allowed = 20

/** What histories do not show of the store of requests: callers at the same time, and lists of many answers. */
export const requestCases: readonly StorageCase[] = [
  neededStoresCase('request-store', 'requests', [
    ...(['accounts', 'drafts', 'folders', 'keys', 'links', 'outbox', 'secretFiles', 'secrets'] as const),
    'signIns',
  ]),
  ...casesOf({
    'request-store/parallel-answers-share-a-bucket': storageCase({
      rule: 'Answers to different requests that name one bucket each see what the others have stored in it.',
      async check(store, make) {
        const bucket = make.tokenDigest()
        const first = await addRequest(store, make)
        const all = [
          first,
          ...(await Promise.all([1, 2, 3].map(() => addRequest(store, make, {}, first.folder)))),
        ]
        const count = ({ attempts }: Pick<FoundRequest, 'attempts'>) => {
          const counted = { ...attempts, wrongAtMicros: [...attempts.wrongAtMicros, noonMicros] }
          return ok({ bucket: { attempts: counted, eraseAtMicros: noonMicros + 1 } })
        }
        await Promise.all(
          all.map(async ({ folder, digest }) =>
            expectOk(await store.requests.answer(digest, { bucket }, answerTo(make, folder), count)),
          ),
        )
        const found = await store.requests.findByDigest(first.digest, noonMicros, { bucket })
        same(expectOk(found)?.attempts.wrongAtMicros.length, all.length)
      },
    }),
  }),
  ...together({
    'request-store/parallel-answers-do-not-interleave': storageCase({
      rule: 'No answer comes between the read and the write of another one: of many at the same time exactly as many add a draft as the request allows.',
      async check(store, make) {
        const added = await addRequest(store, make, { answersAllowed: allowed })
        await answerAtOnce([store], make, added)
        same(await stateOf(store, added), { answers: allowed, drafts: allowed })
      },
    }),
    'request-store/answers-from-two-storages-do-not-interleave': besideCase({
      rule: 'No answer of another storage on the same data comes between the read and the write of an answer.',
      async check(store, beside, make) {
        const added = await addRequest(store, make, { answersAllowed: allowed })
        await answerAtOnce([store, beside], make, added)
        same(await stateOf(beside, added), { answers: allowed, drafts: allowed })
      },
    }),
    'request-store/one-of-parallel-uses-of-a-form-is-accepted': storageCase({
      rule: 'Of many answers of one form at the same time exactly one finds that the form has handed in none.',
      async check(store, make) {
        const added = await addRequest(store, make, { answersAllowed: 100 })
        const formId = make.formId()
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => handIn(store, make, added, { formId })),
        )
        same(answers.filter((each) => each.isOk()).length, 1, 'how many were accepted')
        same(await stateOf(store, added), { answers: 1, drafts: 1 })
      },
    }),
    'request-store/no-answer-is-added-after-a-close': besideCase({
      rule: 'Answers beside a close are accepted before it or see it; after it none is added, in no storage on the same data.',
      async check(store, beside, make) {
        const added = await addRequest(store, make, { answersAllowed: 100 })
        const { accountId, id } = added.request
        const answerAll = () => [store, beside, store, beside].map((each) => handIn(each, make, added))
        const sooner = answerAll()
        const closing = store.requests.close(accountId, id, noonMicros)
        const atOnce = [...sooner, ...answerAll()]
        same(expectOk(await closing), true)
        for (const result of await Promise.all(answerAll())) expectErr(result, 'request_not_found')
        const accepted = (await Promise.all(atOnce)).filter((each) => each.isOk()).length
        same(await stateOf(store, added), { answers: accepted, drafts: accepted })
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
  }),
  ...requestAnswerListCases,
]

async function answerAtOnce(
  stores: readonly StorageUnderTest[],
  make: Samples,
  { folder, digest }: AddedRequest,
): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: callers }, async (_, at) =>
      stores[at % stores.length]?.requests.answer(digest, {}, answerTo(make, folder), accept),
    ),
  )
  same(answers.filter((each) => each?.isOk()).length, allowed, 'how many were accepted')
}

async function stateOf(store: StorageUnderTest, { request, folder }: AddedRequest) {
  const { accountId, id } = request
  const found = expectOk(await store.requests.find(accountId, id, noonMicros))
  const drafts = expectOk(await store.drafts.page({ accountId, folderId: folder.id }, undefined, 1_000))
  return { answers: found?.state.answers, drafts: drafts.length }
}
