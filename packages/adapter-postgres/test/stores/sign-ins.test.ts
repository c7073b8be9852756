import { expectOk } from '@sotto/test-kit'
import { ok } from 'neverthrow'
import { test } from 'tap'
import { createSignIns } from '../../src/stores/sign-ins.ts'
import { createRecorder } from '../support/recorder.ts'

test('buckets are locked in the order of their bytes, so that no two attempts wait for each other', async (t) => {
  const { db, statements } = createRecorder()
  const [low, high] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
  expectOk(await createSignIns(db).update([high, low], () => ok({ buckets: [undefined, undefined] })))
  const [lock] = statements
  t.equal(lock?.name, 'sign_ins_lock')
  t.match(lock?.text, 'DO UPDATE', 'a bucket that is there is locked, too')
  t.same(lock?.values, [[low, high]])
})
