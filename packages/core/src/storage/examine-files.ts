import { err, ok, type Result } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { StorageError } from '../shared/errors.ts'
import { useCase, type DepsOf } from '../shared/use-case.ts'
import type { MissingFile } from './storage-driver.ts'
import { compareFiles, everyRow, orphanOf } from '../files/compare-files.ts'

const needs = ['secretFiles.page', 'fileContents.page', 'clock.nowMicros'] as const

/** What is wrong with the stored contents of files. */
export interface FilesExamined {
  /** Files whose content is stored. A file that was spent has a row for a while longer. */
  readonly files: number
  /** Files whose content is missing, and that somebody could still read. */
  readonly missing: readonly MissingFile[]
  /** Contents older than a day that no row names, and their bytes: the next sweep of orphans drops them. */
  readonly orphans: { readonly count: number; readonly bytes: number }
}

/** Compares the rows of files with the stored contents. Reads both lists: for a command. */
export const examineFiles = useCase({
  needs,
  async run(deps) {
    const first = await examine(deps)
    if (first.isErr() || first.value.missing.length === 0) return first
    // A file that was added or dropped while the lists were read is missing only once.
    const before = new Set(first.value.missing.map(({ id }) => id))
    const again = await examine(deps)
    return again.map((found): FilesExamined => ({
      ...found,
      missing: found.missing.filter(({ id }) => before.has(id)),
    }))
  },
})

async function examine(deps: DepsOf<(typeof needs)[number]>): Promise<Result<FilesExamined, StorageError>> {
  const nowMicros = deps.clock.nowMicros()
  // A sweep drops a content before its row.
  const over = new Set<Uuid>()
  for await (const row of everyRow(deps.secretFiles, { overAtMicros: nowMicros })) {
    if (row.isErr()) return err(row.error)
    over.add(row.value.id)
  }
  const missing: MissingFile[] = []
  const found = { files: 0, count: 0, bytes: 0 }
  for await (const each of compareFiles(deps)) {
    if (each.isErr()) return err(each.error)
    const { content, row } = each.value
    if (row !== undefined && content !== undefined) found.files += 1
    if (row !== undefined && content === undefined && !over.has(row.id))
      missing.push({ id: row.id, secretId: row.secretId })
    const orphan = orphanOf(each.value, nowMicros)
    if (orphan === undefined) continue
    found.count += 1
    found.bytes += orphan.length
  }
  const { files, count, bytes } = found
  return ok({ files, missing, orphans: { count, bytes } })
}
