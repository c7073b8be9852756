import type { FastifyInstance } from 'fastify'

/** Makes the routes of a plugin read bodies themselves: Fastify's parsers accept too much. */
export function receiveBytes(app: FastifyInstance, bodyLimit: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body))
}

/** The body of a request, as {@link receiveBytes} makes Fastify keep it; empty without one. */
export function bytesOf(body: unknown): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array()
}
