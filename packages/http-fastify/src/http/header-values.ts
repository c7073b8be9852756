import type { IncomingMessage } from 'node:http'

/**
 * Every value of a header, in the order of its lines. In `headers` Node keeps only the first of two Host, Authorization or Content-Type
 * lines, while a proxy in front of the server may have used the other one.
 */
export function headerValues(
  { rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>,
  lowerCaseName: string,
): string[] {
  const values: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === lowerCaseName.length && name.toLowerCase() === lowerCaseName) {
      values.push(rawHeaders[at + 1] ?? '')
    }
  }
  return values
}
