import type { Pieces } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'

/** A place in bytes that arrive. */
export interface Cursor<E> {
  /** What has arrived and was not taken. */
  readonly held: Buffer
  /** The next bytes, which are held. */
  take(bytes: number): Buffer
  /** Waits for more. Ok(false) at the end. */
  more(): Promise<Result<boolean, E>>
  /** Waits until this many bytes are held. */
  hold(bytes: number): Promise<Result<void, E>>
  /** What is wrong with bytes that are not what is expected. */
  readonly malformed: E
}

/** @param start what is held from the start, before everything that arrives */
export function createCursor<E>(body: Pieces<E>, start: Buffer, malformed: E): Cursor<E> {
  const pieces = body[Symbol.asyncIterator]()
  let held = start
  const more = async (): Promise<Result<boolean, E>> => {
    const next = await pieces.next()
    if (next.done === true) return ok(false)
    if (next.value.isErr()) return err(next.value.error)
    const { buffer, byteOffset, byteLength } = next.value.value
    const piece = Buffer.from(buffer, byteOffset, byteLength)
    held = held.length === 0 ? piece : Buffer.concat([held, piece])
    return ok(true)
  }
  return {
    get held() {
      return held
    },
    take(bytes) {
      const taken = held.subarray(0, bytes)
      held = held.subarray(bytes)
      return taken
    },
    more,
    async hold(bytes) {
      while (held.length < bytes) {
        const got = await more()
        if (got.isErr()) return err(got.error)
        if (!got.value) return err(malformed)
      }
      return ok()
    },
    malformed,
  }
}
