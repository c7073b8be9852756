import { isIPv6, type LookupFunction } from 'node:net'
import type { ResolveName } from './resolve-name.ts'
import { SendingError } from './reasons.ts'
import { isLocalhost, loopbackAddresses } from './webhook-url.ts'

/**
 * A `lookup` for `node:net` that resolves a name once and passes on only the addresses that may be connected to. So nothing looks the name
 * up a second time between the check and the connection. Other addresses are left out: a name with a public and a private address is
 * connected to at the public one. The connection fails when none is left.
 *
 * Node does not call it for a host that is an address already.
 */
export function createLookup(resolve: ResolveName, mayConnect: (address: string) => boolean): LookupFunction {
  return (name, { all }, callback) => {
    addressesOf(name, resolve, mayConnect).then(
      (addresses) => {
        const [first] = addresses
        if (all === true) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error: unknown) => callback(error as Error, ''),
    )
  }
}

interface Resolved {
  readonly address: string
  readonly family: number
}

async function addressesOf(
  name: string,
  resolve: ResolveName,
  mayConnect: (address: string) => boolean,
): Promise<[Resolved, ...Resolved[]]> {
  const found = isLocalhost(name) ? loopbackAddresses : await resolve(name)
  const [first, ...others] = found.filter(mayConnect).map((address) => ({
    address,
    family: isIPv6(address) ? 6 : 4,
  }))
  if (found.length === 0) throw new SendingError('name not found')
  if (!first) throw new SendingError('address not allowed')
  return [first, ...others]
}
