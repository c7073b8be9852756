import { noAttempts } from '@sotto/core'
import { ok } from 'neverthrow'
import { casesOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { storageCase, together, type StorageCase } from '../stores/harness.ts'
import { addRequest, answerTo, freshAnswers, handIn, oneAttempt, receivedAtMicros } from './request-rows.ts'

/** Cases of how a request is found by its link. */
export const requestLinkCases: readonly StorageCase[] = [
  ...casesOf({
    'request-store/find-by-digest-finds-what-can-be-answered': storageCase({
      rule: 'findByDigest finds a request as it was stored until it closes, is full, or is closed by its owner; it finds none for an unknown digest.',
      async check(store, make) {
        const { requests } = store
        const added = await addRequest(store, make, { answersAllowed: 2 })
        const { request, digest } = added
        const found = { request, state: freshAnswers, receivedAtMicros: undefined, attempts: noAttempts }
        same(expectOk(await requests.findByDigest(digest, request.closesAtMicros - 1)), found)
        same(expectOk(await requests.findByDigest(digest, request.closesAtMicros)), undefined, 'at its end')
        same(expectOk(await requests.findByDigest(make.tokenDigest(), noonMicros)), undefined, 'unknown')
        expectOk(await handIn(store, make, added))
        same(
          expectOk(await requests.findByDigest(digest, noonMicros))?.state.answers,
          1,
          'with an answer left',
        )
        expectOk(await handIn(store, make, added))
        same(expectOk(await requests.findByDigest(digest, noonMicros)), undefined, 'full')
        const other = await addRequest(store, make)
        expectOk(await requests.close(other.request.accountId, other.request.id, noonMicros))
        same(expectOk(await requests.findByDigest(other.digest, noonMicros)), undefined, 'closed')
      },
    }),
    'request-store/find-by-digest-knows-the-form': storageCase({
      rule: 'findByDigest finds a request that its form has answered, whatever became of it, and says when that was. Another form, and another request, do not count.',
      async check(store, make) {
        const { requests } = store
        const added = await addRequest(store, make)
        const { request, digest } = added
        const [formId, otherForm] = [make.formId(), make.formId()]
        expectOk(await handIn(store, make, added, { formId }))
        for (const nowMicros of [noonMicros, request.closesAtMicros]) {
          const found = expectOk(await requests.findByDigest(digest, nowMicros, { formId }))
          same(found?.receivedAtMicros, receivedAtMicros)
          same(found?.state.answers, 1)
          const unknown = await requests.findByDigest(digest, nowMicros, { formId: otherForm })
          same(expectOk(unknown), undefined, 'another form')
        }
        const other = await addRequest(store, make)
        const elsewhere = await requests.findByDigest(other.digest, noonMicros, { formId })
        same(expectOk(elsewhere)?.receivedAtMicros, undefined, 'another request')
      },
    }),
  }),
  ...together({
    'request-store/find-by-digest-reads-the-bucket': storageCase({
      rule: 'findByDigest answers the attempts in the bucket that is named, as SignInStore.update has stored them; noAttempts for one that is not there.',
      async check(store, make) {
        const { digest } = await addRequest(store, make)
        const [bucket, empty] = [make.tokenDigest(), make.tokenDigest()]
        expectOk(await store.signIns.update([bucket], () => ok({ buckets: [oneAttempt] })))
        const attempts = async (named: Uint8Array) =>
          expectOk(await store.requests.findByDigest(digest, noonMicros, { bucket: named }))?.attempts
        same(await attempts(bucket), oneAttempt.attempts)
        same(await attempts(empty), noAttempts)
      },
    }),
    'request-store/find-by-digest-names-who-asks': storageCase({
      rule: "findByDigest answers the display name of the request's account where it has one.",
      async check(store, make) {
        const { request, digest } = await addRequest(store, make)
        const displayName = make.displayName()
        expectOk(await store.accounts.setDisplayName(request.accountId, displayName))
        same(expectOk(await store.requests.findByDigest(digest, noonMicros))?.from, displayName)
      },
    }),
    'request-store/link-ends-with-its-account': storageCase({
      rule: 'The link of a request finds nothing, and takes no answer, once its account is disabled, or its erasure has begun.',
      async check(store, make) {
        const ends = {
          disabled: (id: string) => store.accounts.disable(id, noonMicros),
          'being erased': (id: string) => store.accounts.beginErasure(id),
        }
        for (const [what, end] of Object.entries(ends)) {
          const { folder, request, digest } = await addRequest(store, make, { answersAllowed: 2 })
          const formId = make.formId()
          expectOk(await handIn(store, make, { folder, request, digest }, { formId }))
          same(expectOk(await end(request.accountId)), true)
          const found = await store.requests.findByDigest(digest, noonMicros, { formId })
          same(expectOk(found), undefined, what)
          const answered = store.requests.answer(digest, {}, answerTo(make, folder), () => ok({}))
          expectErr(await answered, 'request_not_found')
        }
      },
    }),
  }),
]
