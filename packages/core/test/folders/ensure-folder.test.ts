import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { ensureFolder } from '../../src/folders/ensure-folder.ts'
import type { StoredFolder } from '../../src/folders/folder-store.ts'
import { all, createWorld, newSecret, unknownId } from '../world.ts'

t.test('a folder is created once, and found by its exact label after that', async (t) => {
  const { deps, sotto, accountId, folderId } = await createWorld()
  const made = expectOk(await ensureFolder(deps, { accountId, label: 'Doors' }))
  t.strictSame(expectOk(await ensureFolder(deps, { accountId, label: 'Doors' })), made)
  t.equal(expectOk(await ensureFolder(deps, { accountId, label: 'First' })).id, folderId)
  t.not(expectOk(await ensureFolder(deps, { accountId, label: 'doors' })).id, made.id)
  t.equal((await all(sotto.listFolders({ accountId }))).length, 3)
})

t.test('of several folders with the label it is the oldest', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const label = 'Doors'
  const oldest = expectOk(await sotto.createFolder({ accountId, label }))
  deps.clock.advance(1)
  expectOk(await sotto.createFolder({ accountId, label }))
  t.equal(expectOk(await ensureFolder(deps, { accountId, label })).id, oldest.id)
})

t.test('calls at the same time get one folder', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const calls = Array.from({ length: 5 }, () => ensureFolder(deps, { accountId, label: 'Doors' }))
  const ids = (await Promise.all(calls)).map((folder) => expectOk(folder).id)
  t.equal(new Set(ids).size, 1)
  const folders = await all(sotto.listFolders({ accountId }))
  t.strictSame(
    folders.filter(({ label }) => label === 'Doors').map(({ id }) => id),
    ids.slice(0, 1),
  )
})

t.test('a folder that lost against another call is not erased with what was put into it', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const label = 'Doors'
  const folders = {
    ...deps.folders,
    // Another call creates the older folder first, and somebody finds this one at once.
    insert: (folder: StoredFolder) =>
      sotto
        .createFolder({ accountId, label })
        .mapErr(({ code }) => ({ code: 'storage_failed', detail: code }) as const)
        .andThen(() => {
          deps.clock.advance(1)
          return deps.folders.insert({ ...folder, createdAtMicros: deps.clock.nowMicros() })
        })
        .andTee(async () => {
          expectOk(await sotto.createSecret({ ...newSecret(world), folderId: folder.id }))
        }),
  }
  const ensured = expectOk(await ensureFolder({ ...deps, folders }, { accountId, label }))
  const found = (await all(sotto.listFolders({ accountId }))).filter((folder) => folder.label === label)
  t.strictSame(
    found.map(({ id, secretsCount }) => [id === ensured.id, secretsCount]),
    [
      [true, 0],
      [false, 1],
    ],
  )
})

t.test('a folder needs a valid label and an existing account', async (t) => {
  const { deps, accountId } = await createWorld()
  t.strictSame(expectErr(await ensureFolder(deps, { accountId, label: '' })), {
    code: 'fields_invalid',
    errors: [{ field: 'label', rule: 'empty' }],
  })
  const orphan = await ensureFolder(deps, { accountId: unknownId, label: 'x' })
  t.strictSame(expectErr(orphan), { code: 'account_not_found' })
})
