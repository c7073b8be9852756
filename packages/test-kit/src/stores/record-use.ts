import { setImmediate } from 'node:timers/promises'
import type { StorageError, Uuid } from '@sotto/core'
import type { ResultAsync } from 'neverthrow'
import { casesOf } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { storageCase, type StorageCase, type StorageUnderTest } from './harness.ts'

/** How often the store is asked for a recorded use before it counts as lost. */
const lookups = 200

/** Something whose uses are recorded: it is found with the time of its last use until it ends. */
export interface Used {
  readonly id: Uuid
  find(): ResultAsync<{ readonly lastUsedAtMicros: number | undefined } | undefined, StorageError>
  recordUse(id: Uuid, atMicros: number): void
  end(): ResultAsync<boolean, StorageError>
}

/** Cases of `recordUse`. */
export function recordUseCases(
  port: string,
  add: (store: StorageUnderTest, make: Samples) => Promise<Used>,
): readonly StorageCase[] {
  return casesOf({
    [`${port}/recorded-use-is-exact-or-lost`]: storageCase({
      rule: 'After recordUse the time is stored exactly, or lost; nothing else about the row changes.',
      async check(store, make) {
        const [mine, other] = [await add(store, make), await add(store, make)]
        const [before, others] = [expectOk(await mine.find()), expectOk(await other.find())]
        const lastUsedAtMicros = noonMicros + 60_000_000
        mine.recordUse(mine.id, lastUsedAtMicros)
        for (let lookup = 0; lookup < lookups; lookup += 1) {
          const found = expectOk(await mine.find())
          const isRecorded = found?.lastUsedAtMicros !== before?.lastUsedAtMicros
          same(found, isRecorded ? { ...before, lastUsedAtMicros } : before)
          if (isRecorded) break
          await setImmediate()
        }
        same(expectOk(await other.find()), others, 'another one')
      },
    }),
    [`${port}/record-use-never-fails`]: storageCase({
      rule: 'recordUse of an unknown id or of one that has ended, and many uses at the same time, are not errors: the store works as before.',
      async check(store, make) {
        const { id, find, recordUse, end } = await add(store, make)
        recordUse(make.uuid(), noonMicros)
        for (let use = 0; use < 100; use += 1) recordUse(id, noonMicros + use)
        await setImmediate()
        same(expectOk(await find()) !== undefined, true, 'whether it is found')
        same(expectOk(await end()), true)
        recordUse(id, noonMicros)
        await setImmediate()
        same(expectOk(await find()), undefined)
      },
    }),
  })
}
