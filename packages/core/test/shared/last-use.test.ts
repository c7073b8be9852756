import t from 'tap'
import { isUseToBeRecorded, lastUseEveryMicros } from '../../src/shared/last-use.ts'

t.test('a use is recorded when the last record is a minute old, or lies a minute ahead', (t) => {
  const last = 1_000_000_000
  t.equal(lastUseEveryMicros, 60 * 1_000_000)
  t.equal(isUseToBeRecorded(undefined, last), true)
  t.equal(isUseToBeRecorded(last, last), false)
  t.equal(isUseToBeRecorded(last, last + lastUseEveryMicros - 1), false)
  t.equal(isUseToBeRecorded(last, last + lastUseEveryMicros), true)
  t.equal(isUseToBeRecorded(last, last - lastUseEveryMicros + 1), false, 'a clock that was set back a little')
  t.equal(isUseToBeRecorded(last, last - lastUseEveryMicros), true)
  t.end()
})
