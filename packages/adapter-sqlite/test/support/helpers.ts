import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenStorageOptions, StorageOpenError } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import type { ResultAsync } from 'neverthrow'
import { openDatabase, type Database } from '../../src/database.ts'
import type { OpenOptions } from '../../src/connection/open-file.ts'
import { openQuota, type QuotaDatabase } from '../../src/quota/quota-database.ts'

/** A new directory for one test, removed at its end. */
export function temporaryDir(t: { teardown: (fn: () => void) => void }): string {
  const dir = mkdtempSync(join(tmpdir(), 'sotto-sqlite-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** Options for tests that do not watch the log. A disk that fails ends the test run with its error. */
export const quiet: OpenStorageOptions = {
  onFatal(error) {
    throw error
  },
  log: () => undefined,
}

/** Opens the main file of a directory; with the result, for tests of errors. */
export function tryOpen(
  dataDir: string,
  options: Partial<OpenOptions> = {},
): ResultAsync<Database, StorageOpenError> {
  return openDatabase({ ...quiet, dataDir, ...options })
}

export async function open(dataDir: string, options: Partial<OpenOptions> = {}): Promise<Database> {
  return expectOk(await tryOpen(dataDir, options))
}

/** Opens the quota's file of a directory; with the result, for tests of errors. */
export function tryOpenQuota(
  dataDir: string,
  options: Partial<OpenOptions> = {},
): ResultAsync<QuotaDatabase, StorageOpenError> {
  return openQuota({ ...quiet, dataDir, ...options })
}

export async function openQuotaIn(
  dataDir: string,
  options: Partial<OpenOptions> = {},
): Promise<QuotaDatabase> {
  return expectOk(await tryOpenQuota(dataDir, options))
}

/** Adds a key with this number, so that rows may be written under it. */
export async function addKey({ keys }: Pick<Database, 'keys'>, kid: number): Promise<void> {
  expectOk(await keys.add({ kid, checkValue: Buffer.alloc(16, kid), createdAtMicros: 0, isReadOnly: false }))
}

/** What the checks of a database found wrong; empty when all is well. */
export async function wrongIn({ upkeep }: Pick<Database, 'upkeep'>): Promise<readonly string[]> {
  const findings = await upkeep.examine()
  return findings.filter(({ ok }) => ok === false).map(({ check, text }) => `${check}: ${text}`)
}

/** For sweeps in which no secret has an owner who wants to hear of it. */
export function reportNothing(): never {
  throw new Error('no secret was to be reported')
}

/** Copies the files as they are now, as a power cut or `kill -9` would leave them. */
export function copyAsCrashed(from: string, to: string, name: string): void {
  for (const ending of ['', '-wal']) cpSync(join(from, name + ending), join(to, name + ending))
}
