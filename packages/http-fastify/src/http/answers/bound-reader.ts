import type { Socket } from 'node:net'
import { finished, type Writable } from 'node:stream'
import { afterMillis, type After } from '../after.ts'

/** What the reader of a download has to take in a minute. */
const takenMinBytes = 64 * 1024

/** What {@link boundReader} needs of an answer. */
export interface BoundedAnswer extends Writable {
  /** The connection, and how many bytes were written to it; `null` once it is gone. */
  readonly socket: Pick<Socket, 'bytesWritten'> | null
}

export interface ReaderBound {
  readonly cutOff: () => void
  /** The time after which it is cut off in any case; never by default. */
  readonly longestMillis?: number
}

/** Cuts a download off whose reader takes less than {@link takenMinBytes} in a minute in which something waits to be taken. */
export function boundReader(
  answer: BoundedAnswer,
  { cutOff, longestMillis }: ReaderBound,
  after: After = afterMillis,
): void {
  const taken = (): number => (answer.socket?.bytesWritten ?? 0) - answer.writableLength
  let cancelMinute = (): void => undefined
  const watch = (before: number): void => {
    cancelMinute = after(60_000, () => {
      const now = taken()
      if (answer.writableLength > 0 && now - before < takenMinBytes) cutOff()
      else watch(now)
    })
  }
  watch(taken())
  const cancelLongest = longestMillis === undefined ? undefined : after(longestMillis, cutOff)
  finished(answer, () => {
    cancelMinute()
    cancelLongest?.()
  })
}
