import { once } from 'node:events'
import { createServer } from 'node:net'
import { systemErrorCode } from './system-error.ts'

/**
 * The first port. It is above those that browsers and `fetch` refuse to connect to, the last of which is 10080 (Fetch Standard, "port
 * blocking"), and below those that the system gives to outgoing connections (from 32768 on Linux, from 49152 elsewhere: RFC 6335, section
 * 6).
 */
const firstPort = 12_000
const portCount = 20_000
const portsOfProcess = 20
const attempts = 100

let asked = process.pid * portsOfProcess

/**
 * A TCP port that is free on a host, for a server whose port does not matter but must be known before it listens. Processes that ask at the
 * same time get different ports, and a process gets each port once.
 *
 * @throws the system's error, such as EADDRNOTAVAIL, when the host is not an address of this machine; EADDRINUSE after 100 ports in use
 */
export async function findFreePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const port = portOf(asked)
    asked += 1
    try {
      await listenOnce(host, port)
      return port
    } catch (error) {
      if (systemErrorCode(error) !== 'EADDRINUSE' || attempt === attempts) throw error
    }
  }
}

/** The port that a process tries for its number of a request. */
export function portOf(request: number): number {
  return firstPort + (request % portCount)
}

async function listenOnce(host: string, port: number): Promise<void> {
  const server = createServer().listen({ host, port })
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
