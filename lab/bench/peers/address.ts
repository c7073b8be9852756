/**
 * The port of a service on this machine, such as 8787 for `http://127.0.0.1:8787`. Undefined for every other address: the load is for
 * services that the reader has started, so it must not reach another machine.
 */
export function loopbackPort(address: string): number | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname, port, href, origin } = new URL(address)
  const isLoopback = hostname === '127.0.0.1' || hostname === 'localhost'
  if (protocol !== 'http:' || !isLoopback || href !== `${origin}/`) return undefined
  return Number(port || 80)
}
