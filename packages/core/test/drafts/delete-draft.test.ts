import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { deleteDraft } from '../../src/drafts/drafts.ts'
import { all, createWorld, newSecret, unknownId } from '../world.ts'

t.test('a deleted draft is erased with its note', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.saveDraft(newSecret(world)))
  expectOk(await deleteDraft(deps, { accountId, id: id.toUpperCase() }))
  t.strictSame(await all(sotto.listDrafts({ accountId })), [])
  t.equal(deps.data.secrets.size, 0)
})

t.test('an unknown, a malformed, a shared and another account’s draft give the same error', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const draft = expectOk(await sotto.saveDraft(newSecret(world)))
  const secret = expectOk(await sotto.createSecret(newSecret(world)))
  for (const input of [
    { accountId: unknownId, id: draft.id },
    { accountId, id: secret.id },
    { accountId, id: 'x' },
    { accountId, id: unknownId },
  ]) {
    t.strictSame(expectErr(await deleteDraft(deps, input)), { code: 'draft_not_found' })
  }
  t.strictSame(await all(sotto.listDrafts({ accountId })), [draft])
  t.strictSame(await all(sotto.listSecrets({ accountId })), [secret])
})
