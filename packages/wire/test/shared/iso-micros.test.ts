import t from 'tap'
import { isoMicros } from '../../src/shared/iso-micros.ts'

// Promise (The JSON API): Timestamps are ISO 8601 in UTC with microseconds
t.test('times have six digits after the second and are in UTC', async (t) => {
  t.equal(isoMicros(0), '1970-01-01T00:00:00.000000Z')
  t.equal(isoMicros(1), '1970-01-01T00:00:00.000001Z')
  t.equal(isoMicros(999_999), '1970-01-01T00:00:00.999999Z')
  t.equal(isoMicros(1_795_165_200_000_042), '2026-11-20T09:00:00.000042Z')
  t.equal(isoMicros(4_102_444_799_999_999), '2099-12-31T23:59:59.999999Z')
})

t.test('a time has the text of toISOString, whatever times came before it', (t) => {
  const text = (micros: number) => {
    const millis = Math.floor(micros / 1_000)
    return `${new Date(millis).toISOString().slice(0, -1)}${String(micros - millis * 1_000).padStart(3, '0')}Z`
  }
  const day = 86_400_000_000
  const around = [0, 1, -1, 999, 1_000, 59_999_999, 60_000_000, 3_599_999_999, 3_600_000_000, day - 1]
  const days = [0, -1, 1, 59, 789, 11_016, 20_776, 20_777, 20_776, 20_806, 20_777, 104_000, -104_000]
  for (const start of days)
    for (const after of around) t.equal(isoMicros(start * day + after), text(start * day + after))
  for (let round = 0; round < 1_000; round += 1) {
    const micros = Math.floor(Math.random() * 4e15)
    t.equal(isoMicros(micros), text(micros), String(micros))
  }
  t.end()
})

t.test('what is no time throws', (t) => {
  for (const micros of [NaN, Infinity, 8.7e18]) t.throws(() => isoMicros(micros), RangeError)
  t.end()
})
