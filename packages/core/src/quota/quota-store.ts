import type { ResultAsync } from 'neverthrow'
import type { StorageError } from '../shared/errors.ts'
import type { QuotaLimits } from '../policy.ts'

/** How long each window is, in microseconds: a minute and a day. */
export const quotaWindowMicros = { minute: 60 * 1_000_000, day: 86_400 * 1_000_000 } as const

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
   * - A window that begins in the future, because the clock was set back or another process has one that is ahead, keeps its count. In the
   *   answer it begins at `nowMicros`. In the store it begins when it did, so that it is not over for the clock that began it. But one that
   *   is further ahead than it is long begins at `nowMicros` in the store, too; also when the call is refused, because otherwise the bucket
   *   would stay blocked until the clock has caught up.
   * - `taken` is false, and nothing else is changed, when a running window's count has reached its limit.
   * - Buckets whose names begin with `address/` are bounded by `addressesMax`; all others, those of accounts, are not. A new one beyond it
   *   takes the place of some whose minutes ended first, or are further ahead than a minute; their counts of the day are lost. While the
   *   minutes of all of them run, the
   *   call is not taken and nothing is stored. The answer is then a full minute that starts at `nowMicros`, and an empty day. So a flood of
   *   addresses costs other unknown callers their answer, but never a caller with a valid token.
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
