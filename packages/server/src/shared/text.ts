/** Numbers and times in English, for everything that an operator reads. */

import type { DecryptError, KeyStatus } from '@sotto/core'
import { isoMicros } from '@sotto/wire'

/** `1 secret`, `2 secrets`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`
}

/** The backups that need a key which no row is under any more. */
export function backupsUnder({ replacedAtMicros }: Pick<KeyStatus, 'replacedAtMicros'>): string {
  if (replacedAtMicros === undefined) return 'backups made under it'
  return `backups made before ${isoMicros(replacedAtMicros)} or during the rotation that followed`
}

/** A duration in its largest unit: `45 seconds`, `3 hours`, `12 days`. */
export function timeText(seconds: number): string {
  for (const [unit, size] of [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ] as const)
    if (seconds >= 2 * size) return counted(Math.floor(seconds / size), unit)
  return counted(Math.max(0, Math.floor(seconds)), 'second')
}

/** What is wrong with a row, as a clause. */
export function corruptionText(error: DecryptError): string {
  return error.code === 'data_damaged'
    ? `${error.what} of ${error.id} does not decrypt`
    : `a row needs key ${error.kid}, which the key file lacks`
}
