import { examineFiles, takesFiles, type Clock, type FilePolicy, type Finding } from '@sotto/core'
import type { FullOpenStorage } from '@sotto/identity'
import { ok } from 'neverthrow'
import { counted } from '../shared/text.ts'
import { bad, good } from '../shared/finding.ts'

const check = 'files'

/** How many missing files are named. */
const namedMax = 10

/** Checks that the content of every file is there, that none is left of a broken upload, and that there is room for more. */
export async function checkFiles({
  secretFiles,
  fileContents,
  clock,
  policy,
}: Pick<FullOpenStorage, 'secretFiles' | 'fileContents'> & {
  readonly clock: Clock
  /** `undefined` where the settings are not known. */
  readonly policy?: FilePolicy | undefined
}): Promise<readonly Finding[]> {
  const examined = await examineFiles({ secretFiles, fileContents, clock })
  if (examined.isErr()) {
    const { code, detail = code } = examined.error
    return [bad(check, `they cannot be read (${detail})`)]
  }
  const { files, missing, orphans } = examined.value
  const found: Finding[] = []
  if (missing.length > 0) {
    const named = missing
      .slice(0, namedMax)
      .map(({ id, secretId }) => `${id} of the secret or draft ${secretId}`)
      .join(', ')
    const more = missing.length > namedMax ? ', …' : ''
    const what = counted(missing.length, 'file has', 'files have')
    found.push(bad(check, `${what} no content: ${named}${more}. Restore a backup that has it`))
  }
  if (orphans.count > 0) {
    const what = counted(orphans.count, 'content is', 'contents are')
    found.push(bad(check, `${what} of no file (${orphans.bytes} bytes). Run: sotto purge`))
  }
  const free = takesFiles(policy) ? await fileContents.freeBytes() : ok(undefined)
  if (free.isOk() && free.value !== undefined && free.value < (policy?.diskReserveBytes ?? 0))
    found.push(
      bad(
        check,
        `${free.value} bytes are free on their disk, so none is taken: make room, or lower SOTTO_DISK_RESERVE_BYTES`,
      ),
    )
  if (found.length > 0) return found
  return [
    good(
      check,
      files === 0 ? 'there are none' : `${counted(files, 'file has its', 'files have their')} content`,
    ),
  ]
}
