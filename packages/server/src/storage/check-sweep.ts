import { eraseAfterMicros, type Clock, type Finding, type Upkeep } from '@sotto/core'
import { timeText } from '../shared/text.ts'
import { bad, good, unchecked } from '../shared/finding.ts'

const check = 'sweep'

/** How long after its time a sweep may come: a server sweeps every minute. */
const lateMicros = 3_600 * 1_000_000

/** Checks that what has expired is erased: a server that suspects its clock erases nothing. */
export async function checkSweep({
  upkeep,
  clock,
}: {
  readonly upkeep: Pick<Upkeep, 'oldestExpiry'>
  readonly clock: Clock
}): Promise<Finding> {
  const oldest = await upkeep.oldestExpiry()
  if (oldest.isErr()) return unchecked(check, 'the database cannot be read')
  const expiredForMicros = clock.nowMicros() - (oldest.value ?? Infinity)
  if (expiredForMicros <= eraseAfterMicros + lateMicros) return good(check, 'what has expired is erased')
  const text = `a secret expired ${timeText(expiredForMicros / 1e6)} ago and is not erased`
  return bad(
    check,
    `${text}: no server runs, or it suspects the clock. Check the clock, then run: sotto purge`,
  )
}
