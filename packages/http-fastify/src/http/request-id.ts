import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** The header of an answer that holds the id by which the log names its request. */
export const requestIdHeader = 'x-request-id'

const ids = new WeakMap<IncomingMessage, string>()

/** A fresh id. */
export function newRequestId(): string {
  return randomUUID()
}

/**
 * The id of a request: always one of ours. One that a client sends is ignored, because it would let anybody write into the log, and give two
 * requests the same id.
 */
export function requestIdOf(request: IncomingMessage): string {
  const known = ids.get(request)
  if (known !== undefined) return known
  const id = newRequestId()
  ids.set(request, id)
  return id
}

/** The handler of a server whose every answer carries the id of its request, whoever gives the answer. */
export function withRequestIds(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    response.setHeader(requestIdHeader, requestIdOf(request))
    handler(request, response)
  }
}
