import t from 'tap'
import { errAsync } from 'neverthrow'
import { expectErr, expectOk } from '@sotto/test-kit'
import { addKey } from '../../src/keys/keys.ts'
import { rotateKeys } from '../../src/keys/rotate-keys.ts'
import { createWorld, inOtherProcess, newSecret } from '../world.ts'

t.test(
  'a key that was added waits: nothing is written under it until a rotation makes it active',
  async (t) => {
    const world = await createWorld()
    const { deps, sotto } = world
    t.strictSame(expectOk(await addKey(deps)), { kid: 2, added: true })
    expectOk(await sotto.createSecret(newSecret(world)))
    t.match(expectOk(await sotto.keyStatus()), [
      { kid: 1, active: true, rows: 3 },
      { kid: 2, waiting: true, rows: 0 },
    ])
    t.match(expectOk(await rotateKeys(deps)), { kid: 2, added: true, rewrapped: 3 })
    t.strictSame(deps.keyRing.kids(), [1, 2])
  },
)

t.test('as long as a key waits no other one is added', async (t) => {
  const { deps } = await createWorld()
  expectOk(await addKey(deps))
  t.strictSame(expectOk(await addKey(deps)), { kid: 2, added: false })
  expectOk(await rotateKeys(deps))
  t.strictSame(expectOk(await addKey(deps)), { kid: 3, added: true })
})

t.test('a key that was left in the ring by a killed call is used', async (t) => {
  const { deps } = await createWorld()
  const keys = { ...deps.keys, add: () => errAsync({ code: 'storage_unavailable', reason: 'busy' } as const) }
  t.match(expectErr(await addKey({ ...deps, keys })), { reason: 'busy' })
  t.strictSame(deps.keyRing.kids(), [1, 2])
  t.strictSame(expectOk(await addKey(deps)), { kid: 2, added: true })
  t.strictSame(deps.keyRing.kids(), [1, 2])
})

t.test('a machine with a copy of the key file uses the key that waits', async (t) => {
  const { deps } = await createWorld()
  expectOk(await addKey(deps))
  const other = inOtherProcess(deps, { ...deps.keyRing.file })
  t.strictSame(expectOk(await addKey(other)), { kid: 2, added: false })
  t.match(expectOk(await rotateKeys(other)), { kid: 2, added: true })
  t.match(deps.keyRing.file, { activeKid: 1 }, 'the first machine learns from the store')
  await deps.keyRing.follow()
  t.equal(deps.keyRing.activeKid(), 2)
})
