import { test } from 'tap'
import { rangeOf } from '../../../src/http/request/range.ts'

const all = { start: 0, end: 100, isPart: false }

/** The forms that RFC 9110 names, of 100 bytes: sections 14.1.1, 14.1.2, 14.2 and 5.6.1.2. */
const ranges = {
  'an int-range': [
    ['bytes=0-', [0, 100]],
    ['bytes=0-0', [0, 1]],
    ['bytes=99-', [99, 100]],
    ['bytes=10-19', [10, 20]],
    ['bytes=0-98', [0, 99]],
    ['bytes=99-99', [99, 100]],
    ['bytes=007-008', [7, 9]],
  ],
  'one whose end is not before that of the content': [
    ['bytes=10-99', [10, 100]],
    ['bytes=10-100', [10, 100]],
    ['bytes=10-1000', [10, 100]],
    ['bytes=0-9223372036854775807', [0, 100]],
    [`bytes=5-${'9'.repeat(400)}`, [5, 100]],
  ],
  'a suffix-range': [
    ['bytes=-1', [99, 100]],
    ['bytes=-10', [90, 100]],
    ['bytes=-100', [0, 100]],
    ['bytes=-1000', [0, 100]],
    [`bytes=-${'9'.repeat(400)}`, [0, 100]],
  ],
  'names of units have no case': [
    ['BYTES=5-6', [5, 7]],
    ['Bytes=-1', [99, 100]],
  ],
  'empty elements and white space around them': [
    ['bytes= 0-9', [0, 10]],
    ['bytes=,0-9', [0, 10]],
    ['bytes=0-9,', [0, 10]],
    ['bytes= , 0-9 ,\t, ', [0, 10]],
  ],
  'one that is unsatisfiable': [
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=100-200', 'unsatisfiable'],
    ['bytes=99999999999999999999-', 'unsatisfiable'],
    [`bytes=${'9'.repeat(400)}-`, 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=-000', 'unsatisfiable'],
  ],
  none: [[undefined, all]],
  'one that is invalid': [
    ['bytes=20-10', all],
    ['bytes=200-100', all],
    ['', all],
    ['bytes', all],
    ['bytes=', all],
    ['bytes=,', all],
    ['bytes=-', all],
    ['bytes=5', all],
    ['bytes=--5', all],
    ['bytes=5--', all],
    ['bytes=a-b', all],
    ['bytes=0x1-2', all],
    ['bytes=1.5-2', all],
    ['bytes=+1-2', all],
    ['bytes=1 - 2', all],
    ['bytes =1-2', all],
    [' bytes=1-2', all],
    ['bytes:1-2', all],
    ['bytes=1-2;', all],
    ['bytes=1-2\u00a0', all],
    ['bytes=\u0661-\u0662', all],
    ['bytes=1-2\n', all],
  ],
  'another unit': [
    ['items=0-1', all],
    ['bits=0-1', all],
    ['xbytes=0-1', all],
  ],
  several: [
    ['bytes=0-0,-1', all],
    ['bytes=0-1,5-6', all],
    ['bytes=500-600,601-999', all],
    ['bytes=0-1, bytes=2-3', all],
  ],
} as const

for (const [form, given] of Object.entries(ranges))
  test(`a range is read as RFC 9110 has it: ${form}`, (t) => {
    for (const [field, expected] of given)
      t.same(
        rangeOf(field, 100),
        typeof expected === 'string' || 'start' in expected
          ? expected
          : { start: expected[0], end: expected[1], isPart: true },
        field ?? 'none',
      )
    t.end()
  })

test('of no bytes, all are given or a range is unsatisfiable', (t) => {
  const none = { start: 0, end: 0, isPart: false }
  for (const field of [undefined, 'bytes=-5', 'bytes=-1', 'bytes=5-4'])
    t.same(rangeOf(field, 0), none, field ?? '')
  for (const field of ['bytes=0-', 'bytes=0-0', 'bytes=-0']) t.same(rangeOf(field, 0), 'unsatisfiable', field)
  t.end()
})
