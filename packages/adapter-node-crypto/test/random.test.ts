import t from 'tap'
import { random } from '../src/random.ts'

t.test('as many bytes as asked for, others each time, in an array of their own', (t) => {
  for (const count of [1, 8, 32, 65_536]) t.equal(random.bytes(count).length, count)
  const one = random.bytes(32)
  const other = random.bytes(32)
  t.notSame(one, other)
  t.not(one.buffer, other.buffer)
  t.equal(one.buffer.byteLength, 32)
  t.end()
})

t.test('a count out of bounds is a mistake of the caller', (t) => {
  for (const count of [0, -1, 1.5, 65_537, NaN]) t.throws(() => random.bytes(count), TypeError, String(count))
  t.end()
})
