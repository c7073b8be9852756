import type { FastifyInstance } from 'fastify'

/** Returns a function that is true once the application is closing, so that new requests can be answered with 503. */
export function trackClosing(app: FastifyInstance): () => boolean {
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    done()
  })
  return () => closing
}
