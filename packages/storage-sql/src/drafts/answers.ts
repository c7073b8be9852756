import type { StoredDraft } from '@sotto/core'
import type { Dialect } from '../engine/engine.ts'

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
export function answered({ id }: Pick<Dialect, 'id'>, [requestId, news]: AnswersRow) {
  return { requestId: id.out(requestId), isNew: news > 0 }
}
