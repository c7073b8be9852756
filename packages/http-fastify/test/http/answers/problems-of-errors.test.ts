import t from 'tap'
import { fieldsProblem, problemOf } from '../../../src/http/answers/problems-of-errors.ts'

t.test('errors of the server do not reveal their cause', async (t) => {
  for (const error of [
    { code: 'storage_failed', detail: 'secret path' },
    { code: 'data_damaged', what: 'secret.head', id: 'x' },
  ] as const) {
    t.same(problemOf(error), { status: 500, message: 'Server error.' }, error.code)
  }
})

t.test('what is over soon is 503 with a time to wait', async (t) => {
  for (const error of [
    { code: 'storage_unavailable', reason: 'busy' },
    { code: 'storage_unavailable', reason: 'full' },
    { code: 'storage_unavailable', reason: 'outcome_unknown' },
    { code: 'hasher_busy' },
    { code: 'key_retired' },
    { code: 'key_unknown', kid: 3 },
  ] as const) {
    const { status, headers } = problemOf(error)
    t.equal(status, 503, error.code)
    t.match(headers?.['retry-after'], /^[1-9]\d*$/, error.code)
  }
})

t.test('a write that may have happened is not told as one that did not', async (t) => {
  const { message } = problemOf({ code: 'storage_unavailable', reason: 'outcome_unknown' })
  t.match(message, /may have taken effect.* the same Idempotency-Key/)
  t.notMatch(problemOf({ code: 'storage_unavailable', reason: 'busy' }).message, /may have/)
})

t.test('a used-up quota says when its window ends', async (t) => {
  const problem = problemOf({
    code: 'quota_exceeded',
    resetAtMicros: 1_795_165_260_000_001,
    retryAfterSeconds: 21,
  })
  t.match(problem, { status: 429, headers: { 'retry-after': '21', 'x-ratelimit-reset': '1795165261' } })
})

t.test('invalid fields are named as on the wire', async (t) => {
  const problem = problemOf({
    code: 'fields_invalid',
    errors: [
      { field: 'folderId', rule: 'unknown_folder' },
      { field: 'openLimit', rule: 'out_of_range', limit: 1_000_000 },
    ],
  })
  t.match(problem, {
    status: 400,
    errors: {
      folder_id: ['is not the id of a folder of yours'],
      open_limit: ['must be a whole number from 0 to 1000000'],
    },
  })
})

t.test('without a field that may be named there are no errors, but still a 400', async (t) => {
  t.same(fieldsProblem({}), { status: 400, message: 'Some fields are not valid.' })
})

t.test('a locked link says when to try again', async (t) => {
  const locked = { code: 'link_locked', reason: 'wrong_passwords', retryAfterSeconds: 1_800 } as const
  t.match(problemOf(locked), { status: 429, headers: { 'retry-after': '1800' } })
})
