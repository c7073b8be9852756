import t from 'tap'
import { faultsByField, refusalOf } from '../src/error-answers.ts'

t.test('failures of the server say nothing of their cause', async (t) => {
  for (const error of [
    { code: 'storage_failed', detail: 'secret path' },
    { code: 'data_damaged', what: 'secret.head', id: 'x' },
    { code: 'key_unknown', kid: 3 },
  ] as const) {
    t.same(refusalOf(error), { status: 500, message: 'Server error.' }, error.code)
  }
})

t.test('what is over soon is 503 and says when to come again', async (t) => {
  for (const error of [
    { code: 'storage_unavailable', reason: 'busy' },
    { code: 'storage_unavailable', reason: 'full' },
    { code: 'cipher_busy' },
    { code: 'key_retired' },
  ] as const) {
    const { status, headers } = refusalOf(error)
    t.equal(status, 503, error.code)
    t.match(headers?.['retry-after'], /^[1-9]\d*$/, error.code)
  }
})

t.test('a used up quota says when its window ends', async (t) => {
  const refusal = refusalOf({
    code: 'quota_exceeded',
    resetAtMicros: 1_795_165_260_000_001,
    retryAfterSeconds: 21,
  })
  t.match(refusal, { status: 429, headers: { 'retry-after': '21', 'x-ratelimit-reset': '1795165261' } })
})

t.test('fields at fault are named as on the wire', async (t) => {
  const refusal = refusalOf({
    code: 'fields_invalid',
    faults: [
      { field: 'folderId', rule: 'unknown_folder' },
      { field: 'openLimit', rule: 'out_of_range', limit: 1_000_000 },
    ],
  })
  t.match(refusal, {
    status: 400,
    errors: {
      folder_id: ['is not the id of a folder of yours'],
      open_limit: ['must be a whole number from 0 to 1000000'],
    },
  })
})

t.test('lengths are told in the unit of their field', async (t) => {
  const told = faultsByField([
    { field: 'label', rule: 'too_long', limit: 255 },
    { field: 'note', rule: 'too_long', limit: 65_536 },
  ])
  t.same(told, {
    label: ['must be at most 255 characters long'],
    note: ['must be at most 65536 bytes of UTF-8 long'],
  })
})
