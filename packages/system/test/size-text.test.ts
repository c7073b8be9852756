import t from 'tap'
import { sizeText } from '../src/index.ts'

t.test('a size is in its largest unit', async (t) => {
  t.equal(sizeText(1), '1 byte')
  t.equal(sizeText(999), '999 bytes')
  t.equal(sizeText(1_024), '1.0 kB')
  t.equal(sizeText(1_234_567), '1.2 MB')
  t.equal(sizeText(5e9), '4.7 GB')
})
