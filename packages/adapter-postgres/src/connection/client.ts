import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { HostFailed } from './errors.ts'
import type { Examined } from './fitness.ts'
import type { Host } from './url.ts'

/**
 * A client of one host. It closes its socket when it cannot go on. pg leaves that to the server, which waits for a minute (its
 * authentication_timeout) for a password that is missing; until then the process could not end.
 */
export class HostClient extends pg.Client {
  readonly to: Host
  /** Why the connection must not be used again. */
  broken: Error | undefined
  /** What the examination of the connection found; `undefined` before anybody may use it. */
  examined: Examined | undefined
  readonly #onFailed: () => void

  /** @param onFailed called when it cannot connect */
  constructor(to: Host, config: pg.ClientConfig, onFailed: () => void) {
    super(config)
    this.to = to
    this.#onFailed = onFailed
    connectionIn(this).on('error', () => socketOf(this).destroy())
    // An error of a connection that is in use would end the process without this listener. The connection's statement is rejected as well.
    this.on('error', (error) => (this.broken ??= error))
  }

  /** The process id that it was told. */
  get toldProcessId(): number | null {
    return (this as unknown as { readonly processID: number | null }).processID
  }

  override connect(): Promise<this>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    if (callback === undefined) return super.connect() as unknown as Promise<this>
    super.connect((error: Error | null) => {
      if (error !== null) this.#onFailed()
      callback(error === null ? (error as unknown as Error) : new HostFailed(this.to, error))
    })
    return undefined
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
