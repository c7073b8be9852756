import t from 'tap'
import { createRandomBytes, random } from '../src/random.ts'

t.test('there are as many bytes as asked for, different each time, in an array of their own', (t) => {
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

t.test('bytes come from a pool in order, each once, and are zero in the pool afterwards', (t) => {
  let next = 0
  const filled: Buffer[] = []
  const randomBytes = createRandomBytes((bytes) => {
    filled.push(bytes)
    for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32BE((next += 1), at)
  })
  const given: number[] = []
  for (let round = 0; round < 5_000; round += 1) {
    const bytes = randomBytes(round % 7 === 0 ? 68 : 4 * (1 + (round % 3)))
    for (let at = 0; at < bytes.length; at += 4) given.push(bytes.readUInt32BE(at))
    if (filled.at(-1)?.includes(bytes) === true && bytes.length < 68) t.fail('they are still in the pool')
  }
  t.equal(new Set(given).size, given.length, 'no bytes are given twice')
  t.notOk(given.includes(0), 'and none before the pool is filled')
  const pool = filled.find(({ length }) => length > 68)
  t.ok(pool && filled.filter((bytes) => bytes === pool).length > 2, 'the pool is filled again and again')
  t.end()
})

t.test('the pool is filled only when it is used up, and more than 64 bytes do not come from it', (t) => {
  const filled: number[] = []
  const randomBytes = createRandomBytes((bytes) => {
    filled.push(bytes.length)
    bytes.fill(7)
  })
  for (let round = 0; round < 64; round += 1) randomBytes(64)
  t.strictSame(filled, [4_096])
  randomBytes(1)
  t.strictSame(filled, [4_096, 4_096])
  randomBytes(65)
  t.strictSame(filled, [4_096, 4_096, 65])
  t.end()
})

t.test('bytes that were handed out are zero in the pool', (t) => {
  const filled: Buffer[] = []
  const randomBytes = createRandomBytes((bytes) => filled.push(bytes.fill(7)))
  randomBytes(5)
  t.strictSame([...(filled[0]?.subarray(0, 6) ?? [])], [0, 0, 0, 0, 0, 7])
  t.end()
})
