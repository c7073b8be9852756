import { statSync } from 'node:fs'
import type { Erasure, Finding, StorageError, Upkeep } from '@sotto/core'
import { sizeText } from '@sotto/system'
import type { Result } from 'neverthrow'
import { readPragmas } from '../connection/connection.ts'
import type { Connections } from '../connection/connections.ts'
import { reasonOfStorageError } from '../connection/errors.ts'
import type { Timers } from '../connection/timers.ts'
import { corruptionIn } from './corruption.ts'
import { bad, good, unchecked } from '../connection/finding.ts'

interface ExamineDatabaseOptions {
  readonly connections: Connections
  readonly canWrite: Upkeep['canWrite']
  readonly erasure: Erasure
  readonly timers: Timers
}

/** Checks that the database is sound and can be written, that its pragmas are right, and that erased data is gone. */
export async function examineDatabase({
  connections,
  canWrite,
  erasure,
  timers,
}: ExamineDatabaseOptions): Promise<readonly Finding[]> {
  const inspected = await inspect(connections)
  return [
    ...checkDatabase(inspected, await canWrite()),
    checkPragmas(inspected),
    await checkErasure(connections, erasure, timers),
  ]
}

interface Inspection {
  /** The corruption that {@link corruptionIn} reports. */
  readonly corruption: readonly string[]
  /** The pragmas of the connection that writes. */
  readonly pragmas: Readonly<Record<string, string | number>>
  readonly version: number
  readonly fileBytes: number
}

type Inspected = Result<Inspection, StorageError>

function inspect({ db, read }: Connections): PromiseLike<Inspected> {
  return read(() => ({
    corruption: corruptionIn(db),
    pragmas: readPragmas(db, Object.keys(neededPragmas)),
    version: db.pragma('user_version', { simple: true }) as number,
    fileBytes: statSync(db.name, { throwIfNoEntry: false })?.size ?? 0,
  }))
}

/** The findings that are shown of a corrupted file: there may be hundreds. */
const corruptionShown = 5

function checkDatabase(inspected: Inspected, written: Result<void, StorageError>): readonly Finding[] {
  if (inspected.isErr())
    return [bad('database', `it cannot be read (${reasonOfStorageError(inspected.error)}): restore a backup`)]
  const { corruption, version, fileBytes } = inspected.value
  const findings = corruption
    .slice(0, corruptionShown)
    .map((line) => bad('database', `it is corrupted (${line}): restore a backup`))
  if (written.isErr())
    findings.push(bad('database', `it cannot be written (${reasonOfStorageError(written.error)})`))
  if (findings.length > 0) return findings
  return [good('database', `it is sound, of version ${version}, and has ${sizeText(fileBytes)}`)]
}

/** The pragmas that durability and erasure rely on, by the numbers that SQLite gives. */
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

function checkPragmas(inspected: Inspected): Finding {
  if (inspected.isErr()) return unchecked('pragmas', 'the database cannot be read')
  const { pragmas } = inspected.value
  const actual = Object.keys(neededPragmas).map((name) => `${name}=${pragmas[name] ?? 'unknown'}`)
  const isNeeded = Object.entries(neededPragmas).every(([name, value]) => pragmas[name] === value)
  return isNeeded
    ? good('pragmas', actual.join(' '))
    : bad('pragmas', `not all are in force that are needed (${actual.join(' ')}): use a local disk`)
}

/** How often emptying the write-ahead log is tried, and how long to wait in between, in milliseconds. */
const tries = 30
const pauseMillis = 100

/** Checks that erased data has left the write-ahead log. That happens within seconds by itself, so an obstacle shows here as well. */
async function checkErasure({ db }: Connections, erasure: Erasure, timers: Timers): Promise<Finding> {
  if (!db.open) return unchecked('erasure', 'the database is closed')
  for (let tried = 0; tried < tries; tried += 1) {
    if (erasure.finish()) return good('erasure', 'nothing that was erased is left in the write-ahead log')
    await new Promise<void>((resolve) => timers.after(pauseMillis, resolve, { background: false }))
  }
  return bad(
    'erasure',
    'what was erased may be left in the write-ahead log, because a process holds on to it: end that, or restart the server',
  )
}
