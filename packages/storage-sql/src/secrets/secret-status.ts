import { type SecretStore, wrongToDisable } from '@sotto/core'
import type { Engine } from '../engine/engine.ts'

/**
 * The core's `secretStatus` as SQL. The columns are those of `secrets`.
 * @param spelled.hasNote whether the note is there, as a condition
 * @param spelled.wrongTotal the wrong passwords in all that `attempts` spells, or NULL
 */
export function statusSql({
  hasNote,
  wrongTotal,
}: {
  readonly hasNote: string
  readonly wrongTotal: string
}): string {
  return `CASE WHEN NOT (${hasNote}) OR opens >= open_limit OR ${wrongTotal} >= ${wrongToDisable} THEN 'finished'
    WHEN opens > 0 THEN 'opened' ELSE 'waiting' END`
}

/** Makes `SecretStore.counts`. @param status what {@link statusSql} gives */
export function createCounts({ dialect: { id }, find }: Engine, status: string): SecretStore['counts'] {
  const count = (owned: string) => `SELECT count(*) FILTER (WHERE status = 'waiting'),
    count(*) FILTER (WHERE status = 'opened'), count(*) FILTER (WHERE status = 'finished'),
    (SELECT count(*) FROM secrets WHERE ${owned} AND expires_at IS NULL), CAST(coalesce(sum(news), 0) AS bigint)
    FROM (SELECT ${status} AS status, news FROM secrets WHERE ${owned} AND expires_at > $2) AS found`
  const [inAccount, inFolder] = [count('account_id = $1'), count('account_id = $1 AND folder_id = $3')]
  return ({ accountId, folderId, nowMicros }) =>
    find(
      folderId === undefined ? inAccount : inFolder,
      [id.in(accountId), nowMicros, ...(folderId === undefined ? [] : [id.in(folderId)])],
      ([waiting, opened, finished, drafts, news]: [number, number, number, number, number]) => ({
        waiting,
        opened,
        finished,
        drafts,
        news,
      }),
    ).map((counts = { waiting: 0, opened: 0, finished: 0, drafts: 0, news: 0 }) => counts)
}
