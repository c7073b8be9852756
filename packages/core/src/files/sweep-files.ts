import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Uuid } from '../shared/uuid.ts'
import type { StorageError } from '../shared/errors.ts'
import type { SecretFileStore } from './secret-file-store.ts'
import type { FileStore } from './file-store.ts'
import type { Clock } from '../shared/clock.ts'
import { compareFiles, everyEnded, everyRow, orphanOf } from './compare-files.ts'
import { dropFile, type DropFileDeps } from './drop-file.ts'

export type SweepFilesDeps = DropFileDeps & {
  readonly secretFiles: Pick<SecretFileStore, 'page' | 'endUnderWay'>
  readonly fileContents: Pick<FileStore, 'page'>
  readonly clock: Clock
}
export interface SweepFilesInput {
  /**
   * Only the files of this secret or draft, once it is erased; with `nilUuid` those that were removed from drafts. Depends on no clock, and reads
   * those rows alone. Everything without it.
   */
  readonly ofErased?: Uuid | undefined
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
  /** Contents that belonged to no file: what broken uploads left. */
  readonly orphans: number
}

/**
 * Drops the contents of files that nobody can read any more: they were removed, or their secrets were spent, expired or erased, and their tickets
 * are over. Also those that a process was receiving when it was killed. Then it takes what they counted off the accounts' sums.
 */
export function sweepFiles(
  deps: SweepFilesDeps,
  input: SweepFilesInput = {},
): ResultAsync<SweptFiles, SweepFilesError> {
  return new ResultAsync(sweep(deps, input))
}

async function sweep(
  deps: SweepFilesDeps,
  { ofErased, withOrphans = false, shouldStop = () => false }: SweepFilesInput,
): Promise<Result<SweptFiles, SweepFilesError>> {
  const nowMicros = deps.clock.nowMicros()
  const isWhole = ofErased === undefined
  const swept = { files: 0, orphans: 0 }
  // Where one content cannot be dropped, the others are dropped all the same.
  let failed: StorageError | undefined
  // No ticket is over at the beginning of time: what was erased has none.
  const over = isWhole ? { overAtMicros: nowMicros } : { overAtMicros: 0, secretId: ofErased }
  for await (const row of everyRow(deps.secretFiles, over)) {
    if (row.isErr()) return err(row.error)
    if (shouldStop()) break
    const dropped = await dropFile(deps, row.value.id)
    if (dropped.isErr()) failed ??= dropped.error
    else if (dropped.value) swept.files += 1
  }
  for await (const id of isWhole ? everyEnded(deps.secretFiles, nowMicros) : []) {
    if (id.isErr()) return err(id.error)
    if (shouldStop()) break
    const dropped = await dropFile(deps, id.value)
    if (dropped.isErr()) failed ??= dropped.error
    else if (dropped.value) swept.orphans += 1
  }
  for await (const each of isWhole && withOrphans ? compareFiles(deps) : []) {
    if (each.isErr()) return err(each.error)
    if (shouldStop()) break
    const orphan = orphanOf(each.value, nowMicros)
    if (orphan === undefined) continue
    const dropped = await dropFile(deps, orphan.id)
    if (dropped.isErr()) failed ??= dropped.error
    else swept.orphans += 1
  }
  return failed === undefined ? ok(swept) : err(failed)
}
