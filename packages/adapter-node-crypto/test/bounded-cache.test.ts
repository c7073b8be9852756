import t from 'tap'
import { createBoundedCache } from '../src/bounded-cache.ts'

t.test('a value is made once while it is asked for', (t) => {
  const cache = createBoundedCache<{ name: string }>(3)
  const favourite = cache.get('favourite', () => ({ name: 'favourite' }))
  for (let round = 0; round < 100; round += 1) {
    cache.get(`other ${round}`, () => ({ name: 'other' }))
    t.equal(
      cache.get('favourite', () => ({ name: 'anew' })),
      favourite,
    )
  }
  t.end()
})

t.test('it never holds more than two generations', (t) => {
  const cache = createBoundedCache<number>(10)
  for (let name = 0; name < 1_000; name += 1) cache.get(String(name), () => name)
  let held = 0
  // From the newest to the oldest, so that what is made on the way pushes out nothing that is still to be asked for.
  for (let name = 999; name >= 0; name -= 1) if (cache.get(String(name), () => -1) !== -1) held += 1
  t.ok(held >= 10 && held <= 20, `${held} were held`)
  t.end()
})
