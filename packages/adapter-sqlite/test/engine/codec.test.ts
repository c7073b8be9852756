import fc from 'fast-check'
import { test } from 'tap'
import { cursorOf, formIdBytes, uuidBytes, uuidOf } from '../../src/engine/codec.ts'

test('a UUID survives the way through its bytes, which sort like the text', (t) => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (one, other) => {
      const [a, b] = [uuidBytes(one), uuidBytes(other)]
      return (
        a.length === 16 &&
        uuidOf(a.toString('hex').toUpperCase()) === one &&
        Math.sign(a.compare(b)) === (one < other ? -1 : one > other ? 1 : 0)
      )
    }),
  )
  t.pass('for any two of them')
  t.end()
})

test('a form id survives the way through its column', (t) => {
  t.equal(formIdBytes('00ff'.repeat(8)).toString('hex'), '00ff'.repeat(8))
  t.end()
})

test('a cursor becomes the parameters of a comparison, and its absence those before every row', (t) => {
  const id = '019a0000-0000-7000-8000-000000000001'
  t.same(cursorOf({ createdAtMicros: 5, id }), [5, uuidBytes(id)])
  const [time, bytes] = cursorOf(undefined)
  t.ok(time < 0 && bytes.length === 0)
  t.end()
})
