import { err, ok } from 'neverthrow'
import type { StorageError } from '../shared/errors.ts'
import { aBoolean, aFunction, aString } from '../shared/inputs.ts'
import { useCase } from '../shared/use-case.ts'
import { compareFiles, everyEnded, everyRow, orphanOf } from './compare-files.ts'
import { dropFile, dropFileNeeds } from './drop-file.ts'

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
export const sweepFiles = useCase({
  needs: [
    ...dropFileNeeds,
    'secretFiles.page',
    'secretFiles.endUnderWay',
    'fileContents.page',
    'clock.nowMicros',
  ],
  mayTake: {
    /**
     * Only the files of this secret or draft, once it is erased; with `nilUuid` those that were removed from drafts. Depends on no clock, and reads
     * those rows alone. Everything without it.
     */
    ofErased: aString,
    /** Whether to look for contents that no row names, too: reads the list of all contents. False by default. */
    withOrphans: aBoolean,
    /** Asked before each file: true ends the sweep, with Ok and what it has dropped by then. */
    shouldStop: aFunction<() => boolean>,
  },
  async run(deps, { ofErased, withOrphans = false, shouldStop = () => false }) {
    const nowMicros = deps.clock.nowMicros()
    const isWhole = ofErased === undefined
    const swept = { files: 0, orphans: 0 }
    // Where one content cannot be dropped, the others are dropped all the same.
    let failed: StorageError | undefined
    // No ticket is over at the beginning of time: what was erased has none.
    const over = isWhole ? { overAtMicros: nowMicros } : { overAtMicros: 0, secretId: ofErased }
    for await (const row of everyRow(deps.secretFiles, over)) {
      if (row.isErr()) return row
      if (shouldStop()) break
      const dropped = await dropFile(deps, row.value.id)
      if (dropped.isErr()) failed ??= dropped.error
      else if (dropped.value) swept.files += 1
    }
    for await (const id of isWhole ? everyEnded(deps.secretFiles, nowMicros) : []) {
      if (id.isErr()) return id
      if (shouldStop()) break
      const dropped = await dropFile(deps, id.value)
      if (dropped.isErr()) failed ??= dropped.error
      else if (dropped.value) swept.orphans += 1
    }
    for await (const each of isWhole && withOrphans ? compareFiles(deps) : []) {
      if (each.isErr()) return each
      if (shouldStop()) break
      const orphan = orphanOf(each.value, nowMicros)
      if (orphan === undefined) continue
      const dropped = await dropFile(deps, orphan.id)
      if (dropped.isErr()) failed ??= dropped.error
      else swept.orphans += 1
    }
    return failed === undefined ? ok<SweptFiles>(swept) : err(failed)
  },
})
