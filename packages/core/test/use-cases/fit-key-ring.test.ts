import t from 'tap'
import { errAsync } from 'neverthrow'
import { createMemoryStorage } from '@sotto/test-kit'
import type { StorageError } from '../../src/errors.ts'
import { createAccount } from '../../src/use-cases/create-account.ts'
import { fitKeyRing } from '../../src/use-cases/fit-key-ring.ts'
import { createWorld, startMicros, type World } from '../world.ts'

const busy: StorageError = { code: 'storage_unavailable', reason: 'busy' }

t.test('a fresh store gets to know the active key, and only then takes a row', async (t) => {
  const { ports } = await createWorld()
  const fresh = { ...ports, ...createMemoryStorage({ activeKids: [] }) }
  const email = 'bob@example.org'
  t.match((await createAccount(fresh, { email }))._unsafeUnwrapErr(), { code: 'key_retired' })
  t.ok((await fitKeyRing(fresh)).isOk())
  t.match(await keysOf(fresh), [{ kid: 1, createdAtMicros: startMicros }])
  t.ok((await createAccount(fresh, { email })).isOk())
})

t.test('a ring that fits changes nothing, a key that was made active since then is added', async (t) => {
  const { ports } = await createWorld()
  const before = await keysOf(ports)
  t.ok((await fitKeyRing(ports)).isOk())
  t.strictSame(await keysOf(ports), before)
  const kid = (await ports.keyRing.addKey())._unsafeUnwrap()
  t.ok((await ports.keyRing.activate(kid)).isOk())
  t.ok((await fitKeyRing(ports)).isOk())
  t.strictSame(
    (await keysOf(ports)).map((key) => key.kid),
    [1, kid],
  )
})

t.test(
  'a ring that lacks a key or has another one of its number is refused, and the store stays as it is',
  async (t) => {
    const { ports } = await createWorld()
    const before = await keysOf(ports)
    const others = [
      { keyRing: { ...ports.keyRing, kids: () => [2], activeKid: () => 2 }, reason: 'missing' },
      {
        keyRing: {
          ...ports.keyRing,
          checkValue: () => Uint8Array.from(before[0]!.checkValue, (byte) => byte ^ 1),
        },
      },
      { keyRing: { ...ports.keyRing, checkValue: () => before[0]!.checkValue.subarray(1) } },
      { keyRing: { ...ports.keyRing, checkValue: () => new Uint8Array() } },
    ]
    for (const { keyRing, reason = 'wrong' } of others) {
      const unfit = { code: 'key_ring_unfit', kid: 1, reason }
      t.strictSame((await fitKeyRing({ ...ports, keyRing }))._unsafeUnwrapErr(), unfit)
    }
    t.strictSame(await keysOf(ports), before)
  },
)

t.test('of two processes with different keys on a fresh store one is refused', async (t) => {
  const { ports } = await createWorld()
  const { keys } = createMemoryStorage({ activeKids: [] })
  const other = { ...ports.keyRing, checkValue: () => new Uint8Array(32) }
  const both = await Promise.all([
    fitKeyRing({ ...ports, keys }),
    fitKeyRing({ ...ports, keys, keyRing: other }),
  ])
  t.strictSame(
    both.map((fits) => (fits.isOk() ? 'ok' : fits.error)),
    ['ok', { code: 'key_ring_unfit', kid: 1, reason: 'wrong' }],
  )
})

t.test('what the store says is handed through', async (t) => {
  const { ports } = await createWorld()
  const list = { ...ports.keys, list: () => errAsync(busy) }
  t.strictSame((await fitKeyRing({ ...ports, keys: list }))._unsafeUnwrapErr(), busy)
  const add = { ...createMemoryStorage({ activeKids: [] }).keys, add: () => errAsync(busy) }
  t.strictSame((await fitKeyRing({ ...ports, keys: add }))._unsafeUnwrapErr(), busy)
})

async function keysOf({ keys }: World['ports']) {
  return (await keys.list())._unsafeUnwrap()
}
