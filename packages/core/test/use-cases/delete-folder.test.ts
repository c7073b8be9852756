import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { deleteFolder } from '../../src/use-cases/folders.ts'
import { createWorld, dayMicros, newSecret, unknownId } from '../world.ts'

t.test('a folder that holds a draft or a secret is kept', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId, folderId: id } = world
  const notEmpty = { code: 'folder_not_empty' }
  const draft = expectOk(await sotto.saveDraft(newSecret(world)))
  t.strictSame(expectErr(await deleteFolder(deps, { accountId, id })), notEmpty)
  expectOk(await sotto.deleteDraft({ accountId, id: draft.id }))
  expectOk(await sotto.createSecret(newSecret(world)))
  deps.clock.advance(30 * dayMicros - 1)
  t.strictSame(expectErr(await deleteFolder(deps, { accountId, id })), notEmpty)
  expectOk(await sotto.getFolder({ accountId, id }))
  deps.clock.advance(1)
  expectOk(await deleteFolder(deps, { accountId, id }))
  t.equal(deps.data.secrets.size, 0, 'an expired secret does not count and is erased with it')
  t.strictSame(expectErr(await sotto.getFolder({ accountId, id })), { code: 'folder_not_found' })
})

t.test('an unknown, a malformed and another account’s folder are not found', async (t) => {
  const { deps, sotto, accountId, folderId } = await createWorld()
  for (const input of [
    { accountId, id: unknownId },
    { accountId, id: 'x' },
    { accountId: unknownId, id: folderId },
  ]) {
    t.strictSame(expectErr(await deleteFolder(deps, input)), { code: 'folder_not_found' })
  }
  expectOk(await sotto.getFolder({ accountId, id: folderId }))
})
