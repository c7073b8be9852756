import t from 'tap'
import { isoMicros } from '../src/scalars.ts'

t.test('times have six digits after the second and are in UTC', async (t) => {
  t.equal(isoMicros(0), '1970-01-01T00:00:00.000000Z')
  t.equal(isoMicros(1), '1970-01-01T00:00:00.000001Z')
  t.equal(isoMicros(999_999), '1970-01-01T00:00:00.999999Z')
  t.equal(isoMicros(1_795_165_200_000_042), '2026-11-20T09:00:00.000042Z')
  t.equal(isoMicros(4_102_444_799_999_999), '2099-12-31T23:59:59.999999Z')
})
