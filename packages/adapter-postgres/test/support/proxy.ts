import { connect, createServer, type Server, type Socket } from 'node:net'
import { once } from 'node:events'

/**
 * What happens to a statement:
 * - `cut before`: the connection breaks before the server has received it.
 * - `cut after`: the server has executed it, and the connection breaks before its answer arrives.
 * - `hang`: the server receives nothing more on this connection, and the client hears nothing.
 */
export type Interruption = 'cut before' | 'cut after' | 'hang'

/** Forwards connections to a server. */
export interface Proxy {
  /** The URL of the database by way of the proxy. */
  readonly url: string
  /** Interrupts the next statement whose name begins like this, on whatever connection it is sent. Resolves once that has happened. */
  interruptNext(name: string, how: Interruption): Promise<void>
  /** From now on forwards new connections to the server of this URL. */
  redirect(url: string): void
  close(): Promise<void>
}

interface Order {
  readonly name: string
  readonly how: Interruption
  readonly done: () => void
}

export async function startProxy(databaseUrl: string): Promise<Proxy> {
  let target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let order: Order | undefined
  const takeOrder = (bytes: Buffer): Order | undefined => {
    if (order === undefined || !bytes.includes(order.name)) return undefined
    const taken = order
    order = undefined
    return taken
  }
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    for (const socket of [client, server]) sockets.add(socket.on('error', () => undefined))
    forward({ client, server, takeOrder })
  })
  const url = new URL(databaseUrl)
  url.port = String(await listen(proxy))
  return {
    url: url.href,
    interruptNext: (name, how) => new Promise((resolve) => (order = { name, how, done: resolve })),
    redirect: (to) => void (target = new URL(to)),
    async close() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

async function listen(proxy: Server): Promise<number> {
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return address.port
}

/** ReadyForQuery outside of a transaction: what the server sends last, once the statement has taken effect. */
const isReady = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

function forward({
  client,
  server,
  takeOrder,
}: {
  readonly client: Socket
  readonly server: Socket
  readonly takeOrder: (bytes: Buffer) => Order | undefined
}): void {
  let taken: Order | undefined
  const cut = (done: () => void): void => {
    client.destroy()
    server.destroy()
    done()
  }
  client.on('data', (bytes) => {
    if (taken?.how === 'hang') return
    taken ??= takeOrder(bytes)
    if (taken?.how === 'cut before') cut(taken.done)
    else if (taken?.how === 'hang') taken.done()
    else server.write(bytes)
  })
  server.on('data', (bytes) => {
    if (taken === undefined) client.write(bytes)
    else if (bytes.includes(isReady)) cut(taken.done)
  })
  client.on('close', () => server.destroy())
  server.on('close', () => client.destroy())
}
