import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { renameFolder } from '../../src/folders/folders.ts'
import { createWorld, unknownId } from '../world.ts'

t.test('a folder gets another label', async (t) => {
  const { deps, sotto, accountId, folderId: id } = await createWorld()
  expectOk(await renameFolder(deps, { accountId, id, label: 'Zweite' }))
  t.equal(expectOk(await sotto.getFolder({ accountId, id })).label, 'Zweite')
})

t.test('an invalid label and a folder of nobody or somebody else change nothing', async (t) => {
  const { deps, sotto, accountId, folderId } = await createWorld()
  for (const [label, rule] of [
    ['', 'empty'],
    ['x'.repeat(256), 'too_long'],
    ['a\tb', 'control_character'],
  ] as const) {
    const refused = await renameFolder(deps, { accountId, id: folderId, label })
    t.match(expectErr(refused), { code: 'fields_invalid', errors: [{ field: 'label', rule }] })
  }
  for (const input of [
    { accountId, id: unknownId },
    { accountId, id: 'x' },
    { accountId: unknownId, id: folderId },
  ]) {
    t.strictSame(expectErr(await renameFolder(deps, { ...input, label: 'x' })), { code: 'folder_not_found' })
  }
  t.equal(expectOk(await sotto.getFolder({ accountId, id: folderId })).label, 'First')
})
