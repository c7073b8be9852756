import { Refused } from './failure.ts'

/** What is needed to finish a sign-in that has begun. */
export interface Pending {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly isFresh: boolean
  /** Seconds since the epoch. */
  readonly begunAt: number
}

export function writePending({ state, nonce, verifier, isFresh, begunAt }: Pending): string {
  return JSON.stringify([state, nonce, verifier, isFresh, begunAt])
}

/** @throws Refused when {@link writePending} has not written the text */
export function readPending(text: string): Pending {
  const read = parsed(text)
  if (!Array.isArray(read)) throw new Refused('state')
  const [state, nonce, verifier, isFresh, begunAt] = read as readonly unknown[]
  const isWhole = isText(state) && isText(nonce) && isText(verifier) && typeof begunAt === 'number'
  if (!isWhole || typeof isFresh !== 'boolean') throw new Refused('state')
  return { state, nonce, verifier, isFresh, begunAt }
}

/** Whether a value is a text that is not empty: openid-client would not check an empty one. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
