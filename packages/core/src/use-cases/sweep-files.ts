import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { StorageError } from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'
import { compareFiles, everyRow, orphanOf } from './compare-files.ts'
import { dropFile, type DropFileDeps } from './drop-file.ts'

export type SweepFilesDeps = DropFileDeps & PortMethods<{ fileContents: 'page'; clock: 'nowMicros' }>
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
  // Where one content cannot be dropped, the others are dropped all the same.
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
