import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { checkNewSecret } from '../../src/secrets/create-secret.ts'
import { all, createWorld, newSecret } from '../world.ts'

t.test('a valid secret passes and nothing is stored', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  expectOk(await checkNewSecret(deps, newSecret(world)))
  t.strictSame(await all(sotto.listSecrets({ accountId })), [])
  t.strictSame(await all(sotto.listDrafts({ accountId })), [])
})

t.test('only the given fields are checked', async (t) => {
  const { deps, accountId } = await createWorld()
  expectOk(await checkNewSecret(deps, { accountId }))
  expectOk(await checkNewSecret(deps, { accountId, label: 'x' }))
  t.strictSame(expectErr(await checkNewSecret(deps, { accountId, note: '', folderId: 'x' })), {
    code: 'fields_invalid',
    errors: [
      { field: 'note', rule: 'empty' },
      { field: 'folderId', rule: 'unknown_folder' },
    ],
  })
})

t.test('an empty note is refused unless a file comes with it', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const empty = { code: 'fields_invalid', errors: [{ field: 'note', rule: 'empty' }] }
  const secret = newSecret(world, { note: '' })
  t.strictSame(expectErr(await checkNewSecret(deps, { ...secret, hasFiles: false })), empty)
  expectOk(await checkNewSecret(deps, { ...secret, hasFiles: true }))
  const wrong = { ...secret, note: '\0', hasFiles: true }
  t.match(expectErr(await checkNewSecret(deps, wrong)), {
    errors: [{ field: 'note', rule: 'nul_character' }],
  })
})

t.test('the note’s bound is that of the policy', async (t) => {
  const world = await createWorld()
  const deps = { ...world.deps, policy: { noteMaxBytes: 3 } }
  expectOk(await checkNewSecret(deps, newSecret(world, { note: 'abc' })))
  t.strictSame(expectErr(await checkNewSecret(deps, newSecret(world, { note: 'abcd' }))), {
    code: 'fields_invalid',
    errors: [{ field: 'note', rule: 'too_long', limit: 3 }],
  })
})
