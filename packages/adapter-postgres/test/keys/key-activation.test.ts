import type { StoredFolder } from '@sotto/core'
import type { FullOpenStorage } from '@sotto/identity'
import { expectErr, expectOk, type Samples } from '@sotto/test-kit'
import pg from 'pg'
import { after, test, type Test } from 'tap'
import { writableKid } from '../../src/secrets/insert-secret.ts'
import { besideTransaction, insideTransaction, waitingForLock } from '../support/blocking.ts'
import { openStorage, startDatabases } from '../support/databases.ts'
import { addSampleFolder } from '../support/sample-folder.ts'

const databases = await startDatabases()
after(() => databases.stop())

const [oldKid, newKid] = [100, 101]

/** A storage with an active key, one that waits, and a folder. */
async function withTwoKeys(t: Test): Promise<{
  readonly storage: FullOpenStorage
  readonly make: Samples
  readonly folder: StoredFolder
  readonly url: string
}> {
  const { url, giveBack } = await databases.take()
  const storage = await openStorage(url)
  t.teardown(async () => {
    await storage.close()
    giveBack()
  })
  const { make, folder } = await addSampleFolder(storage)
  for (const kid of [oldKid, newKid])
    expectOk(
      await storage.keys.add({ kid, checkValue: make.bytes(32), createdAtMicros: 1, isReadOnly: true }),
    )
  t.equal(expectOk(await storage.keys.activate(oldKid)), true)
  return { storage, make, folder, url }
}

const insertFolder = (make: Samples, { accountId }: StoredFolder, kid: string): string =>
  `INSERT INTO folders (id, account_id, created_at, kid, label) VALUES ('${make.uuid()}', '${accountId}', 1, ${kid}, '')`

const rowsUnder = async ({ keys }: FullOpenStorage, kid: number) =>
  expectOk(await keys.list()).find((key) => key.kid === kid)?.rows

test('activate is answered only when every write under the key before has ended', async (t) => {
  const { storage, make, folder, url } = await withTwoKeys(t)
  const activated = await besideTransaction(url, [insertFolder(make, folder, String(oldKid))], () =>
    storage.keys.activate(newKid),
  )
  t.equal(expectOk(activated), true)
  t.equal(await rowsUnder(storage, oldKid), 1)
})

test('a write that waits for activate is refused, and others go on while activate waits', async (t) => {
  const { storage, make, folder, url } = await withTwoKeys(t)
  const [under, underOld] = [newKid, oldKid].map((kid) => make.draft(folder, { kid }))
  await insideTransaction(url, [insertFolder(make, folder, String(oldKid))], async (commit) => {
    const activated = storage.keys.activate(newKid)
    await waitingForLock(url, activated.unwrapOr(false))
    expectErr(await storage.secrets.insert(underOld!, make.note()), 'key_retired')
    expectOk(await storage.secrets.insert(under!, make.note()))
    await commit()
    t.equal(expectOk(await activated), true)
  })
  t.equal(await rowsUnder(storage, oldKid), 1)
})

test('a write that has read the key before activate, and takes hold of it after, is refused', async (t) => {
  const { storage, make, folder, url } = await withTwoKeys(t)
  const client = new pg.Client(url)
  await client.connect()
  // Reads the row of the key, then waits for a lock of the test before it locks that row.
  const slowly = writableKid(String(oldKid)).replace(
    'NOT read_only',
    'NOT read_only AND (SELECT true FROM pg_advisory_xact_lock(7))',
  )
  const outcome = await insideTransaction(url, ['SELECT pg_advisory_xact_lock(7)'], async (commit) => {
    const written = client.query(insertFolder(make, folder, slowly)).then(
      () => 'written',
      (error: unknown) => (error as pg.DatabaseError).constraint,
    )
    await waitingForLock(url, written)
    t.equal(expectOk(await storage.keys.activate(newKid)), true)
    await commit()
    return written
  })
  await client.end()
  t.equal(outcome, 'folders_kid_fkey')
  t.equal(await rowsUnder(storage, oldKid), 0)
})
