import { Readable } from 'node:stream'
import type { Uuid } from '@sotto/core'

/** Downloads under way at the same time in this process. */
const downloadsMax = 4

/** How long the reader of a download may take for one piece before it is cut off. */
const stalledMillis = 60_000

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

/**
 * A stream of texts that makes the next one only when its reader has taken the one before. A reader that takes none for `millis` is cut
 * off: the stream is destroyed with an error. The time in which a text is made does not count.
 */
export function downloadStream(texts: AsyncIterable<string>, millis = stalledMillis): Readable {
  const stream = Readable.from(watched())
  async function* watched(): AsyncGenerator<string, void, void> {
    for await (const text of texts) {
      const cut = setTimeout(() => stream.destroy(new Error('the reader of a download stalled')), millis)
      try {
        yield text
      } finally {
        clearTimeout(cut)
      }
    }
  }
  return stream
}
