import { closeSync, existsSync, openSync, readSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Erasure, Finding, Log, QuotaStore, StorageError, StorageOpenError, Upkeep } from '@sotto/core'
import { systemErrorCode } from '@sotto/system'
import { err, errAsync, ok, ResultAsync, type Result } from 'neverthrow'
import { bad, good } from '../connection/finding.ts'
import { busy, closed, moved, movedMeanwhile, reasonOfStorageError } from '../connection/errors.ts'
import { openErrorOf, type OpenOptions } from '../connection/open-file.ts'
import { identityOf } from '../connection/place.ts'
import { systemTimers } from '../connection/timers.ts'
import { openQuotaFile, quotaName, type QuotaFile } from './quota-file.ts'

export interface QuotaDatabase {
  readonly quota: QuotaStore
  /** Whether this file can be written, as the storage says it of its own. A file that was moved or removed is replaced. */
  readonly canWrite: Upkeep['canWrite']
  readonly erasure: Erasure
  /** Checks that the file is sound and can be written. */
  examine(): Promise<Finding>
  /** Commits what is queued, then closes the file. */
  close(): Promise<void>
}

/**
 * Opens `quota.sqlite`, and creates it if it does not exist. Counts survive a crash of the process; a power cut may lose the latest. A
 * corrupted file is renamed to `quota.sqlite.damaged` and replaced, with a warning: when it is opened, and also when the corruption shows later.
 * The corrupted file stays until a sound one is opened at a start. A file that the disk refuses to read is not replaced, because SQLite may
 * call it corrupted though it is sound. Nothing is counted until it can be read again. That is tried once a second.
 */
export function openQuota(options: OpenOptions): ResultAsync<QuotaDatabase, StorageOpenError> {
  if (options.create === false)
    return openQuotaFile(options)
      .map((file) => keepUsable(file, options))
      .orElse(absent)
  const cleanUp = (): void => rmSync(corruptedPathOf(pathOf(options)), { force: true })
  return openOrReplace(options, cleanUp).map((file) => keepUsable(file, options))
}

/** @param onSound called when the file that is there can be used */
function openOrReplace(
  options: OpenOptions,
  onSound: () => void = () => undefined,
): ResultAsync<QuotaFile, StorageOpenError> {
  const path = pathOf(options)
  const identity = identityOf(path)
  return openQuotaFile(options)
    .andTee(onSound)
    .orElse((error) => replaceIfCorrupted(options, error, () => identityOf(path) === identity))
}

function replaceIfCorrupted(
  options: OpenOptions,
  error: StorageOpenError,
  isSame: () => boolean,
): ResultAsync<QuotaFile, StorageOpenError> {
  if (error.code !== 'database_damaged') return errAsync(error)
  return replaceFile(options, { isSame, detail: error.detail })
}

interface Corruption {
  /** Whether the path still leads to the corrupted file; another process may have replaced it. */
  readonly isSame: () => boolean
  readonly detail: string
}

function replaceFile(
  options: OpenOptions,
  { isSame, detail }: Corruption,
): ResultAsync<QuotaFile, StorageOpenError> {
  const path = pathOf(options)
  try {
    if (isSame()) readWhole(path)
    // Meanwhile another process may have replaced it.
    if (isSame()) {
      setAside(path)
      options.log('warn', 'the quota file is corrupted and is replaced', { path, detail })
    }
  } catch (error) {
    // What is missing was taken away by another process.
    if (systemErrorCode(error) !== 'ENOENT') return errAsync(openErrorOf(error, path))
  }
  return openQuotaFile(options)
}

/** What an examination finds where the file is missing or corrupted. Nothing can be counted then. */
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
    return good('quota', 'there are no counters: the next start creates them')
  if (error.code !== 'database_damaged') return undefined
  return bad(
    'quota',
    `the counters are corrupted (${error.detail}): check the disk; the next start begins again`,
  )
}

/** How long nobody tries again after a file could not be replaced: every call would, and would log why it failed. */
const retryMillis = 1_000

/** Replaces the file when it turns out to be corrupted, moved or removed. What it counted is lost then. */
function keepUsable(first: QuotaFile, options: OpenOptions): QuotaDatabase {
  const { dataDir, log, timers = systemTimers } = options
  let current = first
  let replacing: Promise<void> | undefined
  let waitsUntilMillis = -Infinity
  let isClosed = false

  async function replace(openOther: OpenOther): Promise<void> {
    const broken = current
    await broken.close()
    // The counters are not worth a new data directory where the old one was moved away.
    if (!existsSync(resolve(dataDir))) return
    const opened = await openOther(() => broken.isSameFile())
    if (opened.isErr()) {
      waitsUntilMillis = timers.nowMillis() + retryMillis
      log('error', 'the quota file cannot be replaced', { path: pathOf(options), ...whyOf(opened.error) })
    } else current = opened.value
    if (isClosed) await current.close()
  }

  function replaceOnce(openOther: OpenOther): Promise<void> {
    return (replacing ??= replace(openOther).finally(() => (replacing = undefined)))
  }

  function isWaiting(): boolean {
    return timers.nowMillis() < waitsUntilMillis
  }

  async function ask<T>(
    question: (file: QuotaFile) => ResultAsync<T, StorageError>,
  ): Promise<Result<T, StorageError>> {
    const asked = current
    const answer = await question(asked)
    if (answer.isOk() || isClosed || options.create === false) return answer
    const openOther = asked === current && !isWaiting() ? remedyOf(answer.error, options) : undefined
    await (openOther === undefined ? replacing : replaceOnce(openOther))
    return asked === current ? answer : question(current)
  }

  return {
    quota: loggedQuota((question) => ask(({ quota }) => question(quota)), log),
    canWrite: () => new ResultAsync(ask((file) => file.canWrite())),
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

/** Opens a file in place of one that is closed. `isSame` tells whether the path still leads to that one. */
type OpenOther = (isSame: () => boolean) => ResultAsync<QuotaFile, StorageOpenError>

/** What helps against an error; `undefined` when another file does not. */
function remedyOf(error: StorageError, options: OpenOptions): OpenOther | undefined {
  if (error.code === 'storage_failed') {
    if (!/^SQLITE_(?:CORRUPT|NOTADB)/.test(error.detail)) return undefined
    return (isSame) => replaceFile(options, { isSame, detail: reasonOfStorageError(error) })
  }
  // What was counted in the file that was moved is lost, so it is counted again.
  if (error.reason === moved.reason || error.reason === movedMeanwhile.reason)
    return () =>
      openOrReplace(options, () =>
        options.log('warn', 'the quota file was moved or removed and is opened anew', {
          path: pathOf(options),
        }),
      )
  // The last file was closed and could not be replaced. It may be sound.
  return error.reason === closed.reason ? () => openOrReplace(options) : undefined
}

function whyOf(error: StorageOpenError): Readonly<Record<string, string>> {
  return { reason: error.code, ...('detail' in error && { detail: error.detail }) }
}

type AskQuota = <T>(
  question: (quota: QuotaStore) => ResultAsync<T, StorageError>,
) => Promise<Result<T, StorageError>>

/** A `storage_failed` is logged for the operator, and answered as `busy`: the caller can only try again. */
function loggedQuota(ask: AskQuota, log: Log): QuotaStore {
  // Every request waits for this: `mapErr` would take three microseconds for each.
  const answer: AskQuota = async (question) => {
    const given = await ask(question)
    if (given.isOk() || given.error.code === 'storage_unavailable') return given
    log('error', 'the quota cannot be read or written', { detail: given.error.detail })
    return err(busy)
  }
  return {
    take: (...asked) => new ResultAsync(answer((quota) => quota.take(...asked))),
    peek: (...asked) => new ResultAsync(answer((quota) => quota.peek(...asked))),
    eraseOver: (...asked) => new ResultAsync(answer((quota) => quota.eraseOver(...asked))),
  }
}

/** Throws if the disk refuses to read the file. No connection to it may be open: closing a file gives up this process's locks on it. */
function readWhole(path: string): void {
  const piece = Buffer.alloc(65_536)
  for (const file of [path, `${path}-wal`].filter((name) => existsSync(name))) {
    const descriptor = openSync(file, 'r')
    try {
      while (readSync(descriptor, piece) > 0);
    } finally {
      closeSync(descriptor)
    }
  }
}

/** Renames the corrupted file. The log goes first: after the renaming it may be that of another process's new file. */
function setAside(path: string): void {
  for (const ending of ['-wal', '-shm']) rmSync(path + ending, { force: true })
  renameSync(path, corruptedPathOf(path))
}

function pathOf({ dataDir }: OpenOptions): string {
  return join(resolve(dataDir), quotaName)
}

function corruptedPathOf(path: string): string {
  return `${path}.damaged`
}
