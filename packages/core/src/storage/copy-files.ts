import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { equalBytes } from '../shared/bytes.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { StorageError } from '../shared/errors.ts'
import type { Pieces } from '../files/file-cipher.ts'
import type { FileMissing } from '../files/file-store.ts'
import type { TransferredFile, TransferSource, TransferTarget } from './transfer.ts'
import type { TransferDiffers } from './copy-rows.ts'

/** The content of a file is missing in the source, whose secret or draft has its note. */
export interface TransferFileMissing {
  readonly code: 'move_file_missing'
  readonly id: Uuid
  readonly secretId: Uuid
}

/** How many contents of files were moved so far, and their bytes. */
export interface TransferredFiles {
  /** How many contents were copied. */
  readonly files: number
  /** The bytes of the files, as they are stored. */
  readonly bytes: number
}

type Source = Pick<TransferSource, 'files' | 'fileContents'>
type Target = Pick<TransferTarget, 'fileContents'>
type CopyFilesError = StorageError | TransferFileMissing | TransferDiffers

/**
 * Copies the content of every file that the target lacks, and reads each on both sides to compare them byte by byte. A content that differs was
 * cut off when it was copied before: it is copied again.
 */
export function copyFiles(
  source: Source,
  target: Target,
  onMoved: (moved: TransferredFiles) => void = () => undefined,
): ResultAsync<TransferredFiles, CopyFilesError> {
  return new ResultAsync(copy(source, target, onMoved))
}

const filesAtOnce = 100

async function copy(
  source: Source,
  target: Target,
  onMoved: (moved: TransferredFiles) => void,
): Promise<Result<TransferredFiles, CopyFilesError>> {
  let moved: TransferredFiles = { files: 0, bytes: 0 }
  for (let after: Uuid | undefined, isWhole = false; !isWhole;) {
    const files = await source.files(after, filesAtOnce)
    if (files.isErr()) return err(files.error)
    for (const file of files.value) {
      const bytes = await copyFile(source, target, file)
      if (bytes.isErr()) return err(bytes.error)
      if (bytes.value === undefined) continue
      moved = { files: moved.files + 1, bytes: moved.bytes + bytes.value }
      onMoved(moved)
    }
    isWhole = files.value.length < filesAtOnce
    after = files.value.at(-1)?.id
  }
  return ok(moved)
}

/** Ok with how many bytes the content has; with `undefined` when there is none, and none is needed. */
async function copyFile(
  source: Source,
  target: Target,
  { id, secretId, isNeeded }: TransferredFile,
): Promise<Result<number | undefined, CopyFilesError>> {
  const all = { start: 0, end: Number.MAX_SAFE_INTEGER }
  const read = () => source.fileContents.read(id, all)
  const compareBoth = () => compare(read(), target.fileContents.read(id, all))
  const before = await compareBoth()
  if (before.isOk() && before.value !== undefined) return ok(before.value)
  const copied = before.isErr()
    ? before
    : await target.fileContents.drop(id).andThen(() => target.fileContents.append(id, read()))
  const after = copied.isErr() ? err(copied.error) : await compareBoth()
  if (after.isOk())
    return after.value === undefined ? err({ code: 'move_differs', table: 'files' }) : ok(after.value)
  const { error } = after
  if (error.code !== 'file_missing') return err(error)
  return isNeeded ? err({ code: 'move_file_missing', id, secretId }) : ok(undefined)
}

/** Ok with how many bytes both have; with `undefined` when they differ, or when the other content is missing. */
async function compare(
  one: Pieces<FileMissing | StorageError>,
  other: Pieces<FileMissing | StorageError>,
): Promise<Result<number | undefined, FileMissing | StorageError>> {
  const others = readerOf(other)
  try {
    let length = 0
    for await (const piece of one) {
      if (piece.isErr()) return err(piece.error)
      for (let rest = piece.value; rest.length > 0;) {
        const taken = await others.take(rest.length)
        if (taken.isErr()) return differsIfMissing(taken.error)
        const count = taken.value.length
        if (count === 0 || !equalBytes(rest.subarray(0, count), taken.value)) return ok(undefined)
        rest = rest.subarray(count)
      }
      length += piece.value.length
    }
    const end = await others.take(1)
    return end.isErr() ? differsIfMissing(end.error) : ok(end.value.length === 0 ? length : undefined)
  } finally {
    await others.end()
  }
}

function differsIfMissing(error: FileMissing | StorageError): Result<undefined, StorageError> {
  return error.code === 'file_missing' ? ok(undefined) : err(error)
}

/** Reads pieces in parts of another length. */
function readerOf<E>(pieces: Pieces<E>) {
  const iterator = pieces[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array()
  return {
    /** The next bytes, at most `most`; none after the last ones. */
    async take(most: number): Promise<Result<Uint8Array, E>> {
      while (rest.length === 0) {
        const next = await iterator.next()
        if (next.done === true) return ok(rest)
        if (next.value.isErr()) return err(next.value.error)
        rest = next.value.value
      }
      const taken = rest.subarray(0, most)
      rest = rest.subarray(taken.length)
      return ok(taken)
    },
    end: async () => iterator.return?.(),
  }
}
