import { isIP } from 'node:net'

/**
 * Checks a list of proxies: addresses and CIDR ranges, nothing that stands for more than it says. `false` when it is empty.
 * Whoever trusts all proxies believes every client's own X-Forwarded-For.
 * @throws TypeError
 */
export function trustedProxies(proxies: readonly string[]): string[] | false {
  for (const proxy of proxies) {
    if (!isAddressOrRange(proxy))
      throw new TypeError('trustProxy takes addresses and CIDR ranges, such as 10.0.0.0/8')
  }
  return proxies.length === 0 ? false : [...proxies]
}

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return (
    bits === undefined ||
    (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= (version === 4 ? 32 : 128))
  )
}
