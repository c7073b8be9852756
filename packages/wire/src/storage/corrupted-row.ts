import type { CorruptedRow, DecryptError, DroppedCorruptedRows } from '@sotto/core'

/** The document of `damage list`, and in `restore`. */
export function toWireCorruptedRow({ kind, id, accountId, error }: CorruptedRow) {
  return { kind, id, account_id: accountId, ...toWireCause(error) }
}

/** The document of `damage drop`. */
export function toWireDroppedCorruptedRows({ dropped, refused }: DroppedCorruptedRows) {
  return {
    dropped: dropped.map((row) => ({ ...toWireCorruptedRow(row), outcome: row.outcome })),
    refused: refused.map(({ id, reason }) => ({ id, reason })),
  }
}

function toWireCause(error: DecryptError) {
  return error.code === 'data_damaged'
    ? { code: error.code, what: error.what }
    : { code: error.code, kid: error.kid }
}
