import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { getFolder } from '../../src/folders/folders.ts'
import { all, createWorld, dayMicros, newSecret, unknownId } from '../world.ts'

t.test('a folder has its label and its counts, as in the list', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId, folderId } = world
  expectOk(await sotto.saveDraft(newSecret(world)))
  expectOk(await sotto.createSecret(newSecret(world)))
  const folder = expectOk(await getFolder(deps, { accountId, id: folderId.toUpperCase() }))
  t.match(folder, { id: folderId, label: 'First', draftsCount: 1, secretsCount: 1 })
  t.strictSame([folder], await all(sotto.listFolders({ accountId })))
  deps.clock.advance(30 * dayMicros)
  t.match(expectOk(await getFolder(deps, { accountId, id: folderId })), { draftsCount: 1, secretsCount: 0 })
})

t.test('an unknown, a malformed and another account’s folder are not found', async (t) => {
  const { deps, accountId, folderId } = await createWorld()
  for (const input of [
    { accountId, id: unknownId },
    { accountId, id: '' },
    { accountId: unknownId, id: folderId },
  ]) {
    t.strictSame(expectErr(await getFolder(deps, input)), { code: 'folder_not_found' })
  }
})
