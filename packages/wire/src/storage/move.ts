import type { TransferredCounts, TransferredFiles } from '@sotto/core'

/**
 * The document of `move`: the locations without credentials, how many rows of each kind were moved, and the bytes of the contents of files
 * as they are stored. `rows` is `null` when an earlier move had finished already.
 */
export function toWireMoved({
  from,
  to,
  rows,
  contents,
}: {
  readonly from: string
  readonly to: string
  readonly rows: TransferredCounts | undefined
  readonly contents: TransferredFiles
}) {
  return { from, to, rows: rows ?? null, file_bytes: contents.bytes }
}
