import { createSamples, expectOk } from '@sotto/test-kit'
import { test } from 'tap'
import { createIdempotencyKeys } from '../../src/secrets/idempotency-keys.ts'
import { createRecorder } from '../support/recorder.ts'

test('digests are claimed in the order of their bytes, so that no two requests wait for each other', async (t) => {
  const { db, statements } = createRecorder()
  const make = createSamples(1)
  const secret = make.secret(make.folder(make.uuid()))
  const digests = [9, 3, 7].map((first) => ({
    key: Uint8Array.from([first, ...make.bytes(31)]),
    request: make.bytes(32),
  }))
  const inserted = createIdempotencyKeys(db).insertSecret(secret, make.note(), {
    digests,
    forgottenByMicros: 0,
  })
  t.same(expectOk(await inserted), true)
  const claimed = statements
    .filter(({ text }) => text.startsWith('INSERT INTO idempotency_keys'))
    .map(({ values }) => values[1])
  t.same(
    claimed,
    [3, 7, 9].map((first) => digests.find(({ key }) => key[0] === first)?.key.subarray(0, 16)),
  )
})
