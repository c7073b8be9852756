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
  const order = () => hosts.order().map(({ host }) => host)
  return { hosts, order, moves, pauses, now }
}

test('hosts are tried in their order, the one that was used last first, and one that has failed last', (t) => {
  const { hosts, order } = fake()
  t.same(order(), ['a', 'b', 'c'])
  hosts.failed(a)
  t.same(order(), ['b', 'c', 'a'])
  hosts.failed(a)
  t.same(order(), ['b', 'c', 'a'], 'a connection that was slower to fail changes nothing')
  hosts.used(c)
  t.same(order(), ['c', 'a', 'b'])
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
