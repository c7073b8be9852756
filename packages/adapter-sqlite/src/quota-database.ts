import { existsSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Erasure, Finding, Log, QuotaStore, StorageError, StorageOpenError, Upkeep } from '@sotto/core'
import { err, errAsync, ok, ResultAsync, type Result } from 'neverthrow'
import { well, wrong } from './examine/finding.ts'
import { busy, closed, reasonOfStorageError } from './file/errors.ts'
import { identityOf, moved, openErrorOf, type OpenOptions } from './file/open-file.ts'
import { openQuotaFile, quotaName, type QuotaFile } from './quota-file.ts'

export interface QuotaDatabase {
  readonly quota: QuotaStore
  /** As that of the storage, for this file. A file that was moved or removed is replaced. */
  readonly canWrite: Upkeep['canWrite']
  readonly erasure: Erasure
  /** Checks that the file is sound and can be written. */
  examine(): Promise<Finding>
  /** Commits what is queued, then closes the file. */
  close(): Promise<void>
}

/**
 * Opens `quota.sqlite`, and creates it if it does not exist. Counts survive a crash of the process; a power cut may lose the latest. A
 * damaged file is renamed to `quota.sqlite.damaged` and replaced, with a warning: when it is opened, and also when the damage shows later.
 * The damaged file stays until a sound one is opened at a start.
 */
export function openQuota(options: OpenOptions): ResultAsync<QuotaDatabase, StorageOpenError> {
  const path = pathOf(options)
  const identity = identityOf(path)
  const opened = openQuotaFile(options)
  if (options.create === false) return opened.map((file) => keepUsable(file, options)).orElse(absent)
  return opened
    .andTee(() => rmSync(damagedPathOf(path), { force: true }))
    .orElse((error) => {
      if (error.code !== 'database_damaged') return errAsync(error)
      options.log('warn', 'the quota file is damaged and is replaced', { path, detail: error.detail })
      return replaceFile(options, () => identityOf(path) === identity)
    })
    .map((file) => keepUsable(file, options))
}

/** @param isSame whether the path still leads to the damaged file; another process may have replaced it */
function replaceFile(options: OpenOptions, isSame: () => boolean): ResultAsync<QuotaFile, StorageOpenError> {
  const path = pathOf(options)
  try {
    if (isSame()) setAside(path)
  } catch (error) {
    return errAsync(openErrorOf(error, path))
  }
  return openQuotaFile(options)
}

/** What an examination finds where the file is missing or damaged. Nothing can be counted then. */
function absent(error: StorageOpenError): Result<QuotaDatabase, StorageOpenError> {
  const finding = absenceOf(error)
  if (finding === undefined) return err(error)
  const unusable = () => errAsync(busy)
  return ok({
    quota: { take: unusable, peek: unusable, eraseOver: unusable },
    canWrite: unusable,
    erasure: { pendingForMillis: () => undefined, finish: () => true },
    examine: () => Promise.resolve(finding),
    close: () => Promise.resolve(),
  })
}

function absenceOf(error: StorageOpenError): Finding | undefined {
  if (error.code === 'database_missing')
    return well('quota', 'there are no counters: the next start creates them')
  if (error.code !== 'database_damaged') return undefined
  return wrong(
    'quota',
    `the counters are damaged (${error.detail}): check the disk; the next start begins again`,
  )
}

/** Replaces the file when it turns out to be damaged, moved or removed. What it counted is lost then. */
function keepUsable(first: QuotaFile, options: OpenOptions): QuotaDatabase {
  const { dataDir, log } = options
  let current = first
  let replacing: Promise<void> | undefined
  let isClosed = false

  async function replace(broken: QuotaFile): Promise<void> {
    await broken.close()
    // The counters are not worth a new data directory where the old one was moved away.
    if (!existsSync(resolve(dataDir))) return
    const opened = await replaceFile(options, () => broken.isInPlace())
    if (opened.isOk()) current = opened.value
    else
      log('error', 'the quota file cannot be replaced', { path: pathOf(options), reason: opened.error.code })
    if (isClosed) await current.close()
  }

  function replaceOnce(reason: Readonly<Record<string, string>>, message: string): Promise<void> {
    if (replacing !== undefined) return replacing
    log('warn', message, { path: pathOf(options), ...reason })
    replacing = replace(current).finally(() => (replacing = undefined))
    return replacing
  }

  async function ask<T>(
    question: (file: QuotaFile) => ResultAsync<T, StorageError>,
  ): Promise<Result<T, StorageError>> {
    const asked = current
    const answer = await question(asked)
    if (answer.isOk() || isClosed || options.create === false) return answer
    if (asked === current && isUnusable(answer.error))
      await replaceOnce(
        { detail: reasonOfStorageError(answer.error) },
        'the quota file is damaged and is replaced',
      )
    else await replacing
    return asked === current ? answer : question(current)
  }

  async function canWrite(): Promise<Result<void, StorageError>> {
    if (!isClosed && !current.isInPlace() && options.create !== false)
      await replaceOnce({}, 'the quota file was moved or removed and is created again')
    if (!isClosed && !current.isInPlace()) return err(moved)
    return ask((file) => file.canWrite())
  }

  return {
    quota: loggedQuota((question) => new ResultAsync(ask(({ quota }) => question(quota))), log),
    canWrite: () => new ResultAsync(canWrite()),
    erasure: {
      pendingForMillis: () => current.erasure.pendingForMillis(),
      finish: () => current.erasure.finish(),
    },
    examine: () => current.examine(),
    async close() {
      isClosed = true
      await replacing
      await current.close()
    },
  }
}

/** Whether only another file helps: this one is damaged, or was closed because of that and could not be replaced. */
function isUnusable(error: StorageError): boolean {
  if (error.code === 'storage_failed') return /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.detail)
  return error.reason === closed.reason
}

type AskQuota = <T>(
  question: (quota: QuotaStore) => ResultAsync<T, StorageError>,
) => ResultAsync<T, StorageError>

/** A `storage_failed` is logged for the operator, and answered as `busy`: the caller can only try again. */
function loggedQuota(ask: AskQuota, log: Log): QuotaStore {
  const unavailable = (error: StorageError): StorageError => {
    if (error.code === 'storage_unavailable') return error
    log('error', 'the quota cannot be read or written', { detail: error.detail })
    return busy
  }
  return {
    take: (...asked) => ask((quota) => quota.take(...asked)).mapErr(unavailable),
    peek: (...asked) => ask((quota) => quota.peek(...asked)).mapErr(unavailable),
    eraseOver: (...asked) => ask((quota) => quota.eraseOver(...asked)).mapErr(unavailable),
  }
}

function setAside(path: string): void {
  renameSync(path, damagedPathOf(path))
  for (const ending of ['-wal', '-shm']) rmSync(path + ending, { force: true })
}

function pathOf({ dataDir }: OpenOptions): string {
  return join(resolve(dataDir), quotaName)
}

function damagedPathOf(path: string): string {
  return `${path}.damaged`
}
