import t from 'tap'
import { compare, differentFrom } from '../../campaigns/timing/statistics.ts'

/** Times that look like those of requests: most of them near 300 µs, one in ten much slower. */
function sample(seed: number, addedMicros = 0): readonly number[] {
  let state = seed
  const chance = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return Array.from({ length: 5_000 }, () => {
    const usual = 270 + 20 * (chance() + chance() + chance())
    return usual + addedMicros + (chance() < 0.1 ? 5_000 * chance() : 0)
  })
}

t.test('samples of the same times do not count as different', (t) => {
  for (let seed = 1; seed <= 20; seed += 1)
    t.ok(Math.abs(compare(sample(seed), sample(seed + 1_000)).t) < differentFrom, String(seed))
  t.end()
})

t.test('5 µs more are noticed in either sample, although one request in ten is disturbed', (t) => {
  const [later, earlier] = [compare(sample(1, 5), sample(2)), compare(sample(1), sample(2, 5))]
  t.ok(later.t >= differentFrom && later.difference > 2)
  t.ok(earlier.t <= -differentFrom && earlier.difference < -2)
  t.end()
})

t.test('samples without a common value are different', (t) => {
  t.ok(compare(sample(1, 10_000), sample(2)).t >= differentFrom)
  t.end()
})
