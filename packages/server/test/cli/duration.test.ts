import t from 'tap'
import { parseDuration } from '../../src/cli/duration.ts'

t.test('a duration is a number and a unit', async (t) => {
  t.equal(parseDuration('90d'), 7_776_000)
  t.equal(parseDuration('12h'), 43_200)
  t.equal(parseDuration('30m'), 1_800)
  t.equal(parseDuration('45s'), 45)
})

t.test('any other text is not a duration', async (t) => {
  for (const text of [
    '',
    '90',
    'd',
    '0d',
    '-1d',
    '1.5d',
    '1e3d',
    ' 90d',
    '90 d',
    '90D',
    '90d12h',
    '1w',
    '99999999999d',
  ]) {
    t.equal(parseDuration(text), undefined, text)
  }
})
