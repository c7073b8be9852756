import type { Uuid } from '@sotto/core'
import { ok } from 'neverthrow'
import { noonMicros, type Samples } from '../shared/samples.ts'
import type { Call, StorageUnderTest } from '../stores/harness.ts'
import { reportsNothing } from '../stores/rows.ts'

/** A call of every method of the store of requests. */
export function callsOfRequests(
  { requests }: StorageUnderTest,
  make: Samples,
  accountId: Uuid,
): readonly Call[] {
  const folder = make.folder(accountId)
  const { id } = make.request(folder)
  const digest = make.tokenDigest()
  return [
    () => requests.insert(make.request(folder), digest),
    () => requests.find(accountId, id, noonMicros),
    () => requests.page({ accountId, nowMicros: noonMicros }, undefined, 1),
    () => requests.countOpen({ accountId, nowMicros: noonMicros }),
    () => requests.close(accountId, id, noonMicros),
    () => requests.findByDigest(digest, noonMicros),
    () => requests.answer(digest, {}, { secret: make.draft(folder), note: make.note() }, () => ok({})),
    () => requests.eraseIn(accountId, folder.id, 1),
    () => requests.eraseExpired(noonMicros, 1, reportsNothing),
  ]
}
