import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { StorageError } from '../errors.ts'
import type { Pieces } from '../ports/file-cipher.ts'
import type { FileMissing } from '../ports/file-store.ts'
import type { MovedFile, MoveSource, MoveTarget } from '../ports/move.ts'
import type { MoveDiffers } from './moving.ts'

/** The content of a file is missing in the source, whose secret or draft has its note. */
export interface MoveFileMissing {
  readonly code: 'move_file_missing'
  readonly id: Uuid
  readonly secretId: Uuid
}

/** How many contents of files were moved so far, and their bytes. */
export interface MovedFiles {
  /** How many contents were copied. */
  readonly files: number
  /** Their bytes, as they are stored. */
  readonly bytes: number
}

type Source = Pick<MoveSource, 'files' | 'fileContents'>
type Target = Pick<MoveTarget, 'fileContents'>
type CopyFilesError = StorageError | MoveFileMissing | MoveDiffers

/**
 * Copies the content of every file that the target lacks, and reads each on both sides to compare them byte by byte. A content that differs was
 * cut off when it was copied before: it is copied again.
 */
export function copyFiles(
  source: Source,
  target: Target,
  onMoved: (moved: MovedFiles) => void = () => undefined,
): ResultAsync<MovedFiles, CopyFilesError> {
  return new ResultAsync(copy(source, target, onMoved))
}

const filesAtOnce = 100

async function copy(
  source: Source,
  target: Target,
  onMoved: (moved: MovedFiles) => void,
): Promise<Result<MovedFiles, CopyFilesError>> {
  let moved: MovedFiles = { files: 0, bytes: 0 }
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
  { id, secretId, isNeeded }: MovedFile,
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

/** Ok with how many bytes both have; with `undefined` when they differ, as when the other one is missing. */
async function compare(
  one: Pieces<FileMissing | StorageError>,
  other: Pieces<FileMissing | StorageError>,
): Promise<Result<number | undefined, FileMissing | StorageError>> {
  const others = other[Symbol.asyncIterator]()
  try {
    let length = 0
    let rest: Uint8Array = new Uint8Array()
    for await (const piece of one) {
      if (piece.isErr()) return err(piece.error)
      for (let at = 0; at < piece.value.length;) {
        if (rest.length === 0) {
          const next = await nextOf(others)
          if (next.isErr() || next.value === undefined) return differsIfMissing(next)
          rest = next.value
        }
        const count = Math.min(rest.length, piece.value.length - at)
        if (!isSame(piece.value.subarray(at, at + count), rest)) return ok(undefined)
        at += count
        rest = rest.subarray(count)
      }
      length += piece.value.length
    }
    const end = rest.length > 0 ? ok(rest) : await nextOf(others)
    return end.isOk() && end.value === undefined ? ok(length) : differsIfMissing(end)
  } finally {
    await others.return?.()
  }
}

type NextPiece = Result<Uint8Array | undefined, FileMissing | StorageError>

/** The next piece that is not empty. */
async function nextOf(
  pieces: AsyncIterator<Result<Uint8Array, FileMissing | StorageError>>,
): Promise<NextPiece> {
  for (;;) {
    const next = await pieces.next()
    if (next.done === true) return ok(undefined)
    if (next.value.isErr() || next.value.value.length > 0) return next.value
  }
}

/** The result of a comparison that ends with this piece of the other content. */
function differsIfMissing(piece: NextPiece): Result<undefined, StorageError> {
  return piece.isErr() && piece.error.code !== 'file_missing' ? err(piece.error) : ok(undefined)
}

/** Whether the others begin with these bytes. */
function isSame(bytes: Uint8Array, others: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] !== others[at]) return false
  return true
}
