import type { Generator } from '../load/load.ts'
import { hashRaw } from '@node-rs/argon2'
import { get, openRequests, signIn } from '../load/requests.ts'
import type { Server } from '../processes/servers.ts'
import { ownerPassword, type Store } from '../stores/store.ts'
import { median } from './median.ts'

export interface Passwords {
  /** Argon2id hashes a second when nothing else is done. */
  readonly bareRate: number
  /** Links with a password opened a second. */
  readonly openRate: number
  /** The latency in milliseconds of clients that get single secrets while passwords are hashed. */
  readonly othersP99: number
  /** Owners that sign in a second. */
  readonly signInRate: number
  /** The 99th percentile of the same requests while owners sign in. */
  readonly besideSignInsP99: number
}

/** Few connections: requests of more would wait longer than two seconds and be refused. */
const connections = 4

export async function measurePasswords(
  store: Store,
  options: { server: Server; generator: Generator; rounds: number; millis: number },
): Promise<Passwords> {
  const { server, generator, rounds, millis } = options
  const [, thousand] = store.members
  const samples: Passwords[] = []
  for (let round = 0; round < rounds; round += 1) {
    const bareRate = await measureBare(millis)
    const requests = openRequests(store.lockedLinks, true)
    const opening = { port: server.port, connections, millis, requests, expect: 200 }
    const [{ rate: openRate }] = await generator.run([opening])
    const others = (thousand?.secretIds ?? []).map((id) => get(`/api/secret/${id}`, thousand?.token))
    const getting = { port: server.port, connections: 4, millis, requests: others, expect: 200 }
    const [, { p99: othersP99 }] = await generator.run([opening, getting])
    // Fewer than the five attempts that may be under way for one account.
    const signIns = { ...opening, requests: [signIn(store.owner.email, ownerPassword)], expect: 303 }
    const [{ rate: signInRate }, { p99: besideSignInsP99 }] = await generator.run([signIns, getting])
    samples.push({ bareRate, openRate, othersP99, signInRate, besideSignInsP99 })
  }
  const of = (key: keyof Passwords): number => median(samples.map((sample) => sample[key]))
  return {
    bareRate: of('bareRate'),
    openRate: of('openRate'),
    othersP99: of('othersP99'),
    signInRate: of('signInRate'),
    besideSignInsP99: of('besideSignInsP99'),
  }
}

/** Hashes a second of Argon2id with the parameters of the server, one at a time, as a server on two processors hashes. */
async function measureBare(millis: number): Promise<number> {
  const cost = { memoryCost: 65_536, timeCost: 3, parallelism: 1, outputLen: 32 }
  const start = performance.now()
  let hashes = 0
  for (; performance.now() - start < millis; hashes += 1)
    await hashRaw('correct horse', { ...cost, salt: Buffer.alloc(16, 1) })
  return hashes / ((performance.now() - start) / 1_000)
}
