import type { IncomingMessage } from 'node:http'
import { uploadMaxMicros, type Pieces, type UploadBroken, type Uuid } from '@sotto/core'
import type { FastifyReply } from 'fastify'
import { err, ok } from 'neverthrow'
import { afterMillis, type After } from '../after.ts'
import { refused } from './bodies.ts'
import { announceLongBody } from './drain.ts'
import { limitsOf, type Semaphore, type ServerLimits } from './server-limits.ts'

/** A body as it arrives. */
export interface IncomingBody {
  readonly pieces: Pieces<UploadBroken>
  /** Why the rest of it is not read: its client has left, or sends too slowly. `undefined` while neither is so. */
  cutOff(): 'broken_off' | 'too_slow' | undefined
}

/** The sender of a long body: an account, or somebody who answers a request. */
export type BodySender =
  | { readonly accountId: Uuid }
  | {
      readonly requestId: Uuid
      /** The network address, of IPv6 its /64 prefix. */
      readonly address: string
      /** How many answers the request can still take. It gets no more permits than it needs for them. */
      readonly answersLeft: number
    }

/** What a client has to send in a minute: 35 kbit/s, a tenth of what a slow line sends. */
const sentMinBytes = 256 * 1024

/** How long no rate is asked for, and what has to arrive on average in each minute of the time after that: 512 kbit/s. */
const unhurriedMinutes = 60
const averageMinBytes = 60 * 64 * 1024

/**
 * The body of a request as it arrives. The longest time of a whole request does not hold for it: 256 KiB have to arrive
 * in every minute in which the server waits for its client. It may take an hour, and as long as what has arrived takes at 64 KiB a second; 12 hours
 * at most.
 *
 * A reader may stop at any time. What is left is discarded after the answer, see `drain`.
 * @param sender whose permit for a long body it takes
 * @throws an error with the `statusCode` 503 when too many long bodies arrive already, of all senders or of this one
 */
export function incomingBody(
  reply: FastifyReply,
  sender: BodySender,
  after: After = afterMillis,
): IncomingBody {
  const [semaphore, ids] = permitOf(limitsOf(reply.server.server), sender)
  // `close` never comes again on a destroyed connection, so a permit that is taken now would stay taken.
  if (reply.raw.destroyed) throw refused('broken_off')
  if (!semaphore.tryAcquire(...ids)) throw refused('no_room')
  reply.raw.once('close', () => semaphore.release(...ids))
  const { raw } = reply.request
  const arrival = watchArrival(raw, after)
  announceLongBody({ request: raw, stop: arrival.stop, after })
  const cutOff = (): ReturnType<IncomingBody['cutOff']> => {
    const end = arrival.end()
    return end === 'whole' ? undefined : end
  }
  return { pieces: piecesOf(raw, arrival), cutOff }
}

function permitOf(
  { longBodies, answerUploads }: ServerLimits,
  sender: BodySender,
): readonly [semaphore: Semaphore, ids: readonly string[]] {
  if ('accountId' in sender) return [longBodies, [sender.accountId]]
  const { requestId, address, answersLeft } = sender
  // One more than answers are left: somebody whose connection broke tries again before that is noticed.
  if (answerUploads.held(requestId) > answersLeft) throw refused('no_room')
  return [answerUploads, [requestId, address]]
}

interface Arrival {
  /** How it has ended; `undefined` while more may arrive. */
  end(): 'whole' | 'broken_off' | 'too_slow' | undefined
  /** Waits until something has arrived, or it has ended. */
  more(): Promise<void>
  count(bytes: number): void
  /** Ends it. False when its client was too slow. */
  stop(): boolean
}

function watchArrival(raw: IncomingMessage, after: After): Arrival {
  let end: ReturnType<Arrival['end']>
  let wake: (() => void) | undefined
  let [minuteBytes, allBytes, minutes] = [0, 0, 0]
  const wakeUp = (): void => wake?.()
  const finish = (how: typeof end): void => {
    end ??= how
    cancelMinute()
    cancelLongest()
    raw.off('readable', wakeUp).off('end', finishWhole).off('error', breakOff).off('close', breakOff)
    wakeUp()
  }
  const finishWhole = (): void => finish('whole')
  const breakOff = (): void => finish('broken_off')
  const nextMinute = (): (() => void) => {
    minuteBytes = 0
    return after(60_000, () => {
      minutes += 1
      const isLate = minutes > unhurriedMinutes + allBytes / averageMinBytes
      if (wake !== undefined && (minuteBytes < sentMinBytes || isLate)) finish('too_slow')
      else cancelMinute = nextMinute()
    })
  }
  let cancelMinute = nextMinute()
  const cancelLongest = after(uploadMaxMicros / 1_000, () => finish('too_slow'))
  raw.on('readable', wakeUp).on('end', finishWhole).on('error', breakOff).on('close', breakOff)
  if (raw.destroyed) breakOff()
  return {
    end: () => end,
    more: () =>
      new Promise((resolve) => {
        wake = () => {
          wake = undefined
          resolve()
        }
      }),
    count(bytes) {
      minuteBytes += bytes
      allBytes += bytes
    },
    stop() {
      breakOff()
      return end !== 'too_slow'
    },
  }
}

async function* piecesOf(raw: IncomingMessage, arrival: Arrival): Pieces<UploadBroken> {
  for (;;) {
    const end = arrival.end()
    if (end === 'whole') return
    if (end !== undefined) {
      yield err({ code: 'upload_broken' })
      return
    }
    const piece = raw.read() as Uint8Array | null
    if (piece === null) await arrival.more()
    else {
      arrival.count(piece.length)
      yield ok(piece)
    }
  }
}
