import { test } from 'tap'
import { createHosts } from '../../src/connection/hosts.ts'
import type { Host } from '../../src/connection/url.ts'

const [a, b, c] = ['a', 'b', 'c'].map((host): Host => ({ host, port: 5432, ssl: false })) as [
  Host,
  Host,
  Host,
]

/** The hosts, on a clock that only pauses move, and with the shortest pauses that chance makes. */
function fake(random = 0) {
  const moves: string[] = []
  const pauses: number[] = []
  const now = { millis: 0 }
  const hosts = createHosts([a, b, c], ({ host }) => void moves.push(host), {
    nowMillis: () => now.millis,
    pause: (millis) => {
      pauses.push(millis)
      now.millis += millis
      return Promise.resolve()
    },
    random: () => random,
  })
  return { hosts, moves, pauses }
}

test('the host that was used last is tried first, and after it has failed the next one in their order', (t) => {
  const { hosts } = fake()
  t.equal(hosts.next(), a)
  hosts.failed(a)
  t.equal(hosts.next(), b)
  hosts.failed(a)
  t.equal(hosts.next(), b, 'a connection that was slower to fail changes nothing')
  hosts.used(c)
  t.equal(hosts.next(), c)
  hosts.failed(c)
  t.equal(hosts.next(), a)
  t.end()
})

test('another host than before is told', (t) => {
  const { hosts, moves } = fake()
  for (const host of [b, b, c]) hosts.used(host)
  t.same(moves, ['c'])
  t.end()
})

test('after all hosts have failed there are pauses, which double, are bounded, and end once a host is used', async (t) => {
  const { hosts, pauses } = fake()
  await hosts.ready()
  for (let round = 1; round <= 6; round += 1) {
    for (let caller = 1; caller <= 3; caller += 1) hosts.lost()
    await hosts.ready()
  }
  t.same(pauses, [50, 100, 200, 400, 500, 500], 'callers that fail together count once')
  hosts.used(b)
  hosts.lost()
  await hosts.ready()
  t.equal(pauses.at(-1), 50)
})

test('chance shortens a pause by up to a half', async (t) => {
  const { hosts, pauses } = fake(0.5)
  hosts.lost()
  await hosts.ready()
  t.same(pauses, [37.5])
})
