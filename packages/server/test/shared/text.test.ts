import t from 'tap'
import { counted, listed, timeText } from '../../src/shared/text.ts'

t.test('a count agrees with its noun', async (t) => {
  t.equal(counted(0, 'secret'), '0 secrets')
  t.equal(counted(1, 'secret'), '1 secret')
  t.equal(counted(2, 'row is', 'rows are'), '2 rows are')
})

t.test('a list has commas and one "and"', async (t) => {
  t.equal(listed([]), '')
  t.equal(listed(['a']), 'a')
  t.equal(listed(['a', 'b']), 'a and b')
  t.equal(listed(['a', 'b', 'c']), 'a, b and c')
})

t.test('a duration is in the largest unit of which there are two', async (t) => {
  t.equal(timeText(-3), '0 seconds')
  t.equal(timeText(1.9), '1 second')
  t.equal(timeText(119), '119 seconds')
  t.equal(timeText(120), '2 minutes')
  t.equal(timeText(7_199), '119 minutes')
  t.equal(timeText(7_200), '2 hours')
  t.equal(timeText(172_800), '2 days')
})
