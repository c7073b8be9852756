import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [address: Address, prefix: number]

/** The addresses that may be connected to. */
export interface AddressRules {
  /** Whether a range that was given names the address. `http:` is allowed only then. */
  isNamed(address: string): boolean
  /** Whether the address is a public one or {@link isNamed}. */
  isAllowed(address: string): boolean
  /** Whether no range was given. */
  readonly isEmpty: boolean
}

/**
 * Whether `text` may name addresses to post to although they are not public: an address, or a range no wider than the widest private
 * network (10.0.0.0/8, fc00::/7). Messages could go over the internet by `http:` if it were wider. IPv4-mapped IPv6 is refused: the IPv4
 * range names those addresses too.
 */
export function isAddressRange(text: string): boolean {
  return readRange(text) !== undefined
}

/**
 * The rules about addresses of an installation.
 * @throws TypeError when a range is not {@link isAddressRange}
 */
export function createAddressRules(allow: readonly string[]): AddressRules {
  const ranges = allow.map((text) => {
    const range = readRange(text)
    if (range) return range
    throw new TypeError('allow takes addresses, and ranges no wider than 10.0.0.0/8 or fc00::/7')
  })
  const names = (address: Address): boolean => ranges.some((range) => isIn(asConnected(address), range))
  return {
    isEmpty: ranges.length === 0,
    isNamed(text) {
      const address = readAddress(text)
      return address !== undefined && names(address)
    },
    isAllowed(text) {
      const address = readAddress(text)
      return address !== undefined && (isPublic(address) || names(address))
    },
  }
}

function readRange(text: string): Range | undefined {
  const [address = '', prefix, ...rest] = text.split('/')
  if (rest.length > 0 || address.includes('%')) return undefined
  const parsed = readAddress(address)
  if (parsed === undefined || asConnected(parsed) !== parsed) return undefined
  const [min, max] = parsed.kind() === 'ipv4' ? [8, 32] : [7, 128]
  if (prefix === undefined) return [parsed, max]
  // Plain digits without a leading zero, so that nothing else can read them as another number.
  const isLength = /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) >= min && Number(prefix) <= max
  return isLength ? [parsed, Number(prefix)] : undefined
}

/** The usual spellings only: ipaddr.js would also read octal and short ones. */
function readAddress(text: string): Address | undefined {
  return isIPv4(text) || isIPv6(text) ? ipaddr.parse(text) : undefined
}

/** The IPv4 address that a connection to an IPv4-mapped one goes to; any other address as it is. */
function asConnected(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

function isIn(address: Address, [network, prefix]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, prefix)
}

const globalUnicast: Range = [ipaddr.parse('2000::'), 3]

/**
 * An address in every network of Azure: DNS, DHCP and the agent that hands a machine its settings. It is public but leads to no public
 * service.
 */
const azurePlatform: Range = [ipaddr.parse('168.63.129.16'), 32]

/**
 * Whether an address belongs to the public internet and to nothing else. It is in no range of the IANA special-purpose registries (RFC
 * 6890), and is no address of a cloud's own. An IPv6 address is within 2000::/3, the only part that IANA hands out. Addresses that stand
 * for an IPv4 address (mapped, NAT64, 6to4, Teredo) are not public, whatever that IPv4 address is.
 */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || isIn(address, azurePlatform)) return false
  return address.kind() === 'ipv4' || isIn(address, globalUnicast)
}
