import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { getSecret } from '../../src/secrets/secrets.ts'
import { counting, createWorld, dayMicros, newSecret, startMicros, unknownId } from '../world.ts'

const notFound = { code: 'secret_not_found' }

t.test('a secret is found by its id in either case, without its note', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const secret = expectOk(await sotto.createSecret(newSecret(world)))
  t.strictSame(expectOk(await getSecret(deps, { accountId, id: secret.id.toUpperCase() })), secret)
})

t.test('an unknown, a malformed, a draft’s and another account’s id give the same error', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const secret = expectOk(await sotto.createSecret(newSecret(world)))
  const draft = expectOk(await sotto.saveDraft(newSecret(world)))
  for (const input of [
    { accountId, id: unknownId },
    { accountId, id: 'x' },
    { accountId, id: '' },
    { accountId, id: draft.id },
    { accountId: unknownId, id: secret.id },
  ]) {
    const { port: secrets, answers } = counting(deps.secrets)
    t.strictSame(expectErr(await getSecret({ ...deps, secrets }, input)), notFound)
    t.strictSame(await answers(), [['find', undefined]], 'and take the same path')
  }
})

t.test('a secret is gone from the moment of its expiry', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.createSecret(newSecret(world)))
  deps.clock.set(startMicros + 30 * dayMicros - 1)
  expectOk(await getSecret(deps, { accountId, id }))
  deps.clock.advance(1)
  const { port: secrets, answers } = counting(deps.secrets)
  t.strictSame(expectErr(await getSecret({ ...deps, secrets }, { accountId, id })), notFound)
  t.strictSame(await answers(), [['find', undefined]], 'and takes the same path as an unknown one')
})

t.test('a shared row with a draft’s head is corruption', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.createSecret(newSecret(world)))
  const { decryptHead } = deps.secretCipher
  const secretCipher: typeof deps.secretCipher = {
    ...deps.secretCipher,
    decryptHead: (secret) => decryptHead(secret).map((head) => ({ ...head, linkToken: undefined })),
  }
  const corrupted = { code: 'data_damaged', what: 'secret.head', id }
  t.strictSame(expectErr(await getSecret({ ...deps, secretCipher }, { accountId, id })), corrupted)
})
