import { setTimeout as sleep } from 'node:timers/promises'
import type { Host } from './url.ts'

/** Decides which host of a database is tried next, and when. */
export interface Hosts {
  /** The host that was used last; the one after it in their order once that has failed, and so on. */
  next(): Host
  used(host: Host): void
  failed(host: Host): void
  /** Notes that none of the hosts could be used. */
  lost(): void
  /** Resolves when they may be tried: immediately, or after a pause when all have failed. */
  ready(): Promise<void>
}

/** The pause after all hosts have failed: it doubles each time, and chance shortens it by up to a half, so that servers part. */
const [shortestPauseMillis, longestPauseMillis] = [50, 500]

/** What the hosts need of the machine. Tests replace it. */
export interface Pausing {
  /** A clock that only goes forward. */
  nowMillis(): number
  pause(millis: number): Promise<unknown>
  random(): number
}

export const realPausing: Pausing = {
  nowMillis: () => performance.now(),
  pause: (millis) => sleep(millis),
  random: () => Math.random(),
}

/** @param onMove called when another host is used than before */
export function createHosts(
  all: readonly [Host, ...Host[]],
  onMove: (host: Host) => void,
  { nowMillis, pause, random }: Pausing,
): Hosts {
  let at = 0
  let last: Host | undefined
  let pauseMillis = shortestPauseMillis
  let readyMillis = -Infinity

  return {
    next: () => all[at] ?? all[0],

    used(host) {
      at = all.indexOf(host)
      pauseMillis = shortestPauseMillis
      readyMillis = -Infinity
      if (last !== undefined && last !== host) onMove(host)
      last = host
    },

    failed(host) {
      if (all[at] === host) at = (at + 1) % all.length
    },

    lost() {
      if (nowMillis() < readyMillis) return
      readyMillis = nowMillis() + pauseMillis * (1 - random() / 2)
      pauseMillis = Math.min(2 * pauseMillis, longestPauseMillis)
    },

    async ready() {
      const waitMillis = readyMillis - nowMillis()
      if (waitMillis > 0) await pause(waitMillis)
    },
  }
}
