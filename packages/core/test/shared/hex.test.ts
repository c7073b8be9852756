import t from 'tap'
import { hexOf } from '../../src/shared/hex.ts'

t.test('bytes become two lower-case hexadecimal digits each', (t) => {
  t.equal(hexOf(Uint8Array.of(0, 9, 10, 171, 255)), '00090aabff')
  t.equal(hexOf(new Uint8Array()), '')
  t.end()
})
