import { once } from 'node:events'
import { createServer } from 'node:net'

let next = process.pid * 20

/** A free port of 127.0.0.1 that the system does not give to other connections by itself. Processes that ask at once get different ones. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + (next++ % 22_000)
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (isFree) {
      await new Promise((resolve) => probe.close(resolve))
      return port
    }
  }
}
