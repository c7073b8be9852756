import t from 'tap'
import { smallHeapOptions } from '../../../packages/server/src/index.ts'
import { HEAP_OPTIONS } from '../../run/places.mjs'

t.test('npm start gives the server the options that it would restart itself with', (t) => {
  t.strictSame(HEAP_OPTIONS, smallHeapOptions)
  t.end()
})
