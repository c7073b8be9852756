/** How old the recorded last use may become before another one is recorded: a minute, in microseconds. */
export const lastUseEveryMicros = 60 * 1_000_000

/**
 * Whether a use at `nowMicros` is to be recorded. Also true when the recorded time lies far in the future, because the clock was set back.
 */
export function isUseToBeRecorded(lastUsedAtMicros: number | undefined, nowMicros: number): boolean {
  return lastUsedAtMicros === undefined || Math.abs(nowMicros - lastUsedAtMicros) >= lastUseEveryMicros
}
