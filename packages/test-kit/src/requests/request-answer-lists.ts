import type { Cursor, StoredAnswer } from '@sotto/core'
import { ok } from 'neverthrow'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same, sameIds } from '../contract/compare.ts'
import { kids, storageCase, together, type StorageCase, type StorageUnderTest } from '../stores/harness.ts'
import { ascending, isPagedInOrder, tiedPositions } from '../stores/paging.ts'
import { addDraft } from '../stores/rows.ts'
import { addRequest, answerTo, type AddedRequest } from './request-rows.ts'

/** Cases of `DraftStore.answers` and `countNewAnswers`, and of what becomes of an answer. */
export const requestAnswerListCases: readonly StorageCase[] = together({
  'request-store/answers-are-listed-newest-first': storageCase({
    rule: 'answers lists the drafts that answer a request by creation and id, both descending, as they were handed in; pages neither repeat nor miss one.',
    async check(store, make) {
      const added = await addRequest(store, make, { answersAllowed: 100 })
      const other = await addRequest(store, make, {}, added.folder)
      await addDraft(store, make, added.folder)
      const rows: StoredAnswer[] = []
      for (const position of tiedPositions(make.uuid, noonMicros))
        rows.push(await handInAs(store, make, added, position))
      await handInAs(store, make, other, {})
      const { accountId, id: requestId } = added.request
      const read = (after: Cursor | undefined, limit: number) =>
        store.drafts.answers({ accountId, requestId }, after, limit)
      const sorted = rows.toSorted((one, other) => ascending(other.secret, one.secret))
      same(expectOk(await read(undefined, 100)), sorted)
      await isPagedInOrder(
        (after, limit) => read(after, limit).map((page) => page.map(({ secret }) => secret)),
        (secret) => secret,
        sorted.map(({ secret }) => secret),
      )
    },
  }),
  'request-store/new-answers-are-of-the-account': storageCase({
    rule: 'Without a request, answers lists the new answers to all requests of the account, also to one that is erased, and countNewAnswers counts them; seen and shared ones are not among them.',
    async check(store, make) {
      const first = await addRequest(store, make, { answersAllowed: 9 })
      const second = await addRequest(store, make, {}, first.folder)
      const theirs = await addRequest(store, make)
      const { accountId } = first.request
      const seen = await handInAs(store, make, first, { createdAtMicros: 1 })
      const shared = await handInAs(store, make, first, { createdAtMicros: 2 })
      const left = await handInAs(store, make, first, { createdAtMicros: 3 })
      const last = await handInAs(store, make, second, { createdAtMicros: 4 })
      await handInAs(store, make, theirs, {})
      await addDraft(store, make, first.folder)
      expectOk(await store.secrets.markSeen(theirs.request.accountId, last.secret.id, 1))
      expectOk(await store.secrets.markSeen(accountId, seen.secret.id, 1))
      await share(store, make, shared)
      expectOk(await store.requests.eraseIn(accountId, first.folder.id, 10))
      const found = expectOk(await store.drafts.answers({ accountId }, undefined, 10))
      same(found, [last, left])
      same(expectOk(await store.drafts.countNewAnswers(accountId)), 2)
      const ofFirst = await store.drafts.answers({ accountId, requestId: first.request.id }, undefined, 10)
      sameIds(
        expectOk(ofFirst).map(({ secret }) => secret),
        [left.secret.id, seen.secret.id],
      )
      same(expectOk(ofFirst)[1]?.answers.isNew, false, 'the one that was looked at')
    },
  }),
  'request-store/lists-of-drafts-tell-what-they-answer': storageCase({
    rule: 'page of drafts gives the request that each answers, and whether it is new; nothing of a draft that its owner has written.',
    async check(store, make) {
      const added = await addRequest(store, make, { answersAllowed: 2 })
      const seen = await handInAs(store, make, added, { createdAtMicros: 1 })
      const unseen = await handInAs(store, make, added, { createdAtMicros: 2 })
      const { draft: own } = await addDraft(store, make, added.folder)
      const { accountId, id: requestId } = added.request
      expectOk(await store.secrets.markSeen(accountId, seen.secret.id, 1))
      for (const folderId of [undefined, added.folder.id]) {
        const drafts = expectOk(await store.drafts.page({ accountId, folderId }, undefined, 10))
        same(drafts, [
          { ...seen.secret, answers: { requestId, isNew: false } },
          { ...unseen.secret, answers: { requestId, isNew: true } },
          own,
        ])
      }
    },
  }),
  'request-store/edited-answer-stays-one': storageCase({
    rule: 'A draft that is replaced still answers its request, and is as new as before; one that is shared has no news, and each of its opens is.',
    async check(store, make) {
      const added = await addRequest(store, make)
      const { secret, answers } = await handInAs(store, make, added, { notify: true })
      const edited = { ...secret, headCiphertext: make.ciphertext(), link: undefined }
      expectOk(await store.drafts.replace(secret.headCiphertext, edited, make.note()))
      const { accountId, id } = secret
      same(expectOk(await store.drafts.find(accountId, id))?.answers, answers)
      const lookup = await share(store, make, { secret: edited })
      const newsOf = async () => expectOk(await store.secrets.activity(accountId, id))?.news
      same(await newsOf(), 0)
      expectOk(await store.links.update(lookup, undefined, () => ok({ openedAtMicros: noonMicros })))
      same(await newsOf(), 1)
      same(expectOk(await store.drafts.countNewAnswers(accountId)), 0, 'which is no answer')
    },
  }),
})

/** Hands in an answer. Returns it as a list shows it. */
async function handInAs(
  store: StorageUnderTest,
  make: Samples,
  { folder, request, digest }: AddedRequest,
  columns: Parameters<typeof answerTo>[2],
): Promise<StoredAnswer> {
  const draft = answerTo(make, folder, columns)
  const answered = await store.requests.answer(digest, {}, draft, ({ state }) =>
    ok({ accepted: { answers: state.answers + 1, receivedAtMicros: noonMicros } }),
  )
  expectOk(answered, 'handing in an answer')
  return { ...draft, answers: { requestId: request.id, isNew: true } }
}

/** Shares a draft. Returns the lookup of its link. */
async function share(
  store: StorageUnderTest,
  make: Samples,
  { secret: { accountId, id, headCiphertext } }: Pick<StoredAnswer, 'secret'>,
): Promise<Uint8Array> {
  const link = make.link()
  const keys = { kid: kids.writable, headCiphertext: make.ciphertext(), wrappedKey: make.ciphertext() }
  const draft = { accountId, id, expectedHeadCiphertext: headCiphertext }
  same(expectOk(await store.drafts.share(draft, link, keys)), true)
  return link.lookup
}
