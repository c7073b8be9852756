import { lookup, Resolver } from 'node:dns/promises'
import { SendingError } from './reasons.ts'

/** The addresses of a name, IPv4 and IPv6; none when there is no such name. Rejects when nobody answers. */
export type ResolveName = (name: string) => Promise<readonly string[]>

export interface ResolverOptions {
  /** Whether a name that DNS does not know is looked up where the machine keeps others, such as its hosts file. */
  readonly alsoHosts: boolean
  /** DNS servers, as `dns.setServers` takes them. By default those of the machine. */
  readonly servers?: readonly string[] | undefined
}

/**
 * Resolves names by DNS without `getaddrinfo`, which occupies a thread of the process for as long as a name server is silent. Four such
 * names would keep every password from being checked. `getaddrinfo` is only asked for names that DNS does not know, one at a time.
 */
export function createResolver({ alsoHosts, servers }: ResolverOptions): ResolveName {
  let hosts: Promise<unknown> = Promise.resolve()
  return async (name) => {
    const { addresses, isSilent } = await fromDns(name, servers)
    if (addresses.length > 0) return addresses
    if (alsoHosts) {
      const found = hosts.then(() => fromHosts(name))
      hosts = found
      const others = await found
      if (others.length > 0) return others
    }
    if (isSilent) throw new SendingError('name not resolved')
    return []
  }
}

/** Codes of `node:dns` for a name that does not exist, or has no address of the family. */
const unknownCodes = new Set(['ENOTFOUND', 'ENODATA'])

async function fromDns(
  name: string,
  servers: ResolverOptions['servers'],
): Promise<{ readonly addresses: readonly string[]; readonly isSilent: boolean }> {
  // A resolver of its own reads the machine's current name servers.
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (servers) resolver.setServers(servers)
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  return {
    addresses: answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
    isSilent: answers.some(
      (answer) => answer.status === 'rejected' && !unknownCodes.has(codeOf(answer.reason)),
    ),
  }
}

async function fromHosts(name: string): Promise<readonly string[]> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address)
  } catch {
    return []
  }
}

function codeOf(error: unknown): string {
  return String((error as { readonly code?: unknown }).code)
}
