import { randomBytes, randomUUID } from 'node:crypto'

/** Stands in a request for an idempotency key; the generator puts one in its place that no other request has. */
export const freshKey = '<fresh-key>'

/**
 * Stands in a request for random bytes in Base64, other ones each time. It is as long as the text that takes its place, so that the
 * request's Content-Length is right.
 *
 * @param bytes at least 15; rounded up to a multiple of 3, so that the text has no padding
 */
export function freshBase64(bytes: number): string {
  const end = '>'
  return base64Begin.padEnd(Math.ceil(bytes / 3) * 4 - end.length, '.') + end
}

const base64Begin = '<fresh-base64'
const base64Pattern = new RegExp(`${base64Begin}\\.*>`)

/** Returns a request as it is sent next. */
export type Template = () => string

export function templateOf(request: string): Template {
  if (request.includes(freshKey)) return () => request.replace(freshKey, randomUUID())
  const [placeholder] = base64Pattern.exec(request) ?? []
  if (placeholder === undefined) return () => request
  const bytes = (placeholder.length / 4) * 3
  return () => request.replace(placeholder, randomBytes(bytes).toString('base64'))
}
