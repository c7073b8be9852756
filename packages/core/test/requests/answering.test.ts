import t from 'tap'
import { createSamples, expectErr, expectOk } from '@sotto/test-kit'
import type { StoredRequest } from '../../src/requests/request-store.ts'
import { answersLeft, decideAnswer } from '../../src/requests/answering.ts'
import { noAttempts } from '../../src/shared/attempts.ts'

const now = 1_700_000_000_000_000
const make = createSamples(1)
const folder = make.folder(make.uuid())

// Promise (Requests): Once it is closed a request takes no answer, also of those that found it open before
t.test('a request takes no answer once it is over, closed or full', (t) => {
  const open = { answersAllowed: 3, closesAtMicros: now + 1 }
  const cases: readonly (readonly [Partial<StoredRequest>, answers: number, closedAt?: number])[] = [
    [open, 2],
    [{ ...open, closesAtMicros: now }, 2],
    [open, 2, now],
    [open, 3],
  ]
  for (const [at, [columns, answers, closedAtMicros]] of cases.entries()) {
    const record = { request: make.request(folder, columns), state: { answers, closedAtMicros } }
    t.equal(answersLeft(record, now), at === 0 ? 1 : 0)
    const found = { ...record, attempts: noAttempts, receivedAtMicros: undefined }
    const decided = decideAnswer(found, { nowMicros: now, attemptId: 'this attempt', eventId: undefined })
    if (at === 0) t.match(expectOk(decided), { accepted: { answers: 3, receivedAtMicros: now } })
    else t.strictSame(expectErr(decided), { code: 'request_not_found' })
  }
  t.end()
})
