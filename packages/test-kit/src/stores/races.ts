import type { ResultAsync } from 'neverthrow'
import { expectOk } from '../contract/expect.ts'
import { same } from '../contract/compare.ts'
import type { StorageUnderTest } from './harness.ts'

export interface Race<Rival> {
  /** Each on the same data. The rivals take turns. */
  readonly stores: readonly [StorageUnderTest, StorageUnderTest]
  readonly makeRival: () => Rival
  readonly run: (store: StorageUnderTest, rival: Rival) => ResultAsync<boolean, unknown>
}

/**
 * Runs twelve rivals at the same time. Holds when exactly one of them succeeds, with Ok(true), and the others answer Ok(false).
 * @returns the rival that succeeded
 */
export async function onlyWinner<Rival>({ stores, makeRival, run }: Race<Rival>): Promise<Rival> {
  const [store, beside] = stores
  const rivals = Array.from({ length: 12 }, makeRival)
  const results = await Promise.all(rivals.map((rival, at) => run(at % 2 === 0 ? store : beside, rival)))
  const succeeded = results.map((result) => expectOk(result))
  const winners = rivals.filter((_, at) => succeeded[at])
  same(winners.length, 1, 'how many succeeded')
  return winners[0] as Rival
}
