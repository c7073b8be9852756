import type { ReadLink } from './link-decisions.ts'

/** How many links a process remembers at most, and for how long. */
const [linksMax, keptMillis] = [1_000, 1_000]
/** A lost write costs about as much as ten reads: when more than one write in ten is lost, reading first is cheaper. */
const [lossWeight, lossesMax] = [10, 200]

/** Links as they were read or written a moment ago. What is decided on one has to be checked by its version. */
export interface KnownLinks {
  /** The link. Nothing is known while other writers change links often: what was read a moment ago would be old. */
  find(key: string): ReadLink | undefined
  /** Remembers a link that was read, unless a later version of it is known. */
  remember(key: string, link: ReadLink): void
  /** Called when a link was written, with what it is now. */
  written(key: string, link: ReadLink): void
  /** Called when another writer changed a link first. */
  lost(key: string): void
}

interface Known {
  readonly link: ReadLink
  readonly sinceMillis: number
}

/** Forgets after a moment, also when nothing more is called: what was erased does not stay in memory. */
export function createKnownLinks(nowMillis: () => number = () => performance.now()): KnownLinks {
  /** The one that was put first is the first. */
  const known = new Map<string, Known>()
  let isForgetting = false
  /** Grows with each loss by its weight, and shrinks by one with each write. */
  let losses = 0

  function forget(): void {
    const latestMillis = nowMillis() - keptMillis
    for (const [key, { sinceMillis }] of known) {
      if (sinceMillis > latestMillis && known.size <= linksMax) return
      known.delete(key)
    }
  }

  function forgetLater(): void {
    if (isForgetting) return
    isForgetting = true
    const later = (): void => {
      isForgetting = false
      forget()
      if (known.size > 0) forgetLater()
    }
    setTimeout(later, keptMillis).unref()
  }

  function remember(key: string, link: ReadLink): void {
    forget()
    const current = known.get(key)
    if (current !== undefined && current.link.version > link.version) return
    known.delete(key)
    known.set(key, { link, sinceMillis: nowMillis() })
    if (known.size > linksMax) forget()
    forgetLater()
  }

  return {
    find(key) {
      forget()
      return losses >= lossWeight ? undefined : known.get(key)?.link
    },

    remember,

    written(key, link) {
      losses = Math.max(0, losses - 1)
      remember(key, link)
    },

    lost(key) {
      losses = Math.min(losses + lossWeight, lossesMax)
      known.delete(key)
    },
  }
}
