import { expectErr, expectOk } from '@sotto/test-kit'
import { ResultAsync } from 'neverthrow'
import t from 'tap'
import { destroySecret } from '../../src/secrets/owned-secrets.ts'
import { openSecret } from '../../src/secrets/open-secret.ts'
import { all, counting, createWorld, dayMicros, newSecret, startMicros, unknownId } from '../world.ts'

const gone = { code: 'secret_not_found' }

// Promise (The owner's pages): A destroyed secret is gone: link, note, list and count
t.test('a destroyed secret is gone with note and link, from lists and counts', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId, folderId } = world
  const secret = expectOk(await sotto.createSecret(newSecret(world)))
  const { id, link } = secret
  t.strictSame(expectOk(await destroySecret(deps, { accountId, id: id.toUpperCase() })), secret, 'as it was')
  t.strictSame(expectErr(await sotto.openSecret({ token: link.token })), { code: 'link_not_found' })
  t.strictSame(expectErr(await sotto.getSecret({ accountId, id })), gone)
  t.strictSame(await all(sotto.listSecrets({ accountId })), [])
  t.equal(expectOk(await sotto.getFolder({ accountId, id: folderId })).secretsCount, 0)
  t.equal(deps.data.secrets.size, 0)
  t.strictSame(expectErr(await destroySecret(deps, { accountId, id })), gone)
})

// Promise (The JSON API): DELETE of a secret answers with the secret as it was, and destroys it: and finds nothing where GET finds nothing,
// by the same path
t.test('what getSecret does not find is not destroyed, by the same path', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.createSecret(newSecret(world)))
  const draft = expectOk(await sotto.saveDraft(newSecret(world)))
  const tryAll = async (inputs: readonly { accountId: string; id: string }[]) => {
    for (const input of inputs) {
      const { port: secrets, answers } = counting(deps.secrets)
      t.strictSame(expectErr(await destroySecret({ ...deps, secrets }, input)), gone)
      t.strictSame(await answers(), [['find', undefined]], 'and take the same path')
    }
  }
  await tryAll([
    { accountId, id: draft.id },
    { accountId, id: unknownId },
    { accountId, id: 'x' },
    { accountId: unknownId, id },
  ])
  deps.clock.set(startMicros + 30 * dayMicros)
  await tryAll([{ accountId, id }])
  t.equal(deps.data.secrets.size, 2)
})

t.test('of two that destroy a secret at the same time one finds it', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.createSecret(newSecret(world)))
  const both = await Promise.all([1, 2].map(() => destroySecret(deps, { accountId, id })))
  t.strictSame(
    both.flatMap((each) => (each.isErr() ? [each.error] : [])),
    [gone],
  )
})

t.test('an open that has read the note claims nothing once the secret is destroyed', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id, link } = expectOk(await sotto.createSecret(newSecret(world)))
  const update: typeof deps.links.update = (...given) =>
    new ResultAsync(
      (async () => {
        expectOk(await destroySecret(deps, { accountId, id }))
        return deps.links.update(...given)
      })(),
    )
  const opened = await openSecret({ ...deps, links: { ...deps.links, update } }, link)
  t.strictSame(expectErr(opened), { code: 'link_not_found' })
})

t.test('a secret that cannot be read is not destroyed', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.createSecret(newSecret(world)))
  const { secret, ...row } = deps.data.secrets.get(id)!
  deps.data.secrets.set(id, { ...row, secret: { ...secret, openLimit: 7 } })
  expectErr(await destroySecret(deps, { accountId, id }), 'data_damaged')
  t.equal(deps.data.secrets.size, 1)
})
