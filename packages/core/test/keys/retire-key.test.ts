import t from 'tap'
import { expectErr, expectOk, failing } from '@sotto/test-kit'
import { retireKey } from '../../src/keys/keys.ts'
import { createWorld, inOtherProcess } from '../world.ts'

const busy = { code: 'storage_unavailable', reason: 'busy' } as const

t.test('a key is retired once no row is under it, and leaves store and ring', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  t.strictSame(expectErr(await retireKey(deps, { kid: 1 })), { code: 'key_in_use', rows: 2 })
  expectOk(await sotto.rotateKeys())
  t.strictSame(expectErr(await retireKey(deps, { kid: 2 })), { code: 'key_in_use', rows: 2 })
  expectOk(await retireKey(deps, { kid: 1 }))
  t.match(expectOk(await sotto.keyStatus()), [{ kid: 2, rows: 2 }])
  t.strictSame(deps.keyRing.kids(), [2])
  t.strictSame(expectErr(await retireKey(deps, { kid: 1 })), { code: 'key_not_found' })
  t.equal(expectOk(await sotto.findAccount({ email: 'ada@example.org' })).id, accountId)
})

t.test('an active key that the store does not know yet is in use all the same', async (t) => {
  const { deps } = await createWorld()
  const kid = expectOk(await deps.keyRing.addKey())
  expectOk(await deps.keyRing.activate(kid))
  t.strictSame(expectErr(await retireKey(deps, { kid })), { code: 'key_in_use', rows: 0 })
})

t.test('a key that is not active any more is not retired while rows are under it', async (t) => {
  const { deps, sotto } = await createWorld()
  const { kid } = expectOk(await sotto.addKey())
  t.equal(expectOk(await deps.keys.activate(kid)), true)
  t.strictSame(expectErr(await retireKey(deps, { kid: 1 })), { code: 'key_in_use', rows: 2 })
  t.strictSame(deps.keyRing.kids(), [1, 2])
})

t.test('a key that waits can be retired, and the next one gets another number', async (t) => {
  const { deps, sotto } = await createWorld()
  t.strictSame(expectOk(await sotto.addKey()), { kid: 2, added: true })
  expectOk(await retireKey(deps, { kid: 2 }))
  t.strictSame([deps.keyRing.kids(), deps.keyRing.activeKid()], [[1], 1])
  t.strictSame(expectOk(await sotto.addKey()), { kid: 3, added: true })
})

t.test('a key leaves the key file of a machine on which it was the active one', async (t) => {
  const { deps, sotto } = await createWorld()
  expectOk(await sotto.addKey())
  const copy = { ...deps.keyRing.file }
  expectOk(await sotto.rotateKeys())
  expectOk(await retireKey(deps, { kid: 1 }))
  expectOk(await retireKey(inOtherProcess(deps, copy), { kid: 1 }))
  t.match(copy, { kids: [2], activeKid: 2 })
})

t.test('a retirement that was cut off after the store’s part is finished by another one', async (t) => {
  const { deps, sotto } = await createWorld()
  expectOk(await sotto.rotateKeys())
  t.equal(expectOk(await deps.keys.retire(1)), true)
  t.strictSame(deps.keyRing.kids(), [1, 2])
  expectOk(await retireKey(deps, { kid: 1 }))
  t.strictSame(deps.keyRing.kids(), [2])
})

t.test('a storage error is returned as it is, not as a key without rows', async (t) => {
  const { deps, sotto } = await createWorld()
  const unreadable = failing(deps.keys, { list: busy })
  t.strictSame(expectErr(await retireKey({ ...deps, keys: unreadable }, { kid: 1 })), busy, 'the active key')
  expectOk(await sotto.rotateKeys())
  const unwritable = failing(deps.keys, { retire: busy })
  t.strictSame(expectErr(await retireKey({ ...deps, keys: unwritable }, { kid: 1 })), busy, 'an old key')
  t.strictSame(deps.keyRing.kids(), [1, 2])
})

t.test('a ring that cannot be written is an error, and the next retirement finishes it', async (t) => {
  const { deps, sotto } = await createWorld()
  expectOk(await sotto.rotateKeys())
  deps.keyRing.file.usable = false
  t.match(expectErr(await retireKey(deps, { kid: 1 })), { code: 'keys_unwritable' })
  deps.keyRing.file.usable = true
  expectOk(await retireKey(deps, { kid: 1 }))
})
