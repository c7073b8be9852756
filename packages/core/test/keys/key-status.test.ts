import t from 'tap'
import { expectOk } from '@sotto/test-kit'
import { keyStatus } from '../../src/keys/keys.ts'
import { createWorld, newSecret, startMicros } from '../world.ts'

t.test(
  'every key is listed with the rows under it, when it was replaced, and which one is active',
  async (t) => {
    const world = await createWorld()
    const { deps, sotto } = world
    t.match(expectOk(await keyStatus(deps)), [{ kid: 1, active: true, rows: 2 }])
    const kid = expectOk(await deps.keyRing.addKey())
    expectOk(await deps.keyRing.activate(kid))
    expectOk(await sotto.fitKeyRing())
    expectOk(await sotto.createSecret(newSecret(world)))
    const status = expectOk(await keyStatus(deps))
    t.strictSame(status, [
      {
        kid: 1,
        active: false,
        waiting: false,
        lackedBy: [],
        createdAtMicros: status[0]?.createdAtMicros,
        replacedAtMicros: startMicros,
        rows: 2,
      },
      {
        ...{ kid: 2, active: true, waiting: false, lackedBy: [] },
        ...{ createdAtMicros: startMicros, replacedAtMicros: undefined, rows: 1 },
      },
    ])
  },
)

t.test('a key that waits has no successor yet, and the servers that lack it are named', async (t) => {
  const { deps, sotto } = await createWorld()
  const [one, other] = ['web-1', 'web-2'].map((name) => ({ id: deps.random.bytes(16).join(), name }))
  expectOk(await sotto.showServer(one!))
  const { kid } = expectOk(await sotto.addKey())
  expectOk(await sotto.showServer(other!))
  const status = expectOk(await keyStatus(deps))
  t.match(status, [
    { kid: 1, active: true, waiting: false, replacedAtMicros: undefined, lackedBy: [] },
    { kid, active: false, waiting: true, replacedAtMicros: undefined, lackedBy: [{ name: 'web-1', kid: 1 }] },
  ])
  t.equal(status[1]?.lackedBy.length, 1)
})
