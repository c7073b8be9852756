import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The checkout. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** What the set-up fetches for itself: Node.js and pnpm, and its lock. */
export const TOOLS = join(ROOT, '.tools')

/** `serve` would restart itself with these options; starting with them saves the time of a restart. */
export const HEAP_OPTIONS = [
  '--max-semi-space-size=8',
  '--heap-growing-percent=20',
  '--no-allocation-site-pretenuring',
]

/** What V8 compiled of the programs is kept here, where Node.js can write, so that they start faster the next time. */
export const COMPILED = join(ROOT, 'node_modules', '.cache', 'compiled')
