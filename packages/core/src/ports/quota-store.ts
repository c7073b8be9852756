import type { ResultAsync } from 'neverthrow'
import type { StorageError } from '../errors.ts'

/** How many calls a bucket may make in each window. Positive whole numbers. */
export interface QuotaLimits {
  readonly perMinute: number
  readonly perDay: number
}

/** A fixed window: it begins with the first call counted in it. */
export interface QuotaWindow {
  readonly startedAtMicros: number
  /** Calls counted in it. */
  readonly count: number
}

/** Both windows of a bucket. A window that is over, or has not begun, is one with count 0 that starts now. */
export interface QuotaWindows {
  readonly minute: QuotaWindow
  readonly day: QuotaWindow
}

/**
 * Counts calls in fixed windows of 60 s and 86,400 s. Exact across everything that shares the store: processes, restarts,
 * `kill -9`. A power cut may lose the latest counts. No method throws or rejects; a closed store answers `storage_unavailable`.
 */
export interface QuotaStore {
  /**
   * Counts one call in both windows, or in none of them when either is full, in one atomic step.
   * - A window is over 60 s or 86,400 s after its start; the call then begins a new one at `nowMicros`.
   * - A window that begins in the future (the clock was set back) begins at `nowMicros` instead and keeps its count; also when the
   *   call is refused, because otherwise the bucket would stay blocked until the clock has caught up.
   * - `taken` is false, and nothing else is changed, when a running window's count has reached its limit.
   *
   * @param bucket whose calls are counted, at most 128 ASCII characters
   */
  take(
    bucket: string,
    nowMicros: number,
    limits: QuotaLimits,
  ): ResultAsync<QuotaWindows & { readonly taken: boolean }, StorageError>

  /** The windows as {@link take} would find them at `nowMicros`, without counting anything. */
  peek(bucket: string, nowMicros: number): ResultAsync<QuotaWindows, StorageError>

  /** Erases at most `limit` buckets whose windows are both over at `nowMicros`. Ok with how many it erased. */
  eraseOver(nowMicros: number, limit: number): ResultAsync<number, StorageError>
}
