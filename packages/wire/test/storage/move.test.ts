import type { TransferredCounts } from '@sotto/core'
import t from 'tap'
import { toWireMoved } from '../../src/storage/move.ts'

t.test('move says from where to where, and how many rows', (t) => {
  const counts: TransferredCounts = { accounts: 1, access_tokens: 2 }
  const contents = { files: 2, bytes: 70_000 }
  const moved = toWireMoved({ from: '/d', to: 'postgres://h/d', rows: counts, contents })
  t.strictSame(moved, { from: '/d', to: 'postgres://h/d', rows: counts, file_bytes: 70_000 })
  const before = { from: '/d', to: '/e', rows: undefined, contents: { files: 0, bytes: 0 } }
  t.equal(toWireMoved(before).rows, null)
  t.end()
})
