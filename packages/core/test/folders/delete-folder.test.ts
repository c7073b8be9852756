import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { deleteFolder } from '../../src/folders/folders.ts'
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

t.test('a folder is deleted with its contents; those of other folders stay', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId, folderId: id } = world
  const { id: other } = expectOk(await sotto.createFolder({ accountId, label: 'Other' }))
  for (let nr = 0; nr < 120; nr += 1) expectOk(await sotto.createSecret(newSecret(world)))
  expectOk(await sotto.saveDraft(newSecret(world)))
  const kept = [
    expectOk(await sotto.createSecret(newSecret(world, { folderId: other }))).id,
    expectOk(await sotto.saveDraft(newSecret(world, { folderId: other }))).id,
  ]
  expectOk(await deleteFolder(deps, { accountId, id, withContents: true }))
  t.strictSame([...deps.data.secrets.keys()], kept)
  t.strictSame(expectErr(await sotto.getFolder({ accountId, id })), { code: 'folder_not_found' })
  const theirs = { accountId: unknownId, id: other, withContents: true }
  t.strictSame(expectErr(await deleteFolder(deps, theirs)), { code: 'folder_not_found' })
  t.strictSame([...deps.data.secrets.keys()], kept)
})

// Promise (The owner's pages): A folder is deleted with its contents when that is asked for; what is created meanwhile stays
t.test('a secret that is created while a folder is emptied is not lost', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId, folderId: id } = world
  expectOk(await sotto.createSecret(newSecret(world)))
  const late: string[] = []
  const erase: typeof deps.folders.erase = (...given) =>
    sotto
      .createSecret(newSecret(world))
      .map((secret) => late.push(secret.id))
      .mapErr(() => ({ code: 'folder_not_empty' }) as const)
      .andThen(() => deps.folders.erase(...given))
  const folders = { ...deps.folders, erase }
  const deleted = await deleteFolder({ ...deps, folders }, { accountId, id, withContents: true })
  t.strictSame(expectErr(deleted), { code: 'folder_not_empty' })
  t.strictSame([...deps.data.secrets.keys()], late)
})
