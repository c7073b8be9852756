import type { IncomingMessage, ServerResponse } from 'node:http'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Requests whose clients wait for `100 Continue` before they send the body. */
const waiting = new WeakSet<IncomingMessage>()

/**
 * A listener for `checkContinue`. `100 Continue` is sent when somebody begins to read the body, so a request that is refused before gets its
 * answer instead (RFC 9110, section 10.1.1). It is also sent to a client that does not wait, because Node closes the connection without it.
 * This holds for the routes of the host application, too.
 */
export function continueWhenRead(handler: Handler): Handler {
  return (request, response) => {
    const { _read: read, push } = request
    const proceed = (): void => {
      if (waiting.delete(request) && !response.headersSent) response.writeContinue()
    }
    request._read = (size) => {
      proceed()
      read.call(request, size)
    }
    request.push = (...given) => {
      proceed()
      return push.apply(request, given)
    }
    waiting.add(request)
    handler(request, response)
  }
}

/** Whether the client of a request still waits. What it has sent together with the head is known a turn later. */
export async function waitsForContinue(request: IncomingMessage): Promise<boolean> {
  if (!waiting.has(request)) return false
  await new Promise(setImmediate)
  return waiting.has(request)
}
