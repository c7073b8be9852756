import type { Clock, CorruptedRow, Finding } from '@sotto/core'
import type { FullOpenStorage } from '@sotto/identity'
import { authenticateStorage, type AuthenticationError } from './corruption.ts'
import { corruptionText } from '../shared/text.ts'
import { bad, good, unchecked } from '../shared/finding.ts'

const check = 'rows'

/** Authenticates everything that is encrypted: one finding for each corrupted row. */
export async function checkRows(options: {
  readonly storage: FullOpenStorage
  readonly keysFile: string
  readonly clock: Clock
}): Promise<readonly Finding[]> {
  const corrupted = await authenticateStorage(options)
  if (corrupted.isErr()) return [unchecked(check, reasonOf(corrupted.error))]
  return corrupted.value.length === 0
    ? [good(check, 'everything that is encrypted is intact')]
    : corrupted.value.map(corruptionFinding)
}

function reasonOf(error: AuthenticationError): string {
  if ('message' in error) return 'the key file cannot be used'
  return error.code === 'keys_unfit' ? 'the keys do not fit the data' : 'the database cannot be read'
}

function corruptionFinding({ error }: CorruptedRow): Finding {
  const what = corruptionText(error)
  return error.code === 'data_damaged'
    ? bad(check, `${what}: restore a backup that has it, or see: sotto damage --help`)
    : bad(check, `${what}: put back a copy that holds it`)
}
