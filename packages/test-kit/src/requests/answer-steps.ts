import type { StoredSecretFile } from '@sotto/core'
import type { FullStorage } from '@sotto/identity'
import fc from 'fast-check'
import { ok, okAsync, type ResultAsync } from 'neverthrow'
import { underWay } from '../files/file-rows.ts'
import { noonMicros } from '../shared/samples.ts'
import { kids } from '../stores/harness.ts'
import { step } from '../stores/steps.ts'
import { aCiphertext, aLimit, aText, aTime, ada, anAccount, anExpiry, bob } from '../stores/values.ts'
import { aDraft, aFileId, aHead, answering, aPlace, aRow, cursor, digestOf, owned } from './request-steps.ts'

type Failing = ResultAsync<unknown, { readonly code: string }>

/** Reserves space for the contents of files, one after the other. One that is under way already stays so. */
function reserveAll(
  { secretFiles }: FullStorage,
  files: readonly StoredSecretFile[],
  untilMicros: number,
): Failing {
  return files.reduce<Failing>(
    (before, file) =>
      before
        .andThen(() => secretFiles.reserve(underWay(file, { untilMicros }), { bytesMax: 1_000_000 }))
        .orElse(() => ok()),
    okAsync(undefined),
  )
}

/** An answer whose files are under way, or some of them. */
export const answerWithFilesStep = step(
  'secretFiles',
  'secretFiles.reserve and requests.answer',
  fc.record({ answering, untilMicros: anExpiry, reserved: fc.constantFrom(2, 2, 2, 1, 0) }),
  (storage, { answering: { digest, answerer, draft, decide }, untilMicros, reserved }) =>
    reserveAll(storage, draft.files.slice(0, reserved), untilMicros).andThen(() =>
      storage.requests.answer(digest, answerer, draft, decide),
    ),
)

/** What else becomes of contents, and what is seen of them. */
export const fileSteps = [
  step('secretFiles', 'secretFiles.endUnderWay', aTime, ({ secretFiles }, nowMicros) =>
    secretFiles.endUnderWay(nowMicros, undefined, 100),
  ),
  step('secretFiles', 'secretFiles.bytesOf', fc.constant(ada), ({ secretFiles }, id) =>
    secretFiles.bytesOf(id),
  ),
  step('secretFiles', 'secretFiles.page', aLimit, ({ secretFiles }, limit) =>
    secretFiles.page({}, undefined, limit),
  ),
  step('secretFiles', 'secretFiles.erase', aFileId, ({ secretFiles }, id) => secretFiles.erase(id)),
]

const answersFilter = fc
  .record({ row: owned, hasRequest: fc.boolean() })
  .map(({ row: { accountId, id }, hasRequest }) =>
    hasRequest ? { accountId, requestId: id } : { accountId },
  )

/** How answers are listed and found. */
export const listSteps = [
  step('drafts', 'drafts.find', owned, ({ drafts }, { accountId, id }) => drafts.find(accountId, id)),
  step(
    'drafts',
    'drafts.page',
    fc.record({ place: aPlace, hasFolder: fc.boolean(), after: cursor, limit: aLimit }),
    ({ drafts }, { place: { accountId, folderId }, hasFolder, after, limit }) =>
      drafts.page({ accountId, ...(hasFolder && { folderId }) }, after, limit),
  ),
  step(
    'drafts',
    'drafts.answers',
    fc.record({ filter: answersFilter, after: cursor, limit: aLimit }),
    ({ drafts }, { filter, after, limit }) => drafts.answers(filter, after, limit),
  ),
  step('drafts', 'drafts.countNewAnswers', anAccount, ({ drafts }, accountId) =>
    drafts.countNewAnswers(accountId),
  ),
  step('secrets', 'secrets.activity', owned, ({ secrets }, { accountId, id }) =>
    secrets.activity(accountId, id),
  ),
]

/** What becomes of an answer: its owner looks at it, edits it, shares it, erases it. */
export const fateSteps = [
  step('secrets', 'secrets.insert', aDraft, ({ secrets }, { secret, note }) =>
    secrets.insert({ ...secret, kid: kids.writable }, note),
  ),
  step(
    'secrets',
    'secrets.markSeen',
    fc.record({ row: owned, news: fc.constantFrom(1, 1, 2) }),
    ({ secrets }, { row: { accountId, id }, news }) => secrets.markSeen(accountId, id, news),
  ),
  step(
    'drafts',
    'drafts.replace',
    fc.record({ head: aHead, draft: aDraft }),
    ({ drafts }, { head, draft: { secret, note } }) => drafts.replace(head, secret, note),
  ),
  step(
    'drafts',
    'drafts.share',
    fc.record({
      row: aRow,
      expectedHeadCiphertext: aHead,
      times: fc.record({ createdAtMicros: aTime, expiresAtMicros: anExpiry }),
      head: aText,
      wrappedKey: aCiphertext,
    }),
    ({ drafts }, { row, expectedHeadCiphertext, times, head: { kid, ciphertext }, wrappedKey }) =>
      drafts.share(
        { accountId: row.accountId, id: row.id, expectedHeadCiphertext },
        { lookup: digestOf(row), ...times },
        { kid, headCiphertext: ciphertext, wrappedKey },
      ),
  ),
  step('links', 'links.update', aRow.map(digestOf), ({ links }, lookup) =>
    links.update(lookup, undefined, () => ok({ openedAtMicros: noonMicros })),
  ),
  step('drafts', 'drafts.erase', owned, ({ drafts }, { accountId, id }) => drafts.erase(accountId, id)),
  step('secrets', 'secrets.erase', owned, ({ secrets }, { accountId, id }) => secrets.erase(accountId, id)),
]

/** What becomes of the folders, and of the account whose contents nobody counts here. */
export const ownerSteps = [
  step('accounts', 'accounts.beginErasure', fc.constant(bob), ({ accounts }, id) =>
    accounts.beginErasure(id),
  ),
  step(
    'folders',
    'folders.insert',
    fc.record({ place: aPlace, label: aText, createdAtMicros: aTime }),
    ({ folders }, { place: { accountId, folderId: id }, ...columns }) =>
      folders.insert({ id, accountId, ...columns }),
  ),
  step(
    'folders',
    'folders.erase',
    fc.record({ place: aPlace, nowMicros: aTime }),
    ({ folders }, { place: { accountId, folderId }, nowMicros }) =>
      folders.erase(accountId, folderId, nowMicros),
  ),
]
