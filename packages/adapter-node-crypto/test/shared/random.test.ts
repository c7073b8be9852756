import t from 'tap'
import { createRandomBytes, random } from '../../src/shared/random.ts'

t.test('there are as many bytes as asked for, different each time', (t) => {
  for (const count of [1, 8, 32, 65_536]) t.equal(random.bytes(count).length, count)
  t.notSame(random.bytes(32), random.bytes(32))
  t.end()
})

t.test('a count out of bounds is a mistake of the caller', (t) => {
  for (const count of [0, -1, 1.5, 65_537, NaN]) t.throws(() => random.bytes(count), TypeError, String(count))
  t.end()
})

t.test('bytes come from a pool in order, each once', (t) => {
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
  }
  t.equal(new Set(given).size, given.length, 'no bytes are given twice')
  t.notOk(given.includes(0), 'and none before the pool is filled')
  t.ok(filled.filter(({ length }) => length > 68).length > 2, 'another pool is filled again and again')
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

t.test('bytes that are set to zero have no other copy, and their neighbours stay', (t) => {
  const filled: Buffer[] = []
  const randomBytes = createRandomBytes((bytes) => filled.push(bytes.fill(7)))
  const [before, key, after] = [randomBytes(4), randomBytes(32), randomBytes(4)]
  key.fill(0)
  t.same(
    [...before, ...after],
    Array.from({ length: 8 }, () => 7),
  )
  t.strictSame(filled[0]?.subarray(4, 36), Buffer.alloc(32))
  t.end()
})
