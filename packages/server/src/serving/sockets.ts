import type { Server, Socket } from 'node:net'

/** The open sockets of a server. */
export interface Sockets {
  /** Destroys all of them. */
  destroyAll(): void
}

/**
 * Follows every socket that a server accepts. `closeAllConnections` of an HTTP server leaves out those that its parser has released: of
 * a CONNECT, and of an upgrade.
 */
export function trackSockets(server: Server): Sockets {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return {
    destroyAll() {
      for (const socket of open) socket.destroy()
    },
  }
}
