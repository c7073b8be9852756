import { setTimeout } from 'node:timers/promises'
import { expectErr, expectOk, noonMicros } from '@sotto/test-kit'
import { ok } from 'neverthrow'
import { after, test } from 'tap'
import { openStorage } from './support/databases.ts'
import { startProxy } from './support/proxy.ts'
import { addSampleFolder } from './support/sample-folder.ts'
import { startServer } from './support/server.ts'

const server = await startServer()
after(() => server.stop())

test('after the server crashed and came back, everything that was acknowledged is there and an open storage goes on', async (t) => {
  const storage = await openStorage(await server.newDatabase())
  t.teardown(() => storage.close())
  const { make, folder } = await addSampleFolder(storage)
  await server.crash()
  t.match(expectErr(await storage.folders.owns(folder.accountId, folder.id)), { code: 'storage_unavailable' })
  t.match(expectErr(await storage.folders.insert(make.folder(folder.accountId))), {
    code: 'storage_unavailable',
  })
  t.match(expectErr(await storage.upkeep.canWrite()), { code: 'storage_unavailable' })
  await server.restart()
  t.same(expectOk(await storage.folders.owns(folder.accountId, folder.id)), true)
  expectOk(await storage.upkeep.canWrite())
  expectOk(await storage.folders.insert(make.folder(folder.accountId)))
})

// Promise (Files): What is stored is on the disk, although no row of a content waits for it: also when the server crashes while it arrives
test('a content that arrives while the server crashes and comes back is whole, or not stored', async (t) => {
  const { fileContents, close } = await openStorage(await server.newDatabase())
  t.teardown(close)
  const id = '0192f3c4-0000-7000-8000-000000000001'
  const part = ok(Buffer.alloc(600_000, 7))
  const content = (async function* () {
    yield part
    // The second row is answered by then.
    await setTimeout(100)
    await server.crash()
    await server.restart()
    yield part
  })()
  const appended = await fileContents.append(id, content)
  let length = 0
  for await (const piece of fileContents.read(id, { start: 0, end: 1_200_000 }))
    length += piece.isOk() ? piece.value.length : 0
  t.equal(length, appended.isOk() ? 1_200_000 : 0)
})

test('a write that breaks off before or after the server has it is of unknown outcome, and the storage goes on', async (t) => {
  const proxy = await startProxy(await server.newDatabase())
  const storage = await openStorage(proxy.url)
  t.teardown(async () => {
    await storage.close()
    await proxy.close()
  })
  const { folder } = await addSampleFolder(storage)
  const change = () => storage.accounts.setLanguage(folder.accountId, 'de')
  const unknown = { code: 'storage_unavailable', reason: 'outcome_unknown' }
  for (const how of ['cut before', 'cut after'] as const) {
    const interrupted = proxy.interruptNext('update_accounts', how)
    t.same(expectErr(await change()), unknown, how)
    await interrupted
    t.same(expectOk(await change()), true, 'the next one')
  }
})

test('a read that breaks off is answered all the same', async (t) => {
  const proxy = await startProxy(await server.newDatabase())
  const storage = await openStorage(proxy.url)
  t.teardown(async () => {
    await storage.close()
    await proxy.close()
  })
  const { folder } = await addSampleFolder(storage)
  const interrupted = proxy.interruptNext('select_secrets', 'cut after')
  t.match(expectOk(await storage.folders.find(folder.accountId, folder.id, noonMicros)), { id: folder.id })
  await interrupted
})
