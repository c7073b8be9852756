import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ResultAsync } from 'neverthrow'
import {
  openDatabase,
  openQuota,
  type Database,
  type OnFatal,
  type OpenDatabaseOptions,
  type Quota,
} from '../src/index.ts'

/** A directory of its own for one test, removed at its end. */
export function temporaryDir(t: { teardown: (fn: () => void) => void }): string {
  const dir = mkdtempSync(join(tmpdir(), 'sotto-sqlite-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** The value of an answer that has to be Ok. */
export async function okOf<T, E>(answer: ResultAsync<T, E>): Promise<T> {
  const result = await answer
  if (result.isErr()) assert.fail(`should be Ok, but is Err ${JSON.stringify(result.error)}`)
  return result.value
}

/** The error of an answer that has to be Err. */
export async function errOf<T, E>(answer: ResultAsync<T, E>): Promise<E> {
  const result = await answer
  if (result.isOk()) assert.fail('should be Err, but is Ok')
  return result.error
}

/** A disk that fails must not end the test run without a word. */
const failLoudly: OnFatal = (error) => {
  throw error
}

export function open(dataDir: string, options: Partial<OpenDatabaseOptions> = {}): Promise<Database> {
  return okOf(openDatabase({ dataDir, onFatal: failLoudly, ...options }))
}

export function openQuotaIn(dataDir: string, options: Partial<OpenDatabaseOptions> = {}): Promise<Quota> {
  return okOf(openQuota({ dataDir, onFatal: failLoudly, ...options }))
}

/** Admits a key with this number. */
export async function addKey({ keys }: Database, kid: number): Promise<void> {
  await okOf(keys.add({ kid, checkValue: Buffer.alloc(16, kid), createdAtMicros: 0 }))
}

/** Copies the files as they are now, as a power cut or `kill -9` would leave them. */
export function copyAsCrashed(from: string, to: string, name: string): void {
  for (const ending of ['', '-wal']) cpSync(join(from, name + ending), join(to, name + ending))
}
