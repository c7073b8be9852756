import type { StorageError } from '@sotto/core'
import { createManualClock, noonMicros } from '@sotto/test-kit'
import { errAsync, okAsync } from 'neverthrow'
import t from 'tap'
import { checkClock } from '../../src/storage/check-clock.ts'
import { idleMicros } from '../../src/storage/sweeper.ts'

const second = 1_000_000
const hour = 3_600 * second
const busy: StorageError = { code: 'storage_unavailable', reason: 'busy' }

interface State {
  readonly lastWrite?: number | undefined
  readonly lastSweep?: number | undefined
  readonly parted?: number
  readonly offset?: number
}

function check({ lastWrite, lastSweep, parted = 0, offset = 0 }: State) {
  return checkClock({
    upkeep: { lastWrite: () => okAsync(lastWrite), lastSweep: () => okAsync(lastSweep) },
    clock: createManualClock(noonMicros),
    offsetMicros: offset,
    watch: () => parted,
  })
}

t.test('without a write there is nothing to compare the clock with', async (t) => {
  t.match(await check({}), { ok: true, text: /^nothing has been written yet/ })
})

t.test('the last write may be long ago, and up to a minute in the future', async (t) => {
  t.match(await check({ lastWrite: noonMicros - 3 * hour }), { ok: true, text: /was 3 hours ago$/ })
  t.match(await check({ lastWrite: noonMicros + 60 * second }), { ok: true, text: /was 0 seconds ago$/ })
  t.match(await check({ lastWrite: noonMicros + 61 * second }), {
    ok: false,
    text: /61 seconds in the future/,
  })
})

t.test('a last sweep more than 40 days ago suspends sweeping', async (t) => {
  const lastWrite = noonMicros - hour
  t.match(await check({ lastWrite, lastSweep: noonMicros - idleMicros }), { ok: true })
  t.match(await check({ lastWrite, lastSweep: noonMicros - idleMicros - 1 }), {
    ok: false,
    text: /40 days.*sotto purge$/,
  })
})

t.test('a clock that is set during the check is reported, in either direction', async (t) => {
  t.match(await check({ parted: second }), { ok: true })
  for (const parted of [3 * second, -3 * second])
    t.match(await check({ parted }), {
      ok: false,
      text: 'it was set by 3 seconds during this check: correct it',
    })
})

t.test(
  'a clock of this machine that differs from the one that decides by more than two seconds is reported',
  async (t) => {
    for (const offset of [2 * second, -2 * second]) t.match(await check({ offset }), { ok: true })
    for (const [offset, text] of [
      [
        600 * second,
        'the clock of this machine is 10 minutes behind that of the database, which decides: set it',
      ],
      [
        -3 * second,
        'the clock of this machine is 3 seconds ahead of that of the database, which decides: set it',
      ],
    ] as const)
      t.match(await check({ offset }), { ok: false, text })
  },
)

t.test('the clock is not checked when the database cannot be read', async (t) => {
  const clock = createManualClock(noonMicros)
  for (const upkeep of [
    { lastWrite: () => errAsync(busy), lastSweep: () => okAsync(undefined) },
    { lastWrite: () => okAsync(noonMicros), lastSweep: () => errAsync(busy) },
  ])
    t.match(await checkClock({ upkeep, clock, offsetMicros: 0, watch: () => 0 }), {
      ok: undefined,
      text: /^not checked: /,
    })
})
