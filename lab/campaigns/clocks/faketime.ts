import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The library with which Debian's `faketime` gives a process another wall clock; `undefined` where it is not installed. */
export function findFaketime(): string | undefined {
  return globSync('/usr/lib/**/faketime/libfaketimeMT.so.1')[0]
}

/** A wall clock that is set while its process runs. The steady clock stays that of the machine, as when an operator sets the time. */
export interface ShiftedClock {
  /** The environment of the process. */
  readonly env: Readonly<Record<string, string>>
  /** Moves the clock this far ahead, or behind when negative. It takes effect within a second. */
  set(seconds: number): void
}

/** @param name of a file in the directory, which says what the clock shows */
export function createShiftedClock(library: string, directory: string, name: string): ShiftedClock {
  const file = join(directory, name)
  const set = (seconds: number): void => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}s`)
  set(0)
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
    },
    set,
  }
}
