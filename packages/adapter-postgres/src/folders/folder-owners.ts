import type { FolderStore, Uuid } from '@sotto/core'
import type { BatchedReads } from '../connection/batched-reads.ts'
import { unnest } from '../connection/sql.ts'

/** LIMIT keeps the planner from joining the whole table. */
const owns = {
  name: 'folders_owns',
  text: `SELECT asked.nr FROM ${unnest(['uuid', 'uuid'])} WITH ORDINALITY AS asked (id, account_id, nr) CROSS JOIN LATERAL
    (SELECT FROM folders f WHERE f.id = asked.id AND f.account_id = asked.account_id LIMIT 1) found`,
}

/** Makes the method that each create calls: the questions of one turn are one statement. */
export function createOwns(reads: BatchedReads): FolderStore['owns'] {
  const read = reads.batch({
    statement: owns,
    keyOf: ({ accountId, folderId }: Readonly<Record<'accountId' | 'folderId', Uuid>>) =>
      `${accountId} ${folderId}`,
    valuesOf: (questions) => [
      questions.map(([{ folderId }]) => folderId),
      questions.map(([{ accountId }]) => accountId),
    ],
    answerOf: (row: [] | undefined) => row !== undefined,
  })
  return (accountId, folderId) => read({ accountId, folderId })
}
