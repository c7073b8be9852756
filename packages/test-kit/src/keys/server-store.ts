import type { ShownServer } from '@sotto/core'
import { casesOf, contractOf } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { besideCase, reopenCase, storageCase, type StorageCase } from '../stores/harness.ts'

/** The contract of the store of servers. */
export const serverStoreContract: readonly StorageCase[] = contractOf(
  casesOf({
    'server-store/servers-are-listed': storageCase({
      rule: 'Servers are listed by id, each as it has shown itself last.',
      async check({ servers }, make) {
        same(expectOk(await servers.list()), [])
        const [one, other] = [sample(make), sample(make)]
        for (const server of [one, other]) expectOk(await servers.show(server, 0))
        const later = { ...one, name: 'ünicode', kid: 2 ** 31 - 1, seenAtMicros: noonMicros + 1 }
        expectOk(await servers.show(later, 0))
        same(expectOk(await servers.list()), sorted(later, other))
      },
    }),
    'server-store/servers-are-forgotten': storageCase({
      rule: 'show forgets the servers that were seen at the given time or earlier, and no other.',
      async check({ servers }, make) {
        const [early, at, after] = [-1, 0, 1].map((offset) => ({
          ...sample(make),
          seenAtMicros: noonMicros + offset,
        })) as [ShownServer, ShownServer, ShownServer]
        for (const server of [early, at, after]) expectOk(await servers.show(server, 0))
        const last = { ...sample(make), seenAtMicros: noonMicros + 2 }
        expectOk(await servers.show(last, noonMicros))
        same(expectOk(await servers.list()), sorted(after, last))
      },
    }),
    'server-store/server-is-removed': storageCase({
      rule: 'remove removes this server alone; one that is not there is not an error.',
      async check({ servers }, make) {
        const [one, other] = [sample(make), sample(make)]
        for (const server of [one, other]) expectOk(await servers.show(server, 0))
        for (const id of [one.id, one.id, make.uuid()]) expectOk(await servers.remove(id))
        same(expectOk(await servers.list()), [other])
      },
    }),
    'server-store/writes-are-durable': reopenCase({
      rule: 'Servers that were shown or removed are so after reopening.',
      async before({ servers }, make) {
        const [one, other] = [sample(make), sample(make)]
        for (const server of [one, other]) expectOk(await servers.show(server, 0))
        expectOk(await servers.remove(other.id))
        return one
      },
      async after({ servers }, one) {
        same(expectOk(await servers.list()), [one])
      },
    }),
    'server-store/servers-are-known-beside': besideCase({
      rule: 'A server that one storage shows is listed immediately by another storage on the same data.',
      async check({ servers }, beside, make) {
        const one = sample(make)
        expectOk(await servers.show(one, 0))
        same(expectOk(await beside.servers.list()), [one])
      },
    }),
  }),
)

function sample(make: Samples): ShownServer {
  return { id: make.uuid(), name: 'web-1:3000', kid: 3, seenAtMicros: noonMicros }
}

function sorted(...servers: readonly ShownServer[]): readonly ShownServer[] {
  return servers.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}
