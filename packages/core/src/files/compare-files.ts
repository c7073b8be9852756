import { err, ok, Result, type ResultAsync } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { StorageError } from '../shared/errors.ts'
import type { FileStore, StoredFileInfo } from './file-store.ts'
import type { FilesFilter, SecretFileStore, StoredSecretFile } from './secret-file-store.ts'

// What sweeping and examining files have in common.

/** How old a content is at least that no row names and a sweep drops: 24 hours. No upload takes half of that. */
export const orphanAfterMicros = 86_400 * 1_000_000

/** How long the files of a secret may take to arrive at most: 12 hours. The first one is no orphan when the secret is created. */
export const uploadMaxMicros = orphanAfterMicros / 2

/** Rows and contents that are read together. */
const batchSize = 100

/** A row and a content with the same id, or one without the other. */
export interface Compared {
  readonly row: StoredSecretFile | undefined
  readonly content: StoredFileInfo | undefined
}

/** The content that no row names, if it is old enough. */
export function orphanOf({ row, content }: Compared, nowMicros: number): StoredFileInfo | undefined {
  if (row !== undefined || content === undefined) return undefined
  return content.writtenAtMicros > nowMicros - orphanAfterMicros ? undefined : content
}

/** Every row and every content by id, each as it was when its page was read. */
export async function* compareFiles({
  secretFiles,
  fileContents,
}: {
  readonly secretFiles: Pick<SecretFileStore, 'page'>
  readonly fileContents: Pick<FileStore, 'page'>
}): Every<Compared> {
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

/** Every row that passes the filter, by id. */
export function everyRow(store: Pick<SecretFileStore, 'page'>, filter: FilesFilter): Every<StoredSecretFile> {
  return every((after) => store.page(filter, after, batchSize))
}

function everyContent(store: Pick<FileStore, 'page'>): Every<StoredFileInfo> {
  return every((after) => store.page(after, batchSize))
}

/** The id of every content under way that has ended. */
export async function* everyEnded(
  store: Pick<SecretFileStore, 'endUnderWay'>,
  nowMicros: number,
): Every<Uuid> {
  const ended = every((after) =>
    store.endUnderWay(nowMicros, after, batchSize).map((ids) => ids.map((id) => ({ id }))),
  )
  for await (const each of ended) yield each.map(({ id }) => id)
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
