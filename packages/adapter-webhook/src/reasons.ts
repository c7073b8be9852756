import type { ClientRequest } from 'node:http'
import { TLSSocket } from 'node:tls'

/** A message was not posted, for a reason that was found here. */
export class SendingError extends Error {}

/** What the error codes of Node's connections mean to an owner. Messages are never passed on: some contain what the other side sent. */
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection cut',
  EPIPE: 'connection cut',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'not reachable',
  ENETUNREACH: 'not reachable',
  EADDRNOTAVAIL: 'not reachable',
  EPROTO: 'TLS failed',
}

/** The reason why a request failed, in a few words. */
export function reasonOf(error: Error, { socket }: ClientRequest): string {
  if (error instanceof SendingError) return error.message
  if (socket instanceof TLSSocket && isSet(socket.authorizationError)) return 'certificate not valid'
  const { code = '' } = error as NodeJS.ErrnoException
  if (code.startsWith('HPE_')) return 'malformed answer'
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'TLS failed'
  return words[code] ?? 'not sent'
}

/** Node's types promise an error that is only there after a failure. */
function isSet(error: unknown): boolean {
  return error !== undefined && error !== null
}
