import type { Clock, DamagedRow, Finding, OpenStorage } from '@sotto/core'
import { authenticateStorage, damageText, type AuthenticationError } from '../damage.ts'
import { bad, good, unchecked } from './finding.ts'

const check = 'rows'

/** Authenticates everything that is encrypted: one finding for each damaged row. */
export async function checkRows(options: {
  readonly storage: OpenStorage
  readonly keysFile: string
  readonly clock: Clock
}): Promise<readonly Finding[]> {
  const damaged = await authenticateStorage(options)
  if (damaged.isErr()) return [unchecked(check, reasonOf(damaged.error))]
  return damaged.value.length === 0
    ? [good(check, 'everything that is encrypted is intact')]
    : damaged.value.map(damageFinding)
}

function reasonOf(error: AuthenticationError): string {
  if ('message' in error) return 'the key file cannot be used'
  return error.code === 'keys_unfit' ? 'the keys do not fit the data' : 'the database cannot be read'
}

function damageFinding({ error }: DamagedRow): Finding {
  const what = damageText(error)
  return error.code === 'data_damaged'
    ? bad(check, `${what}: restore a backup that has it, or see: sotto damage --help`)
    : bad(check, `${what}: put back a copy that holds it`)
}
