import type { SendFailed } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import type { Answer } from './post.ts'

/** What an answer means for the message. `atMicros` is when it was sent: a `Retry-After` with a date counts from then. */
export function verdictOf(answer: Answer, atMicros: number): Result<void, SendFailed> {
  if ('reason' in answer) return err(retry(answer.reason))
  const { status, retryAfter } = answer
  if (status >= 200 && status <= 299) return ok()

  const failed = retry(`status ${status}`)
  if (status === 410) return err({ ...failed, verdict: 'gone' })
  const retryAfterSeconds = mayBePutOff(status) ? secondsOf(retryAfter, atMicros) : undefined
  return err(retryAfterSeconds === undefined ? failed : { ...failed, retryAfterSeconds })
}

/** A failure after which the same message may succeed. */
export function retry(reason: string): SendFailed {
  return { code: 'send_failed', reason, verdict: 'retry' }
}

function mayBePutOff(status: number): boolean {
  return status === 429 || status === 503
}

const secondsMax = 2 ** 31 - 1
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date in the one form that may be sent. */
function secondsOf(text: string | undefined, atMicros: number): number | undefined {
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Math.min(Number(text), secondsMax)
  const millis = httpDate.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(millis)) return undefined
  return Math.min(Math.max(0, Math.ceil(millis / 1000 - atMicros / 1_000_000)), secondsMax)
}
