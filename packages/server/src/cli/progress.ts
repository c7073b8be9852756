import type { Writable } from 'node:stream'

/** One line on a terminal that shows progress. */
export interface Progress {
  show(text: string): void
  /** Removes the line. */
  end(): void
}

/** Writes to a terminal at most ten times a second, and to anything else nothing. */
export function createProgress(stderr: Writable & { readonly isTTY?: boolean | undefined }): Progress {
  if (stderr.isTTY !== true) return { show: () => undefined, end: () => undefined }
  let shownAtMillis = -Infinity
  return {
    show(text) {
      const nowMillis = performance.now()
      if (nowMillis - shownAtMillis < 100) return
      shownAtMillis = nowMillis
      stderr.write(`\r\u001b[K${text}`)
    },
    end() {
      if (shownAtMillis > -Infinity) stderr.write('\r\u001b[K')
    },
  }
}
