import t from 'tap'
import { Printer, summaryOf } from '../tap-output.mjs'

/** What a printer has found out about the output of a runner. */
function read(t: { intercept: typeof import('tap').t.intercept }, output: string): Printer {
  t.intercept(console, 'log', { value: () => undefined })
  const printer = new Printer()
  for (const line of output.split('\n')) printer.line(line)
  return printer
}

const ofTap = `TAP version 14
# Subtest: packages/a/test/a.test.ts
    # Subtest: outer
        # Subtest: middle
            ok 1 - inner # SKIP no chromium \\# here
            1..1
        ok 1 - middle # time=1.5ms
        ok 2 - bare # SKIP
        ok 3 - later # TODO not yet
        ok 4 - runs
        1..4
    ok 1 - outer # time=13.708ms
    ok 2 - whole # SKIP no strace
    1..2
ok 1 - packages/a/test/a.test.ts # time=49.101ms

# Subtest: packages/a/test/b.test.ts
    not ok 1 - fails
    1..1
not ok 2 - packages/a/test/b.test.ts # time=1ms
ok 3 - packages/a/test/empty.test.ts # SKIP no tests found
`

const ofNode = `TAP version 13
# Subtest: top
ok 1 - top # SKIP the harness does not support wall
  ---
  type: 'test'
  ...
# Subtest: outer
    # Subtest: inner
    ok 1 - inner # SKIP deep
      ---
      type: 'test'
      ...
    1..1
ok 2 - outer
  ---
  type: 'test'
  ...
`

t.test('skipped tests of tap are named, each with its file and its reason', async (t) => {
  const { skipped, emptyFiles } = read(t, ofTap)
  const file = 'packages/a/test/a.test.ts'
  t.strictSame(skipped, [
    { place: `${file} › outer › middle`, name: 'inner', reason: 'no chromium # here' },
    { place: `${file} › outer`, name: 'bare', reason: 'skip' },
    { place: `${file} › outer`, name: 'later', reason: 'not yet' },
    { place: file, name: 'whole', reason: 'no strace' },
  ])
  t.equal(emptyFiles, 1, 'a file without a test is a failure instead')
})

t.test('skipped tests of Node’s runner are named', async (t) => {
  t.strictSame(read(t, ofNode).skipped, [
    { place: '', name: 'top', reason: 'the harness does not support wall' },
    { place: 'outer', name: 'inner', reason: 'deep' },
  ])
})

t.test('the summary counts and names what was skipped, and ends with the counts of the others', async (t) => {
  t.equal(summaryOf({ passed: 7, failed: 0, skipped: 0 }, []), '7 passed, 0 failed')
  const skipped = [
    { place: 'a › b', name: 'one', reason: 'why' },
    { place: '', name: 'alone', reason: 'skip' },
    { place: 'a › b', name: 'other', reason: 'why' },
  ]
  t.equal(
    summaryOf({ passed: 7, failed: 1, skipped: 3 }, skipped),
    '3 skipped:\n  a › b, why: one, other\n  skip: alone\n7 passed, 1 failed',
  )
})
