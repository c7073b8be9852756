import { connect, type Socket } from 'node:net'
import { request, type RawCase, type Scene } from './raw-case.ts'

/** What a connection has received until it was closed. */
export interface Exchange {
  /** One character for each byte. */
  readonly received: string
  /** The time from the moment when all was sent until the connection was closed. */
  readonly millis: number
  /** The connection was not closed in time. */
  readonly isStuck: boolean
}

/** How long a connection may stay open: longer than any bound of the servers of the campaign. */
const stuckMillis = 20_000

/** Sends the bytes of a case and reads until the connection is closed. */
export async function exchange(port: number, scene: Scene, { send, end }: RawCase): Promise<Exchange> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let received = ''
  let isStuck = false
  socket.setEncoding('latin1').on('data', (text: string) => (received += text))
  // A reset counts as a close.
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  for (const part of send) await sent(socket, part)
  // A connection that is still usable answers this one, and nothing comes before its answer that should not.
  if (end === 'client') await sent(socket, lastRequest(scene))
  if (end === 'half-close' || end === 'leave') socket.end()
  if (end === 'reset') socket.resetAndDestroy()
  const start = performance.now()
  const stuck = setTimeout(() => {
    isStuck = true
    socket.destroy()
  }, stuckMillis)
  await closed
  clearTimeout(stuck)
  return { received, isStuck, millis: performance.now() - start }
}

/** A request that ends the connection, and is answered `200 json`. */
function lastRequest({ base }: Scene): string {
  return request('GET /healthz', `Host: ${base}`, 'Connection: close')
}

/** Resolves when the system has taken the bytes, or the connection is closed. */
function sent(socket: Socket, bytes: string): Promise<void> {
  return new Promise((resolve) => {
    if (!socket.writable) resolve()
    else socket.write(bytes, 'latin1', () => resolve())
  })
}
