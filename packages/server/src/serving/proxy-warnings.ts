import { BlockList, isIP, isIPv6 } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Installation } from '../installation/installation.ts'

type Settings = Pick<Installation['settings'], 'baseUrl' | 'trustProxy'>

const consequence = 'failed sign-ins by anybody lock everybody out'

/** The server does not speak TLS itself, so where its address is https it is behind a proxy. */
export function warnWithoutProxy(log: FastifyBaseLogger, { baseUrl, trustProxy }: Settings): void {
  if (!baseUrl.startsWith('https:') || trustProxy.length > 0) return
  log.warn(
    'SOTTO_BASE_URL is https but SOTTO_TRUST_PROXY names no proxy: all requests seem to come from the address of the proxy, ' +
      `so ${consequence}`,
  )
}

/**
 * Logs a warning when a request shows that the clients behind a proxy cannot be told apart. Either the proxy is not named, or it passes on
 * the address of a proxy as its client's. A proxy in a container network that replaces the addresses of clients does so. Each is logged
 * once, because anybody can send the header; never with an address, which could be a recipient's.
 */
export function warnOfSharedAddresses(app: FastifyInstance, { trustProxy }: Settings): void {
  const isTrusted = trusted(trustProxy)
  const log = { unnamed: once(app.log), shared: once(app.log) }
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.headers['x-forwarded-for'] !== undefined) look(request)
    done()
  })

  function look(request: FastifyRequest): void {
    // The addresses from that of the connection to the first that is not trusted. Fastify finds them again each time it is asked, for `ip`
    // too.
    const addresses = request.ips ?? []
    const client = addresses.at(-1) ?? ''
    if (addresses.length < 2 && !isTrusted(client)) {
      log.unnamed(
        `a request came through a proxy that SOTTO_TRUST_PROXY does not name: all its clients count as one, so ${consequence}`,
      )
    } else if (addresses.length > 1 && isTrusted(client)) {
      log.shared(
        `a request has the address of a proxy as its client's: unless it came from the proxy's own machine, the proxy has not told its ` +
          `clients apart, so ${consequence}`,
      )
    }
  }
}

function once(log: FastifyBaseLogger): (message: string) => void {
  let logged = false
  return (message) => {
    if (logged) return
    logged = true
    log.warn(message)
  }
}

/** Whether an address is one of the trusted ones, or in one of their ranges. */
function trusted(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  const family = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/')
    if (prefix === undefined) list.addAddress(address, family(address))
    else list.addSubnet(address, Number(prefix), family(address))
  }
  return (address) => isIP(address) !== 0 && list.check(address, family(address))
}
