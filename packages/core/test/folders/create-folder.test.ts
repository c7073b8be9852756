import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { createFolder } from '../../src/folders/folders.ts'
import { createWorld, startMicros, unknownId } from '../world.ts'

t.test('a folder is created with its label and time', async (t) => {
  const { deps, accountId } = await createWorld()
  const folder = expectOk(await createFolder(deps, { accountId, label: 'Ämter 🗝' }))
  t.match(folder, { label: 'Ämter 🗝', createdAtMicros: startMicros })
})

t.test('a folder needs a valid label and an existing account', async (t) => {
  const { deps, accountId } = await createWorld()
  t.strictSame(expectErr(await createFolder(deps, { accountId, label: '' })), {
    code: 'fields_invalid',
    errors: [{ field: 'label', rule: 'empty' }],
  })
  const orphan = await createFolder(deps, { accountId: unknownId, label: 'x' })
  t.strictSame(expectErr(orphan), { code: 'account_not_found' })
})
