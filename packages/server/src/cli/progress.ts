import type { Writable } from 'node:stream'

/** One line on a terminal that says how far something has come. */
export interface Progress {
  show(text: string): void
  /** Takes the line away. */
  end(): void
}

/** On a terminal it shows what it is told, at most ten times a second; in a pipe it is quiet. */
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
