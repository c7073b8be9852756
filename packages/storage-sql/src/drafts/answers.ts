import type { DraftStore, StoredDraft, Uuid } from '@sotto/core'
import { maxUuid } from '../engine/codec.ts'
import type { Dialect, Engine } from '../engine/engine.ts'
import { countOfFiles, withFilesCount } from '../files/secret-files.ts'

/** The columns of `secrets` (as `s`) that say which request a draft answers. */
export function answersColumns({ id }: Pick<Dialect, 'id'>): string {
  return `${id.read('s.answers_request')}, s.news`
}

/** The row of {@link answersColumns}. */
export type AnswersRow = readonly [requestId: unknown, news: number]

/** The part of a draft that says which request it answers. */
export function answersOf(dialect: Pick<Dialect, 'id'>, row: AnswersRow): Pick<StoredDraft, 'answers'> {
  const [requestId] = row
  // SQLite reads NULL as an empty text.
  return requestId === null || requestId === '' ? {} : { answers: answered(dialect, row) }
}

/** The request that a draft answers, as its row says it. */
function answered({ id }: Pick<Dialect, 'id'>, [requestId, news]: AnswersRow) {
  return { requestId: id.out(requestId), isNew: news > 0 }
}

/** The condition that a row of `secrets` (as `s`) is an answer that is a draft still. The account is the first parameter. */
const ofAccount = 's.account_id = $1 AND s.answers_request IS NOT NULL AND s.expires_at IS NULL'

/** Makes the methods of `DraftStore` that read answers. @param columns what `make` reads of `secrets` (as `s`), as the last of its row */
export function createReadAnswers(
  { dialect, list, find }: Engine,
  columns: string,
  make: (accountId: Uuid, row: never) => Pick<StoredDraft, 'secret' | 'note'>,
): Pick<DraftStore, 'answers' | 'countNewAnswers'> {
  const { id } = dialect
  const pageOf = (
    which: string,
  ) => `SELECT ${answersColumns(dialect)}, ${countOfFiles}, ${columns} FROM secrets s
    WHERE ${ofAccount} AND ${which} AND (s.created_at, s.id) < ($2, $3) ORDER BY s.created_at DESC, s.id DESC LIMIT $4`
  const [ofRequest, ofAll] = [pageOf('s.answers_request = $5'), pageOf('s.news > 0')]
  const count = `SELECT count(*) FROM secrets s WHERE ${ofAccount} AND s.news > 0`
  return {
    answers: ({ accountId, requestId }, after, limit) =>
      list(
        requestId === undefined ? ofAll : ofRequest,
        [
          ...[
            id.in(accountId),
            after?.createdAtMicros ?? Number.MAX_SAFE_INTEGER,
            id.in(after?.id ?? maxUuid),
            limit,
          ],
          ...(requestId === undefined ? [] : [id.in(requestId)]),
        ],
        ([request, news, filesCount, ...row]: [...AnswersRow, number, ...unknown[]]) => ({
          ...make(accountId, row as never),
          ...withFilesCount(filesCount),
          answers: answered(dialect, [request, news]),
        }),
      ),

    countNewAnswers: (accountId) =>
      find(count, [id.in(accountId)], ([counted]: [number]) => counted).map((counted = 0) => counted),
  }
}
