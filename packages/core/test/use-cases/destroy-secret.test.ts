import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { destroySecret } from '../../src/use-cases/destroy-secret.ts'
import { all, createWorld, newSecret, unknownId } from '../world.ts'

const gone = { code: 'secret_not_found' }

t.test('a destroyed secret is gone with note and link, from lists and counts', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId, folderId } = world
  const { id, link } = expectOk(await sotto.createSecret(newSecret(world)))
  expectOk(await destroySecret(deps, { accountId, id: id.toUpperCase() }))
  t.strictSame(expectErr(await sotto.openSecret(link)), { code: 'link_not_found' })
  t.strictSame(expectErr(await sotto.getSecret({ accountId, id })), gone)
  t.strictSame(await all(sotto.listSecrets({ accountId })), [])
  t.equal(expectOk(await sotto.getFolder({ accountId, id: folderId })).secretsCount, 0)
  t.equal(deps.data.secrets.size, 0)
  t.strictSame(expectErr(await destroySecret(deps, { accountId, id })), gone)
})

t.test('a draft, and an unknown, malformed or another account’s secret are not destroyed', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.createSecret(newSecret(world)))
  const draft = expectOk(await sotto.saveDraft(newSecret(world)))
  for (const input of [
    { accountId, id: draft.id },
    { accountId, id: unknownId },
    { accountId, id: 'x' },
    { accountId: unknownId, id },
  ]) {
    t.strictSame(expectErr(await destroySecret(deps, input)), gone)
  }
  t.equal(deps.data.secrets.size, 2)
})
