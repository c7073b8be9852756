import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import pg from 'pg'

/**
 * A client that closes its socket when it cannot go on. pg leaves that to the server, which waits for a minute (its authentication_timeout)
 * for a password that is missing; until then the process could not end.
 */
export class ClosingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    connectionIn(this).on('error', () => socketOf(this).destroy())
  }
}

/** pg has no other way to end a connection immediately. */
export function socketOf(client: object): Duplex {
  return connectionIn(client).stream
}

/** What a client of pg has below it, which its types do not show. */
function connectionIn(client: object): EventEmitter & { readonly stream: Duplex } {
  return (client as { readonly connection: EventEmitter & { readonly stream: Duplex } }).connection
}
