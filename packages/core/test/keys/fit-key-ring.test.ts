import t from 'tap'
import { createMemoryStorage, expectErr, expectOk } from '@sotto/test-kit'
import { createAccount } from '../../src/accounts/create-account.ts'
import { fitKeyRing } from '../../src/keys/keys.ts'
import { counting, createWorld, inOtherProcess, startMicros, type World } from '../world.ts'

t.test('a fresh store accepts rows only once the active key was added to it', async (t) => {
  const { deps } = await createWorld()
  const fresh = { ...deps, ...createMemoryStorage({ activeKids: [] }) }
  const email = 'bob@example.org'
  t.strictSame(expectErr(await createAccount(fresh, { email })), { code: 'key_retired' })
  expectOk(await fitKeyRing(fresh))
  t.match(await keysOf(fresh), [{ kid: 1, createdAtMicros: startMicros }])
  expectOk(await createAccount(fresh, { email }))
})

t.test('a ring that fits changes nothing, and a key that was activated since is added', async (t) => {
  const { deps } = await createWorld()
  const before = await keysOf(deps)
  const { port: keys, calls } = counting(deps.keys)
  expectOk(await fitKeyRing({ ...deps, keys }))
  t.strictSame(calls, { known: 1 })
  t.strictSame(await keysOf(deps), before)
  const kid = expectOk(await deps.keyRing.addKey())
  expectOk(await deps.keyRing.activate(kid))
  expectOk(await fitKeyRing(deps))
  t.strictSame(
    (await keysOf(deps)).map((key) => key.kid),
    [1, kid],
  )
})

// Promise (Sealed at rest): A server starts without a key that waits, and not without the active one
t.test('a ring may lack a key that waits, and must not have another one under its number', async (t) => {
  const { deps, sotto } = await createWorld()
  const other = inOtherProcess(deps, { ...deps.keyRing.file })
  const { kid } = expectOk(await sotto.addKey())
  expectOk(await fitKeyRing(other))
  t.equal(other.keyRing.activeKid(), 1)
  const wrong = { ...deps.keyRing, checkValue: () => new Uint8Array() }
  t.match(expectErr(await fitKeyRing({ ...deps, keyRing: wrong })), { reason: 'wrong' })
  expectOk(await sotto.rotateKeys())
  t.strictSame(expectErr(await fitKeyRing(other)), { code: 'key_ring_unfit', kid, reason: 'missing' })
})

t.test('a ring from before a rotation encrypts under the key that is active in the store', async (t) => {
  const { deps, sotto } = await createWorld()
  expectOk(await sotto.addKey())
  const other = inOtherProcess(deps, { ...deps.keyRing.file })
  expectOk(await sotto.rotateKeys())
  t.equal(other.keyRing.activeKid(), 1)
  expectOk(await fitKeyRing(other))
  t.strictSame([other.keyRing.activeKid(), other.keyRing.file.activeKid], [2, 1])
})

t.test(
  'a store from a backup gets the key that was activated since, and nothing is written under the old one',
  async (t) => {
    const { deps } = await createWorld()
    const kid = expectOk(await deps.keyRing.addKey())
    expectOk(await deps.keyRing.activate(kid))
    expectOk(await fitKeyRing(deps))
    t.match(await keysOf(deps), [
      { kid: 1, isReadOnly: true },
      { kid, isReadOnly: false },
    ])
  },
)

t.test('a ring with a missing or a different key is refused, and the store stays unchanged', async (t) => {
  const { deps } = await createWorld()
  const before = await keysOf(deps)
  const { checkValue } = before[0]!
  const others = [
    { keyRing: { ...deps.keyRing, kids: () => [2], activeKid: () => 2 }, reason: 'missing' },
    { keyRing: { ...deps.keyRing, checkValue: () => checkValue.map((byte) => byte ^ 1) } },
    { keyRing: { ...deps.keyRing, checkValue: () => checkValue.subarray(1) } },
    { keyRing: { ...deps.keyRing, checkValue: () => new Uint8Array() } },
  ]
  for (const { keyRing, reason = 'wrong' } of others) {
    const unfit = { code: 'key_ring_unfit', kid: 1, reason }
    t.strictSame(expectErr(await fitKeyRing({ ...deps, keyRing })), unfit)
  }
  t.strictSame(await keysOf(deps), before)
})

t.test('of two processes with different keys on a fresh store one is refused', async (t) => {
  const { deps } = await createWorld()
  const { keys } = createMemoryStorage({ activeKids: [] })
  const other = { ...deps.keyRing, checkValue: () => new Uint8Array(32) }
  const both = await Promise.all([
    fitKeyRing({ ...deps, keys }),
    fitKeyRing({ ...deps, keys, keyRing: other }),
  ])
  t.strictSame(
    both.map((fits) => (fits.isOk() ? 'ok' : fits.error)),
    ['ok', { code: 'key_ring_unfit', kid: 1, reason: 'wrong' }],
  )
})

async function keysOf({ keys }: Pick<World['deps'], 'keys'>) {
  return expectOk(await keys.list())
}
