import {
  compareRows,
  copyFiles,
  copyRows,
  type Ciphertext,
  type TransferSource,
  type TransferTarget,
} from '@sotto/core'
import type { FullOpenStorage, FullStorageDriver } from '@sotto/identity'
import { ok } from 'neverthrow'
import { expectOk } from '../../contract/expect.ts'
import { noonMicros, type Samples } from '../../shared/samples.ts'
import { withStorage, type TransferPlaces } from './harness.ts'
import { fill, laterMicros, type SampleData } from './sample-data.ts'

/** Runs a whole move. */
export async function move(from: FullStorageDriver, to: FullStorageDriver): Promise<void> {
  await withBoth(from, to, async (source, target) => {
    expectOk(await copyRows(source, target))
    expectOk(await copyFiles(source, target))
    expectOk(await compareRows(source, target))
    expectOk(await source.leave())
    expectOk(await target.finish())
  })
}

export async function withBoth(
  from: FullStorageDriver,
  to: FullStorageDriver,
  work: (source: TransferSource, target: TransferTarget) => Promise<void>,
): Promise<void> {
  expectOk(await to.prepare(), 'preparing the target')
  await withSource(from, to.location, async (source) => {
    const target = expectOk(await to.openTransferTarget({ ...source, create: true }), 'opening the target')
    try {
      await work(source, target)
    } finally {
      await target.close()
    }
  })
}

export async function withSource(
  from: FullStorageDriver,
  to: string,
  work: (source: TransferSource) => Promise<void>,
): Promise<void> {
  const source = expectOk(await from.openTransferSource({ to }), 'opening the source')
  try {
    await work(source)
  } finally {
    await source.close()
  }
}

export interface Filled {
  readonly data: SampleData
  readonly instanceId: Uint8Array
}

/** Adds rows of every kind, a destroyed note, a long one, an open with a form, a session and a counted call. */
export function filled({
  driver,
  make,
}: Pick<TransferPlaces, 'driver' | 'make' | 'newDriver'>): Promise<Filled> {
  return withStorage(driver, async (storage) => {
    const data = await fill(storage, make)
    await addSpecialSecrets(storage, make, data)
    expectOk(await storage.quota.take('bucket', noonMicros, { perMinute: 5, perDay: 5 }))
    expectOk(await storage.upkeep.recordSweep(laterMicros))
    const rows = await data.seenIn(storage)
    return { data: { ...data, rows }, instanceId: Uint8Array.from(storage.instanceId) }
  })
}

async function addSpecialSecrets(
  { secrets, links, idempotencyKeys }: FullOpenStorage,
  make: Samples,
  { folder }: SampleData,
): Promise<void> {
  const spent = make.secret(folder, noonMicros + 2, { openLimit: 1 })
  expectOk(await secrets.insert(spent, make.note()))
  const opened = { opens: 1, openedAtMicros: noonMicros + 3, ticket: make.ticket() }
  const open = { ...opened, destroyNote: true, rememberForm: true }
  expectOk(await links.update(spent.link.lookup, 'ab'.repeat(16), () => ok(open)))
  const long = { ...make.note(), note: new Uint8Array(5_000).fill(7) as Ciphertext }
  expectOk(await secrets.insert(make.secret(folder, noonMicros + 3), long))
  const claimed = make.secret(folder, noonMicros + 4)
  const digests = [{ key: make.tokenDigest(), request: make.tokenDigest() }]
  expectOk(await idempotencyKeys.insertSecret(claimed, make.note(), { digests, forgottenByMicros: 0 }))
}
