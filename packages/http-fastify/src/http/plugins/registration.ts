import type { FastifyInstance } from 'fastify'

/** Segments of unreserved characters (RFC 3986, section 2.3): nothing that a router or a client reads in another way. */
const plainPrefix = /^(?:\/[A-Za-z0-9._~-]+)+$/

/**
 * Checks how a plugin is registered.
 * @param plugin its name
 * @param prefix whether it needs a prefix, or must have none
 * @throws TypeError
 */
export function checkRegistration(app: FastifyInstance, plugin: string, prefix: 'needed' | 'none'): void {
  if (app.initialConfig.http2 === true) throw new TypeError(`${plugin} is for HTTP/1.1, not for HTTP/2`)
  if (prefix === 'none' && app.prefix !== '')
    throw new TypeError(`register ${plugin} without a prefix: its paths are those of the origin`)
  if (prefix === 'needed' && !plainPrefix.test(app.prefix))
    throw new TypeError(`register ${plugin} with a plain prefix such as /api`)
}
