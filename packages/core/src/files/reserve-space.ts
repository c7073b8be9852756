import { err, ok, type Result } from 'neverthrow'
import type { DiskFull, FilesFull } from './errors.ts'
import type { StorageError } from '../shared/errors.ts'
import type { FilePolicy } from '../policy.ts'
import type { DepsOf } from '../shared/use-case.ts'
import type { ContentUnderWay } from './secret-file-store.ts'
import { countedBytes } from './file-rules.ts'

/** What {@link reserveSpace} needs. */
export const reserveSpaceNeeds = [
  'secretFiles.reserve',
  'fileContents.freeBytes',
  'fileCipher.storedLength',
  'clock.nowMicros',
] as const

type ReserveError = FilesFull | DiskFull | StorageError

/** Space for one content while it arrives. */
export interface Reservation {
  /** Reserves space for this many plain bytes. It is called before the last of them is written, and with 0 before the first. */
  fit(size: number): Promise<Result<void, ReserveError>>
  /** Ends the reservation of a content that is written and has this many plain bytes: what is reserved beyond them is free. */
  end(size: number): Promise<Result<void, ReserveError>>
}

/** How long a content counts after it was last renewed. Its sender may be silent for two minutes, and a password may wait to be hashed. */
export const underWayMicros = 5 * 60 * 1_000_000

/** How long after the last renewal a content that still arrives is renewed. */
const renewMicros = 60 * 1_000_000

/** How much is reserved besides what has arrived: as much again, between these. Each time costs a write to the disk. */
const step = { least: 64 * 1024, most: 8 * 1024 * 1024 }

/** Makes the reservation of a content. Nothing is reserved yet. */
export function reserveSpace(
  { secretFiles, fileContents, fileCipher, clock }: DepsOf<(typeof reserveSpaceNeeds)[number]>,
  { maxBytes, accountMaxBytes, diskReserveBytes = 0 }: FilePolicy,
  content: Pick<ContentUnderWay, 'id' | 'accountId' | 'secretId'>,
): Reservation {
  const countOf = (size: number): number => countedBytes(fileCipher.storedLength(size))
  const most = countOf(maxBytes)
  let [reserved, ahead, renewedAtMicros] = [0, 0, 0]

  const change = async (
    bytes: number,
    aheadBytes: number,
    aheadMax?: number,
  ): Promise<Result<void, ReserveError>> => {
    const nowMicros = clock.nowMicros()
    const done = await secretFiles.reserve(
      { ...content, bytes, aheadBytes, untilMicros: nowMicros + underWayMicros, isNew: reserved === 0 },
      { bytesMax: accountMaxBytes, aheadMax },
    )
    if (done.isOk()) [reserved, ahead, renewedAtMicros] = [bytes, aheadBytes, nowMicros]
    return done
  }

  const grow = async (needed: number): Promise<Result<void, ReserveError>> => {
    const free = await fileContents.freeBytes()
    if (free.isErr()) return err(free.error)
    const aheadMax = free.value === undefined ? undefined : free.value - diskReserveBytes
    const wanted = Math.min(
      needed + Math.min(Math.max(needed, step.least), step.most),
      Math.max(needed, most),
    )
    const done = await change(wanted, wanted - reserved, aheadMax)
    // There may be enough where there is less than that.
    return done.isErr() && wanted > needed ? change(needed, needed - reserved, aheadMax) : done
  }

  return {
    async fit(size) {
      const needed = countOf(size)
      if (needed > reserved) return grow(needed)
      return clock.nowMicros() - renewedAtMicros < renewMicros ? ok() : change(reserved, ahead)
    },
    async end(size) {
      const needed = countOf(size)
      return needed < reserved ? change(needed, 0) : ok()
    },
  }
}
