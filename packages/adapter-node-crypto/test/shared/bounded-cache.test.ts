import t from 'tap'
import { createBoundedCache } from '../../src/shared/bounded-cache.ts'

t.test('a value that is used is made once', (t) => {
  const cache = createBoundedCache<{ name: string }>(3)
  const favourite = cache.get('favourite', () => ({ name: 'favourite' }))
  for (let round = 0; round < 100; round += 1) {
    cache.get(`other ${round}`, () => ({ name: 'other' }))
    t.equal(
      cache.get('favourite', () => ({ name: 'made again' })),
      favourite,
    )
  }
  t.end()
})

t.test('it never holds more than two generations', (t) => {
  const cache = createBoundedCache<number>(10)
  for (let name = 0; name < 1_000; name += 1) cache.get(String(name), () => name)
  let cached = 0
  // From the newest to the oldest, so that a value that is made on the way displaces none that is still to be counted.
  for (let name = 999; name >= 0; name -= 1) if (cache.get(String(name), () => -1) !== -1) cached += 1
  t.ok(cached >= 10 && cached <= 20, `${cached} were cached`)
  t.end()
})

t.test('a generation holds exactly its size', (t) => {
  const cache = createBoundedCache<string>(2)
  const get = (name: string) => cache.get(name, () => `made for ${name}`)
  const made: string[] = []
  for (const name of ['a', 'b', 'c', 'd', 'e']) get(name)
  // c and d are the old generation, e the young one.
  for (const name of ['e', 'd', 'b']) cache.get(name, () => (made.push(name), name))
  t.strictSame(made, ['b'])
  t.end()
})
