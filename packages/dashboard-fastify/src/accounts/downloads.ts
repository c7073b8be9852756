import { Readable } from 'node:stream'
import type { Uuid } from '@sotto/core'
import { type After, boundReader, type BoundedAnswer } from '@sotto/http-fastify/plugin'

/** Downloads under way at the same time in this process. */
const downloadsMax = 4

/** How long a download may take. */
const longestMillis = 10 * 60_000

/** Bounds the downloads under way: one for each account, and {@link downloadsMax} in all. */
export interface DownloadSlots {
  /** Takes a slot. It must be released, once or more often, when the download is over. */
  take(accountId: Uuid): DownloadSlot | 'account_busy' | 'all_busy'
}

export interface DownloadSlot {
  release(): void
}

export function createDownloadSlots(): DownloadSlots {
  const taken = new Map<Uuid, DownloadSlot>()
  return {
    take(accountId) {
      if (taken.has(accountId)) return 'account_busy'
      if (taken.size >= downloadsMax) return 'all_busy'
      const slot: DownloadSlot = {
        release() {
          if (taken.get(accountId) === slot) taken.delete(accountId)
        },
      }
      taken.set(accountId, slot)
      return slot
    },
  }
}

/** Pieces short enough that the bytes which a reader has taken are known nearly to the minute. */
const pieceBytes = 16 * 1024

/** The bytes of texts in pieces. The next text is made only when the reader has taken the one before. */
export function downloadStream(texts: AsyncIterable<string>): Readable {
  return Readable.from(piecesOf(texts))
}

async function* piecesOf(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, void> {
  for await (const text of texts) {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
}

/** Cuts a download off whose reader is too slow, and any one after {@link longestMillis}: until then it holds the place of its account. */
export function boundDownload(answer: BoundedAnswer, cutOff: () => void, after?: After): void {
  boundReader(answer, { cutOff, longestMillis }, after)
}
