import { err, ok } from 'neverthrow'
import { aString } from '../shared/inputs.ts'
import { account } from '../shared/shapes.ts'
import { useCase } from '../shared/use-case.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { Folder } from './folder.ts'
import { createFolder, listFolders } from './folders.ts'

/**
 * The account's oldest folder with this label, created when there is none yet. Several simultaneous calls get the same folder, unless the
 * clocks of their processes differ: no store can compare labels, which are encrypted. All folders of the account are read.
 * @errors `fields_invalid`, `account_not_found`
 */
export const ensureFolder = useCase({
  needs: [...createFolder.needs, ...listFolders.needs, 'folders.erase'],
  takes: {
    ...account,
    /** 1 to 255 code points, nothing that people do not see. Labels are compared exactly. */
    label: aString,
  },
  async run(deps, { accountId, label }) {
    const found = await oldest(deps, accountId, label)
    if (found.isErr()) return found
    if (found.value !== undefined) return ok(found.value)
    const created = await createFolder(deps, { accountId, label })
    if (created.isErr()) return created
    const first = await oldest(deps, accountId, label)
    if (first.isErr()) return first
    if (first.value === undefined || first.value.id === created.value.id) return ok(created.value)
    // Another call was faster. The folder of this one goes, unless somebody has found it and put something into it.
    const erased = await deps.folders.erase(accountId, created.value.id, deps.clock.nowMicros())
    return erased.isErr() && erased.error.code !== 'folder_not_empty' ? err(erased.error) : ok(first.value)
  },
})

async function oldest(deps: Parameters<typeof listFolders>[0], accountId: Uuid, label: string) {
  for await (const page of listFolders(deps, { accountId })) {
    if (page.isErr()) return err(page.error)
    const found = page.value.items.find((folder) => folder.label === label)
    if (found !== undefined)
      return ok<Folder>({ id: found.id, label, createdAtMicros: found.createdAtMicros })
  }
  return ok(undefined)
}
