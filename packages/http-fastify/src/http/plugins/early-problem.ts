import type { FastifyInstance, FastifyRequest } from 'fastify'
import { problems, type Problem } from '../answers/problems.ts'
import { createSiteOf, originalUrlOf, urlMaxBytes, type Origins } from '../request/target.ts'

/** A path whose query is somebody else's, and may be longer. */
export interface LongUrls {
  readonly path: string
  readonly maxBytes: number
}

/**
 * What is wrong with a request, whoever sends it and whatever it asks for. Its URL is too long, its host is not that of the base URL, or
 * the service is shutting down.
 * @throws TypeError when an origin is not a bare http(s) origin
 */
export function createEarlyProblem(
  origins: Origins,
  isClosing: () => boolean,
  longUrls?: LongUrls,
): (request: FastifyRequest) => Problem | undefined {
  const siteOf = createSiteOf(origins)
  return ({ raw }) => {
    const url = originalUrlOf(raw)
    const maxBytes = longUrls && url.startsWith(`${longUrls.path}?`) ? longUrls.maxBytes : urlMaxBytes
    if (url.length > maxBytes) return problems.urlTooLong
    const site = siteOf(raw)
    if (site === 'malformed') return problems.badHost
    if (site === 'link' || site === 'unknown') return problems.unknownPath
    return isClosing() ? problems.shuttingDown : undefined
  }
}

/** Returns a function that is true once the application is closing, so that new requests can be answered with 503. */
export function trackClosing(app: FastifyInstance): () => boolean {
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    done()
  })
  return () => closing
}
