import type { Database, Inspection } from '@sotto/adapter-sqlite'
import type { StorageError } from '@sotto/core'
import type { Result } from 'neverthrow'
import { sizeText } from '../cli/counting.ts'
import { unchecked, well, wrong, type Finding } from './finding.ts'

type Inspected = Result<Inspection, StorageError>

const faultsShown = 5

/** Whether the database is sound, and can be written. */
export async function checkDatabase(
  { upkeep }: Pick<Database, 'upkeep'>,
  inspected: Inspected,
): Promise<readonly Finding[]> {
  if (inspected.isErr())
    return [wrong('database', `it cannot be read (${reasonOf(inspected.error)}): restore a backup`)]
  const { faults, isBackup, version, fileBytes } = inspected.value
  const findings = faults
    .slice(0, faultsShown)
    .map((fault) => wrong('database', `it is damaged (${fault}): restore a backup`))
  const backup = 'it is a backup that was put in its place: move it away, and run: sotto restore'
  if (isBackup) findings.push(wrong('database', backup))
  const written = await upkeep.canWrite()
  if (written.isErr()) findings.push(wrong('database', `it cannot be written (${reasonOf(written.error)})`))
  if (findings.length > 0) return findings
  return [well('database', `it is sound, of version ${version}, and has ${sizeText(fileBytes)}`)]
}

/** What durability and erasure rely on, by the numbers that SQLite gives. */
const neededPragmas = {
  journal_mode: 'wal',
  synchronous: 2,
  busy_timeout: 0,
  foreign_keys: 1,
  secure_delete: 1,
  trusted_schema: 0,
  cell_size_check: 1,
  page_size: 4_096,
} as const

export function checkPragmas(inspected: Inspected): Finding {
  if (inspected.isErr()) return unchecked('pragmas', 'the database cannot be read')
  const { pragmas } = inspected.value
  const inForce = Object.keys(neededPragmas).map((name) => `${name}=${pragmas[name] ?? 'unknown'}`)
  const isNeeded = Object.entries(neededPragmas).every(([name, value]) => pragmas[name] === value)
  return isNeeded
    ? well('pragmas', inForce.join(' '))
    : wrong('pragmas', `not all are in force that are needed (${inForce.join(' ')}): use a local disk`)
}

/** How often the write-ahead log is tried to be emptied, and how long to wait between, in milliseconds. */
const tries = 30
const pauseMillis = 100

/** Whether what was erased has left the write-ahead log. A server sees to it within seconds, so what is in its way shows here as well. */
export async function checkErasure({ erasure }: Pick<Database, 'erasure'>): Promise<Finding> {
  for (let tried = 0; tried < tries; tried += 1) {
    if (erasure.finish()) return well('erasure', 'nothing that was erased is left in the write-ahead log')
    await new Promise((resolve) => setTimeout(resolve, pauseMillis))
  }
  return wrong(
    'erasure',
    'what was erased may be left in the write-ahead log, because a process holds on to it: end that, or restart the server',
  )
}

function reasonOf(error: StorageError): string {
  return error.code === 'storage_failed' ? error.detail : error.reason
}
