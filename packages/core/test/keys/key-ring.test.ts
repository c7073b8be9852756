import t from 'tap'
import { compareKeyRing } from '../../src/keys/key-ring.ts'

const ring = {
  kids: () => [1, 2],
  checkValue: (kid: number) => Uint8Array.of(kid, kid, kid),
}
const known = (kid: number, ...checkValue: number[]) => ({ kid, checkValue: Uint8Array.from(checkValue) })
const missing = (kid: number) => ({ code: 'key_ring_unfit', kid, reason: 'missing' })
const wrong = (kid: number) => ({ code: 'key_ring_unfit', kid, reason: 'wrong' })

const table = [
  { name: 'no known key', keys: [], unfit: [] },
  { name: 'every known key is in the ring', keys: [known(1, 1, 1, 1), known(2, 2, 2, 2)], unfit: [] },
  { name: 'the ring has a key that is not known yet', keys: [known(2, 2, 2, 2)], unfit: [] },
  { name: 'a key is missing', keys: [known(3, 3, 3, 3)], unfit: [missing(3)] },
  { name: 'a different key has this number', keys: [known(1, 1, 1, 9)], unfit: [wrong(1)] },
  { name: 'a shorter check value', keys: [known(1, 1, 1)], unfit: [wrong(1)] },
  { name: 'a longer check value', keys: [known(1, 1, 1, 1, 1)], unfit: [wrong(1)] },
  { name: 'an empty check value', keys: [known(1)], unfit: [wrong(1)] },
  {
    name: 'every unfit key is reported, in the given order',
    keys: [known(4), known(2, 2, 2, 2), known(1, 9, 9, 9), known(3)],
    unfit: [missing(4), wrong(1), missing(3)],
  },
]

for (const { name, keys, unfit } of table) {
  t.test(name, (t) => {
    t.strictSame(compareKeyRing(ring, keys), unfit)
    t.end()
  })
}
