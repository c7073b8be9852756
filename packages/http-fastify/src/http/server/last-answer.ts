import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** How long the client may continue to send after the last answer, before the connection is destroyed. */
const lingerMillis = 1_000

/** Node stores the response that a socket is sending in this field and reads it for the same purpose. */
export function responseUnderWay(
  socket: Socket & { _httpMessage?: ServerResponse | null },
): ServerResponse | undefined {
  return socket._httpMessage ?? undefined
}

/**
 * Whether what arrives on a socket is the rest of a body whose request was answered early. What is wrong with it then gets no answer. Node's
 * parser has the request that it reads in this field.
 */
export function isBodyAfterAnswer(
  socket: Socket & { readonly parser?: { readonly incoming?: IncomingMessage | null } | null },
): boolean {
  return responseUnderWay(socket) === undefined && socket.parser?.incoming?.complete === false
}

/**
 * Resolves when the answers to earlier requests of the connection are sent (pipelining), or the connection is closed. A request that is
 * still arriving is not waited for.
 */
export async function earlierAnswersSent(socket: Socket): Promise<void> {
  for (let under = responseUnderWay(socket); under?.req.complete; under = responseUnderWay(socket)) {
    const response = under
    await new Promise((resolve) => response.once('close', resolve))
    // The answer's socket was closed before it was sent.
    if (responseUnderWay(socket) === response) return
  }
}

/**
 * Closes an answer that waits behind an earlier one (pipelining) together with its connection. Node before 24.16 does not: its event `close`
 * would never come, and what is held until then would be held forever.
 */
export function closeWithConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  if (response.socket !== null) return
  let isClosed = false
  response.once('close', () => (isClosed = true))
  const close = (): void => {
    if (isClosed) return
    response.destroyed = true
    response.emit('close')
  }
  // There are as many listeners as requests behind each other.
  socket.setMaxListeners(0)
  socket.once('close', close)
  response.once('socket', () => socket.off('close', close))
}

/** Sockets whose next answer is the last one. */
const closing = new WeakSet<Socket>()

/** Makes the next answer of a socket the last one, although a body may still arrive. */
export function closeAfterAnswer(socket: Socket): void {
  closing.add(socket)
}

/** Whether a request came after the last one that is answered: it must not be processed (RFC 9112, section 9.6). */
export function isAfterLast({ socket }: IncomingMessage): boolean {
  return closing.has(socket)
}

/**
 * Lets the client of a socket finish after such an answer. Node would close both sides: a client that begins to send just then would be
 * reset, as a proxy does that does not wait for `100 Continue`.
 */
export function lingerAfterAnswer(socket: Socket): void {
  // Node calls this after the last answer.
  socket.destroySoon = () => {
    if (closing.has(socket)) endAfterAnswer(socket)
    else Socket.prototype.destroySoon.call(socket)
  }
}

/**
 * Ends a connection after its last answer. A reset could overtake the answer, so the client may finish first; a client that does not
 * close its side is cut off. Node does neither for a socket that its parser has released.
 */
export function endAfterAnswer(socket: Socket): void {
  socket.end()
  socket.resume()
  const cut = setTimeout(() => socket.destroy(), lingerMillis).unref()
  socket.once('close', () => clearTimeout(cut))
}
