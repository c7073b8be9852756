import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { createSecret } from '../../src/secrets/create-secret.ts'
import { rotateKeys } from '../../src/keys/rotate-keys.ts'
import { checkActiveKey, hideServer, showServer } from '../../src/keys/show-server.ts'
import {
  createWorld,
  inOtherProcess,
  minuteMicros,
  newSecret,
  secondMicros,
  unknownId,
  type World,
} from '../world.ts'

const id = unknownId
const server = { id, name: 'web-2:3000' }

/** A server whose key file is a copy from now. */
function withCopy({ deps }: World): World['deps'] {
  return inOtherProcess(deps, { ...deps.keyRing.file })
}

// Promise (Sealed at rest): No key becomes active that a running server lacks
t.test('no key becomes active while a server that runs lacks it, and it is named', async (t) => {
  const world = await createWorld()
  const { deps, sotto } = world
  const other = withCopy(world)
  expectOk(await showServer(other, server))
  for (const _ of [1, 2]) {
    const refused = expectErr(await rotateKeys(deps))
    t.match(refused, { code: 'key_not_everywhere', kid: 2, servers: [{ ...server, kid: 1 }] })
    expectOk(await createSecret(other, newSecret(world)))
    t.match(
      expectOk(await sotto.keyStatus()),
      [{ active: true }, { waiting: true, rows: 0 }],
      'all is as before',
    )
  }
  Object.assign(other.keyRing.file, deps.keyRing.file)
  expectErr(await rotateKeys(deps), 'key_not_everywhere')
  expectOk(await showServer(other, server))
  t.match(expectOk(await rotateKeys(deps)), { kid: 2, rewrapped: 4 })
  expectOk(await createSecret(other, newSecret(world)))
  t.match(expectOk(await sotto.keyStatus()), [{ rows: 0 }, { rows: 5 }])
})

t.test('a server that has ended, or was not seen for a minute, blocks nothing', async (t) => {
  for (const end of ['hidden', 'silent'] as const) {
    const world = await createWorld()
    const { deps } = world
    expectOk(await showServer(withCopy(world), server))
    deps.clock.advance(minuteMicros - 1)
    expectErr(await rotateKeys(deps), 'key_not_everywhere')
    if (end === 'hidden') expectOk(await hideServer(deps, { id }))
    else deps.clock.advance(1)
    t.match(expectOk(await rotateKeys(deps)), { kid: 2 }, end)
  }
})

t.test(
  'a server shows the newest key that it holds with all before it, and only keys that are the right ones',
  async (t) => {
    const world = await createWorld()
    const { deps, sotto } = world
    expectOk(await sotto.addKey())
    const shown = async (keyRing: Partial<typeof deps.keyRing>) => {
      expectOk(await showServer({ ...deps, keyRing: { ...deps.keyRing, ...keyRing } }, server))
      return expectOk(await deps.servers.list()).map(({ kid }) => kid)
    }
    t.strictSame(await shown({}), [2])
    t.strictSame(await shown({ kids: () => [1] }), [1])
    t.strictSame(await shown({ kids: () => [2] }), [0])
    t.strictSame(
      await shown({ checkValue: (kid) => (kid === 1 ? deps.keyRing.checkValue(1) : new Uint8Array()) }),
      [1],
    )
  },
)

t.test('servers that were seen last a day ago are forgotten', async (t) => {
  const { deps } = await createWorld()
  expectOk(await showServer(deps, server))
  deps.clock.advance(24 * 60 * minuteMicros - secondMicros)
  expectOk(await showServer(deps, { id: `${id.slice(0, -1)}1`, name: 'web-3' }))
  t.equal(expectOk(await deps.servers.list()).length, 2)
  deps.clock.advance(secondMicros)
  expectOk(await showServer(deps, { id: `${id.slice(0, -1)}1`, name: 'web-3' }))
  t.match(expectOk(await deps.servers.list()), [{ name: 'web-3' }])
})

// Promise (Sealed at rest): A process that lacks the active key writes nothing under an older one, and is not ready
t.test(
  'a process that lacks the active key is not ready and writes nothing, until it has the key',
  async (t) => {
    const world = await createWorld()
    const other = withCopy(world)
    expectOk(await checkActiveKey(other))
    expectOk(await rotateKeys(world.deps))
    t.strictSame(expectErr(await checkActiveKey(other)), {
      code: 'key_ring_unfit',
      kid: 2,
      reason: 'missing',
    })
    t.strictSame(expectErr(await createSecret(other, newSecret(world))), { code: 'key_retired' })
    Object.assign(other.keyRing.file, { kids: [1, 2], activeKid: 1 })
    expectOk(await checkActiveKey(other))
    t.equal(other.keyRing.activeKid(), 2)
    expectOk(await createSecret(other, newSecret(world)))
  },
)
