import { noAttempts, type FoundRequest, type StoredSecretFile } from '@sotto/core'
import { err, ok } from 'neverthrow'
import { casesOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { filesIn, reserved, twoFiles } from '../files/file-rows.ts'
import { addFolder } from '../stores/rows.ts'
import {
  besideCase,
  kids,
  storageCase,
  together,
  type StorageCase,
  type StorageUnderTest,
} from '../stores/harness.ts'
import {
  accept,
  addRequest,
  answerTo,
  freshAnswers,
  handIn,
  oneAttempt,
  receivedAtMicros,
  requestEvent,
  type AddedRequest,
} from './request-rows.ts'

/** When every content under way of the cases has ended. */
const farMicros = noonMicros + 86_400_000_000

const callers = 60
const allowed = 20

/** Cases of `answer`. */
export const requestAnswerCases: readonly StorageCase[] = [
  ...casesOf({
    'request-store/answer-sees-what-is-stored': storageCase({
      rule: 'The decision sees the request in any state, with what is stored of form and bucket.',
      async check(store, make) {
        const { folder, request, digest } = await addRequest(store, make)
        const answerer = { formId: make.formId(), bucket: make.tokenDigest() }
        const change = { accepted: { answers: 1, receivedAtMicros }, bucket: oneAttempt }
        expectOk(await store.requests.answer(digest, answerer, answerTo(make, folder), () => ok(change)))
        expectOk(await store.requests.close(request.accountId, request.id, noonMicros))
        let seen: FoundRequest | undefined
        const asked = await store.requests.answer(digest, answerer, answerTo(make, folder), (found) => {
          seen = found
          return ok({})
        })
        same(expectOk(asked), {})
        const state = { answers: 1, closedAtMicros: noonMicros }
        same(seen, { request, state, receivedAtMicros, attempts: oneAttempt.attempts })
      },
    }),
    'request-store/answer-changes-what-it-names': storageCase({
      rule: 'A decision that accepts nothing adds no draft and counts nothing; it changes the bucket only if it names one.',
      async check(store, make) {
        const added = await addRequest(store, make)
        const bucket = make.tokenDigest()
        const answerer = { formId: make.formId(), bucket }
        const draft = answerTo(make, added.folder)
        for (const change of [{}, { bucket: oneAttempt }, {}])
          expectOk(await store.requests.answer(added.digest, answerer, draft, () => ok(change)))
        same(await stateOf(store, added), { answers: 0, drafts: 0 })
        const found = await foundWith(store, added.digest, answerer)
        same(found?.receivedAtMicros, undefined)
        same(found?.attempts, oneAttempt.attempts)
      },
    }),
    'request-store/parallel-answers-share-a-bucket': storageCase({
      rule: 'Answers to different requests that name one bucket each see what the others have stored in it.',
      async check(store, make) {
        const bucket = make.tokenDigest()
        const first = await addRequest(store, make)
        const all = [
          first,
          ...(await Promise.all([1, 2, 3].map(() => addRequest(store, make, {}, first.folder)))),
        ]
        const count = ({ attempts }: FoundRequest) => {
          const counted = { ...attempts, wrongAtMicros: [...attempts.wrongAtMicros, noonMicros] }
          return ok({ bucket: { attempts: counted, eraseAtMicros: noonMicros + 1 } })
        }
        await Promise.all(
          all.map(async ({ folder, digest }) =>
            expectOk(await store.requests.answer(digest, { bucket }, answerTo(make, folder), count)),
          ),
        )
        const found = await foundWith(store, first.digest, { bucket })
        same(found?.attempts.wrongAtMicros.length, all.length)
      },
    }),
  }),
  ...together({
    'request-store/answer-adds-all-of-it': storageCase({
      rule: 'An answer that is accepted adds its draft, counts, remembers its form, and stores bucket and events.',
      async check(store, make) {
        const { folder, request, digest } = await addRequest(store, make, { answersAllowed: 2 })
        const [formId, bucket] = [make.formId(), make.tokenDigest()]
        const draft = answerTo(make, folder, { createdAtMicros: receivedAtMicros })
        const event = requestEvent(make, request)
        const seen: FoundRequest[] = []
        const change = {
          accepted: { answers: 1, receivedAtMicros },
          bucket: oneAttempt,
          events: [event],
          more: 'passed on',
        }
        const answered = await store.requests.answer(digest, { formId, bucket }, draft, (found) => {
          seen.push(found)
          return ok(change)
        })
        same(expectOk(answered), change)
        const fresh = { request, state: freshAnswers, receivedAtMicros: undefined, attempts: noAttempts }
        same(seen.at(-1), fresh, 'what the decision saw')
        const stored = expectOk(await store.drafts.find(request.accountId, draft.secret.id))
        const answers = { requestId: request.id, isNew: true }
        same(stored, { ...draft, attempts: noAttempts, answers }, 'the draft')
        same(expectOk(await store.outbox.page(undefined, 10)), [event], 'the outbox')
        same(await foundWith(store, digest, { formId, bucket }), {
          request,
          state: { answers: 1, closedAtMicros: undefined },
          receivedAtMicros,
          attempts: oneAttempt.attempts,
        })
      },
    }),
    'request-store/files-of-an-answer-are-those-of-its-draft': storageCase({
      rule: 'Contents under way become the files of the draft that an accepted answer adds, and count what they counted.',
      async check(store, make) {
        const { folder, digest, request } = await addRequest(store, make)
        const draft = answerTo(make, folder)
        const files = await reserved(store, twoFiles(make, draft.secret))
        expectOk(await store.requests.answer(digest, {}, { ...draft, files }, accept))
        same(expectOk(await store.drafts.find(request.accountId, draft.secret.id))?.files, files)
        same(expectOk(await store.secretFiles.bytesOf(request.accountId)), 1_000)
        same(expectOk(await store.secretFiles.endUnderWay(farMicros, undefined, 10)), [], 'none is under way')
      },
    }),
    'request-store/a-refused-answer-takes-no-file': storageCase({
      rule: 'Where an answer is not accepted, or one of its files has ended, belongs to another account, or has a retired key, nothing is added, and all contents stay under way.',
      async check(store, make) {
        const added = await addRequest(store, make)
        const draft = answerTo(make, added.folder)
        const [over] = await reserved(store, [make.file(draft.secret)])
        expectOk(await store.secretFiles.endUnderWay(farMicros, undefined, 10))
        const [first, second] = await reserved(store, twoFiles(make, draft.secret))
        const [theirs] = await reserved(store, [make.file(make.draft(await addFolder(store, make)))])
        const answer = async (file: StoredSecretFile, decide = accept) =>
          store.requests.answer(
            added.digest,
            {},
            { ...draft, files: [first, { ...file, number: 2 }] },
            decide,
          )
        for (const ended of [over, make.file(draft.secret), { ...theirs, accountId: added.folder.accountId }])
          expectErr(await answer(ended), 'storage_unavailable')
        const retired = { ...second, about: { ...second.about, kid: kids.retired } }
        expectErr(await answer(retired), 'key_retired')
        expectErr(await answer(second, () => err({ code: 'request_not_found' })), 'request_not_found')
        expectOk(
          await store.requests.answer(added.digest, {}, { ...draft, files: [first, second] }, () => ok({})),
        )
        same(await stateOf(store, added), { answers: 0, drafts: 0 })
        same(await filesIn(store), [])
        expectOk(await answer(second))
        same(await filesIn(store), [first, second])
      },
    }),
    'request-store/refused-answer-changes-nothing': storageCase({
      rule: 'An Err of the decision is passed on. Neither it nor key_retired, nor request_not_found for an unknown digest, changes anything.',
      async check(store, make) {
        const added = await addRequest(store, make)
        const answerer = { formId: make.formId(), bucket: make.tokenDigest() }
        const draft = answerTo(make, added.folder)
        const refused = await store.requests.answer(added.digest, answerer, draft, () =>
          err({ code: 'refused' } as const),
        )
        expectErr(refused, 'refused')
        const change = { accepted: { answers: 1, receivedAtMicros }, bucket: oneAttempt }
        const accepting = () => ok({ ...change, events: [requestEvent(make, added.request)] })
        for (const kid of [kids.retired, kids.unknown]) {
          const retired = answerTo(make, added.folder, { kid })
          expectErr(await store.requests.answer(added.digest, answerer, retired, accepting), 'key_retired')
        }
        const unknown = await store.requests.answer(make.tokenDigest(), answerer, draft, accepting)
        expectErr(unknown, 'request_not_found')
        same(await stateOf(store, added), { answers: 0, drafts: 0 })
        same((await foundWith(store, added.digest, answerer))?.attempts, noAttempts, 'the bucket')
        same(expectOk(await store.outbox.page(undefined, 10)), [], 'the outbox')
      },
    }),
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
  }),
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

async function foundWith(
  { requests }: StorageUnderTest,
  digest: Uint8Array,
  answerer: Parameters<StorageUnderTest['requests']['findByDigest']>[2],
): Promise<FoundRequest | undefined> {
  return expectOk(await requests.findByDigest(digest, noonMicros, answerer))
}

async function stateOf(store: StorageUnderTest, { request, folder }: AddedRequest) {
  const { accountId, id } = request
  const found = expectOk(await store.requests.find(accountId, id, noonMicros))
  const drafts = expectOk(await store.drafts.page({ accountId, folderId: folder.id }, undefined, 1_000))
  return { answers: found?.state.answers, drafts: drafts.length }
}
