import t from 'tap'
import { toWireSwept } from '../../src/storage/swept.ts'

// Scripts read these documents, so each is compared as text, the order of its fields included.

t.test('a purge', async (t) => {
  t.equal(
    JSON.stringify(toWireSwept({ secrets: 1, quotaBuckets: 2, files: 3 })),
    '{"secrets":1,"quota_buckets":2,"files":3}',
  )
})
