import { answersIn, type Answer } from './answers.ts'
import { canary, type RawCase } from './raw-case.ts'
import type { Exchange } from './exchange.ts'

/** How long the server may take to close a connection that it closes by itself: it reads a refused body for up to 2 s, and lingers for 1 s. */
const closesWithinMillis = 4_000

/** What is wrong with what a connection received. `busyFactor`: how many times longer than usual the server may take. */
export function violationsOf(
  raw: RawCase,
  { received, millis, isStuck }: Exchange,
  busyFactor = 1,
): string[] {
  const violations: string[] = []
  if (isStuck) violations.push('the connection stayed open')
  else if (raw.end !== 'timeout' && millis > closesWithinMillis * busyFactor)
    violations.push(`the connection was closed after ${Math.round(millis)} ms`)
  if (received.toLowerCase().includes(canary.toLowerCase()))
    violations.push('an answer repeats what was sent')
  // What a client that resets its connection still receives is of no importance.
  if (raw.end === 'reset') return violations
  const answers = answersIn(received)
  if (answers === undefined) return [...violations, `this is no answer: ${received.slice(0, 200)}`]
  const expected = raw.end === 'client' ? [...raw.answers, '200 json'] : raw.answers
  const found = answers.map((answer) => `${answer.status} ${formOf(answer)}`)
  if (raw.end === 'leave' && found.length === 0) return violations
  if (String(found) !== String(expected))
    violations.push(`answered ${String(found)}, not ${String(expected)}`)
  if ((raw.end === 'server' || raw.end === 'client') && answers.length > 0 && !isLast(answers))
    violations.push('the last answer does not say that the connection is closed')
  return violations
}

function isLast(answers: readonly Answer[]): boolean {
  return answers.at(-1)?.headers.get('connection') === 'close'
}

/** The form of an answer, or what is wrong with it. */
function formOf({ status, headers, body }: Answer): string {
  if (!headers.has('date')) return 'without a date'
  const type = headers.get('content-type')
  if (type === 'text/plain; charset=utf-8') return 'text'
  if (headers.get('cache-control') !== 'no-store') return 'that may be stored'
  if (headers.get('x-content-type-options') !== 'nosniff') return 'that may be sniffed'
  if (type === 'text/html; charset=utf-8') return pageForm(headers, body)
  if (type !== 'application/json; charset=utf-8') return `of type ${type}`
  return isEnvelope(status, body) ? jsonForm(headers) : `without an envelope: ${body.slice(0, 200)}`
}

function pageForm(headers: Answer['headers'], body: string): string {
  if (!/^<!doctype html>/i.test(body)) return 'without a page'
  return headers.has('content-security-policy') ? 'page' : 'without a policy'
}

function jsonForm(headers: Answer['headers']): string {
  const [limit, remaining] = ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) => headers.get(name))
  if (limit === undefined && remaining === undefined) return 'json'
  return /^[1-9]\d*$/.test(limit ?? '') && /^\d+$/.test(remaining ?? '') ? 'api' : 'with half a quota'
}

/** The documented envelope: of data, or of a problem with a message and perhaps the messages of fields. */
function isEnvelope(status: number, body: string): boolean {
  const { success, version, ...rest } = JSON.parse(body) as Record<string, unknown>
  if (version !== '1.0' || success !== status < 400) return false
  const names = Object.keys(rest).sort().join()
  return success ? names === 'data' : typeof rest['message'] === 'string' && /^(errors,)?message$/.test(names)
}
