import type { MovedCounts, MovedFiles } from '@sotto/core'

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
  readonly rows: MovedCounts | undefined
  readonly contents: MovedFiles
}) {
  return { from, to, rows: rows ?? null, file_bytes: contents.bytes }
}
