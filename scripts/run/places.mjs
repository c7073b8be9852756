import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The checkout. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** What the set-up fetches for itself: Node.js and pnpm, and its lock. */
export const TOOLS = join(ROOT, '.tools')
