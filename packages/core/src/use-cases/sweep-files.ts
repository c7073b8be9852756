import { err, ok, Result, ResultAsync } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import type { StorageError } from '../errors.ts'
import type { FileStore, StoredFileInfo } from '../ports/file-store.ts'
import type { PortMethods } from '../ports/ports.ts'
import type { FilesFilter, SecretFileStore, StoredSecretFile } from '../ports/secret-file-store.ts'
import { showFile } from './file-rows.ts'

/** How old a content is at least that no row names and a sweep drops: no upload takes that long. 24 hours. */
export const orphanAfterMicros = 86_400 * 1_000_000

/** Rows and contents that are read together. */
const batchSize = 100

export type SweepFilesDeps = PortMethods<{
  secretFiles: 'page' | 'erase'
  fileContents: 'page' | 'drop'
  textCipher: 'decryptText'
  clock: 'nowMicros'
}>
export interface SweepFilesInput {
  /** Whether to look for contents that no row names, too: reads the list of all contents. False by default. */
  readonly withOrphans?: boolean | undefined
  /** Asked before each file: true ends the sweep, with Ok and what it has dropped by then. */
  readonly shouldStop?: (() => boolean) | undefined
}
export type SweepFilesError = StorageError

/** How much a sweep of files dropped. */
export interface SweptFiles {
  /** Contents of files that nobody can read any more. */
  readonly files: number
  /** Contents that no row named: what broken uploads left. */
  readonly orphans: number
}

/**
 * Drops the contents of files that nobody can read any more: their secrets were spent, expired or erased, and their tickets are over. Then it takes
 * their bytes off the accounts' sums.
 */
export function sweepFiles(
  deps: SweepFilesDeps,
  { withOrphans = false, shouldStop = () => false }: SweepFilesInput = {},
): ResultAsync<SweptFiles, SweepFilesError> {
  return new ResultAsync(sweep(deps, withOrphans, shouldStop))
}

async function sweep(
  deps: SweepFilesDeps,
  withOrphans: boolean,
  shouldStop: () => boolean,
): Promise<Result<SweptFiles, SweepFilesError>> {
  const nowMicros = deps.clock.nowMicros()
  const swept = { files: 0, orphans: 0 }
  // A content that cannot be dropped keeps no other one.
  let failed: StorageError | undefined
  for await (const row of everyRow(deps.secretFiles, { overAtMicros: nowMicros })) {
    if (row.isErr()) return err(row.error)
    if (shouldStop()) break
    const dropped = await dropFile(deps, row.value)
    if (dropped.isErr()) failed ??= dropped.error
    else if (dropped.value) swept.files += 1
  }
  for await (const each of withOrphans ? compareFiles(deps) : []) {
    if (each.isErr()) return err(each.error)
    if (shouldStop()) break
    const orphan = orphanOf(each.value, nowMicros)
    if (orphan === undefined) continue
    const dropped = await deps.fileContents.drop(orphan.id)
    if (dropped.isErr()) failed ??= dropped.error
    else swept.orphans += 1
  }
  return failed === undefined ? ok(swept) : err(failed)
}

function dropFile(
  { fileContents, secretFiles, textCipher }: SweepFilesDeps,
  row: StoredSecretFile,
): ResultAsync<boolean, StorageError> {
  // A size that cannot be read stays in the sum until the account has no file.
  const bytes = showFile({ textCipher }, row).map(({ size }) => size)
  return fileContents.drop(row.id).andThen(() => secretFiles.erase(row.id, bytes.unwrapOr(undefined)))
}

export type ExamineFilesDeps = PortMethods<{
  secretFiles: 'page'
  fileContents: 'page'
  clock: 'nowMicros'
}>
export type ExamineFilesError = StorageError

/** What is wrong with the stored contents of files. */
export interface FilesExamined {
  readonly files: number
  /** The ids of files whose content is missing, and that somebody can still read. */
  readonly missing: readonly Uuid[]
  /** Contents older than a day that no row names, and their bytes: the next sweep of orphans drops them. */
  readonly orphans: { readonly count: number; readonly bytes: number }
}

/** Compares the rows of files with the stored contents. Reads both lists: for a command. */
export function examineFiles(deps: ExamineFilesDeps): ResultAsync<FilesExamined, ExamineFilesError> {
  return examineOnce(deps).andThen((first) =>
    first.missing.length === 0
      ? ok(first)
      : // A file that was added or dropped while the lists were read is missing only once.
        examineOnce(deps).map((again) => ({
          ...again,
          missing: again.missing.filter((id) => first.missing.includes(id)),
        })),
  )
}

function examineOnce(deps: ExamineFilesDeps): ResultAsync<FilesExamined, ExamineFilesError> {
  return new ResultAsync(examine(deps))
}

async function examine(deps: ExamineFilesDeps): Promise<Result<FilesExamined, ExamineFilesError>> {
  const nowMicros = deps.clock.nowMicros()
  // A sweep drops a content before its row.
  const over = new Set<Uuid>()
  for await (const row of everyRow(deps.secretFiles, { overAtMicros: nowMicros })) {
    if (row.isErr()) return err(row.error)
    over.add(row.value.id)
  }
  const missing: Uuid[] = []
  const found = { files: 0, count: 0, bytes: 0 }
  for await (const each of compareFiles(deps)) {
    if (each.isErr()) return err(each.error)
    const { content, row } = each.value
    if (row !== undefined) found.files += 1
    if (row !== undefined && content === undefined && !over.has(row.id)) missing.push(row.id)
    const orphan = orphanOf(each.value, nowMicros)
    if (orphan === undefined) continue
    found.count += 1
    found.bytes += orphan.length
  }
  const { files, count, bytes } = found
  return ok({ files, missing, orphans: { count, bytes } })
}

/** A row and a content with the same id, or one without the other. */
interface Compared {
  readonly row: StoredSecretFile | undefined
  readonly content: StoredFileInfo | undefined
}

/** The content that no row names, if it is old enough. */
function orphanOf({ row, content }: Compared, nowMicros: number): StoredFileInfo | undefined {
  if (row !== undefined || content === undefined) return undefined
  return content.writtenAtMicros > nowMicros - orphanAfterMicros ? undefined : content
}

/** Every row and every content by id, each as it was when its page was read. */
async function* compareFiles({
  secretFiles,
  fileContents,
}: Pick<ExamineFilesDeps, 'secretFiles' | 'fileContents'>): Every<Compared> {
  const contents = everyContent(fileContents)
  const rows = everyRow(secretFiles, {})
  let content = await contents.next()
  let row = await rows.next()
  while (content.done !== true || row.done !== true) {
    const both = Result.combine([valueOf(content), valueOf(row)])
    if (both.isErr()) return yield err(both.error)
    const [one, other] = both.value
    const isContent = one !== undefined && (other === undefined || one.id <= other.id)
    const isRow = other !== undefined && (one === undefined || other.id <= one.id)
    yield ok({ row: isRow ? other : undefined, content: isContent ? one : undefined })
    if (isContent) content = await contents.next()
    if (isRow) row = await rows.next()
  }
}

function valueOf<T>(next: IteratorResult<Result<T, StorageError>>): Result<T | undefined, StorageError> {
  return next.done === true ? ok(undefined) : next.value
}

function everyRow(store: Pick<SecretFileStore, 'page'>, filter: FilesFilter): Every<StoredSecretFile> {
  return every((after) => store.page(filter, after, batchSize))
}

function everyContent(store: Pick<FileStore, 'page'>): Every<StoredFileInfo> {
  return every((after) => store.page(after, batchSize))
}

type Every<T> = AsyncGenerator<Result<T, StorageError>, void, void>

async function* every<T extends { readonly id: Uuid }>(
  read: (after: Uuid | undefined) => ResultAsync<readonly T[], StorageError>,
): Every<T> {
  let after: Uuid | undefined
  for (;;) {
    const page = await read(after)
    if (page.isErr()) return yield err(page.error)
    for (const each of page.value) yield ok(each)
    after = page.value.at(-1)?.id
    if (page.value.length < batchSize) return
  }
}
