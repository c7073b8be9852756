import {
  noAttempts,
  type DraftNotFound,
  type DraftStore,
  type InsertSecretRowError,
  type StoredNote,
  type Uuid,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import {
  equalBytes,
  inOrder,
  keyRetired,
  pageOf,
  taken,
  type MemoryConnection,
  type SecretRow,
} from '../stores/memory-data.ts'
import { changeFiles, filesCountOf, filesOf } from '../files/memory-secret-files.ts'
import { hasLookup, passes } from '../secrets/memory-secrets.ts'

export function createMemoryDrafts(connection: MemoryConnection): DraftStore {
  const { data, answer, hasFolder, mayWrite } = connection
  const draftOf = (accountId: Uuid, id: Uuid): SecretRow | undefined => {
    const row = data.secrets.get(id)
    return row?.secret.accountId === accountId && row.secret.link === undefined ? row : undefined
  }
  return {
    find: (accountId, id) =>
      answer(() => {
        const row = draftOf(accountId, id)
        if (row?.note === undefined) return ok(undefined)
        const { secret, note, attempts } = row
        return ok({ secret, note, attempts, ...filesOf(data, id), ...answersOf(row) })
      }),

    updateAttempts: (accountId, id, decide) =>
      answer(() => {
        const row = draftOf(accountId, id)
        if (row === undefined) return err({ code: 'draft_not_found' })
        const change = decide(row.attempts)
        data.secrets.set(id, { ...row, attempts: structuredClone(change.attempts) })
        return ok(change)
      }),

    page: (filter, after, limit) =>
      answer(() => {
        const drafts = [...data.secrets.values()]
          .map(({ secret }) => secret)
          .filter((secret) => passes(filter, secret) && secret.link === undefined)
        return ok(
          pageOf(drafts, after, limit).map((draft) => ({
            ...draft,
            ...filesCountOf(data, draft.id),
            ...answersOf(data.secrets.get(draft.id)),
          })),
        )
      }),

    answers: ({ accountId, requestId }, after, limit) =>
      answer(() => {
        const rows = [...data.secrets.values()]
          .filter((row) => isAnswer(row, accountId))
          .filter((row) => (requestId === undefined ? row.news > 0 : row.requestId === requestId))
          .filter(({ secret }) => after === undefined || inOrder(secret, after) < 0)
          .toSorted((one, other) => inOrder(other.secret, one.secret))
          .slice(0, limit)
        return ok(
          rows.map((row) => ({
            ...{ secret: row.secret, note: row.note, ...filesCountOf(data, row.secret.id) },
            answers: answeredBy(row),
          })),
        )
      }),

    countNewAnswers: (accountId) =>
      answer(() =>
        ok([...data.secrets.values()].filter((row) => isAnswer(row, accountId) && row.news > 0).length),
      ),

    share: ({ accountId, id, expectedHeadCiphertext }, link, { kid, headCiphertext, wrappedKey }) =>
      answer(() => {
        const row = draftOf(accountId, id)
        if (row?.note === undefined) return err({ code: 'draft_not_found' })
        if (!equalBytes(row.secret.headCiphertext, expectedHeadCiphertext)) return ok(false)
        if (!mayWrite({ kid })) return err(keyRetired)
        if (hasLookup(data, link.lookup)) return err(taken)
        const secret = structuredClone({ ...row.secret, link, kid, headCiphertext })
        data.secrets.set(id, { ...row, secret, news: 0, note: structuredClone({ ...row.note, wrappedKey }) })
        return ok(true)
      }),

    replace: (expectedHeadCiphertext, draft, note, { forgetsAttempts = false, files } = {}) =>
      answer((): Result<boolean, DraftNotFound | InsertSecretRowError> => {
        const row = draftOf(draft.accountId, draft.id)
        if (row === undefined) return err({ code: 'draft_not_found' })
        if (!equalBytes(row.secret.headCiphertext, expectedHeadCiphertext)) return ok(false)
        if (!hasFolder(draft.accountId, draft.folderId)) return err({ code: 'folder_not_found' })
        if (!mayWrite(draft)) return err(keyRetired)
        const changed = changeFiles(connection, draft, files)
        if (changed.isErr()) return err(changed.error)
        const attempts = forgetsAttempts ? noAttempts : row.attempts
        data.secrets.set(draft.id, structuredClone({ ...row, secret: draft, note, attempts }))
        return ok(true)
      }),

    erase: (accountId, id) =>
      answer(() => ok(draftOf(accountId, id) !== undefined && data.secrets.delete(id))),
  }
}

type AnswerRow = SecretRow & { readonly requestId: Uuid; readonly note: StoredNote }

function isAnswer(row: SecretRow, accountId: Uuid): row is AnswerRow {
  const { secret, requestId } = row
  return secret.accountId === accountId && secret.link === undefined && requestId !== undefined
}

function answeredBy({ requestId, news }: AnswerRow) {
  return { requestId, isNew: news > 0 }
}

function answersOf(row: SecretRow | undefined) {
  return row !== undefined && isAnswer(row, row.secret.accountId) ? { answers: answeredBy(row) } : {}
}
