import { test } from 'tap'
import { lockLease, lockTarget } from '../../src/stores/targets.ts'
import { createRecorder } from '../support/recorder.ts'

const id = '00000000-0000-7000-8000-000000000001'
const target = { kind: 'mail', accountId: id } as const

test('a target is locked before anything is read that depends on it', async (t) => {
  const { sql, statements } = createRecorder()
  await lockTarget(sql, target)
  await lockLease(sql, { id, target })
  const [put, find] = statements
  t.match(put?.text, /ON CONFLICT .* DO UPDATE/, 'DO NOTHING would not lock the row that is there')
  t.match(find?.text, /FOR UPDATE$/)
})
