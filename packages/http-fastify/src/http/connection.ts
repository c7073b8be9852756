import type { FastifyReply } from 'fastify'

/**
 * Fastify closes the connection after every error in a body. That is needed only when the rest of the body does not arrive, so this undoes
 * it. The header is replaced, because Node sends neither `Connection` nor `Keep-Alive` once it was removed.
 */
export function keepConnection(reply: FastifyReply): void {
  if (!reply.hasHeader('connection')) return
  // The client asked for it, or the server is shutting down.
  const closes = !reply.raw.shouldKeepAlive || reply.raw.getHeader('connection') === 'close'
  reply.header('connection', closes ? 'close' : 'keep-alive')
}
