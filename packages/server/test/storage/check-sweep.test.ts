import { eraseAfterMicros } from '@sotto/core'
import { createManualClock, noonMicros } from '@sotto/test-kit'
import { errAsync, okAsync } from 'neverthrow'
import t from 'tap'
import { checkSweep } from '../../src/storage/check-sweep.ts'

const hour = 3_600_000_000
const clock = createManualClock(noonMicros)

function check(oldest: number | undefined) {
  return checkSweep({ upkeep: { oldestExpiry: () => okAsync(oldest) }, clock })
}

t.test('a secret that should have been erased an hour ago is reported', async (t) => {
  t.match(await check(undefined), { check: 'sweep', ok: true })
  t.match(await check(noonMicros + hour), { ok: true })
  t.match(await check(noonMicros - eraseAfterMicros - hour), { ok: true })
  t.match(await check(noonMicros - eraseAfterMicros - hour - 1), {
    ok: false,
    text: /^a secret expired 70 minutes ago and is not erased.*sotto purge$/,
  })
})

t.test('it is not checked when the database cannot be read', async (t) => {
  const upkeep = { oldestExpiry: () => errAsync({ code: 'storage_unavailable', reason: 'busy' } as const) }
  t.match(await checkSweep({ upkeep, clock }), { ok: undefined })
})
