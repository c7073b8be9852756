import t from 'tap'
import { errAsync } from 'neverthrow'
import { expectErr, expectOk, failing } from '@sotto/test-kit'
import type { NewSecret } from '../../src/secrets/new-secret.ts'
import { createSecretOnce } from '../../src/secrets/create-secret-once.ts'
import { createSecret } from '../../src/secrets/create-secret.ts'
import { retireKey } from '../../src/keys/keys.ts'
import { rotateKeys } from '../../src/keys/rotate-keys.ts'
import { sweepExpired } from '../../src/storage/sweep-expired.ts'
import {
  all,
  createWorld,
  dayMicros,
  minuteMicros,
  newSecret,
  inOtherProcess,
  recording,
  type World,
} from '../world.ts'

const request = (world: World, fields: Partial<NewSecret> = {}) => ({
  ...newSecret(world, fields),
  idempotencyKey: 'order-1',
})
const once = (world: World, fields?: Partial<NewSecret>) =>
  createSecretOnce(world.deps, request(world, fields))
const secretsOf = ({ sotto, accountId }: World) => all(sotto.listSecrets({ accountId }))

t.test('the same key and values give the first secret again, whatever happened to it since', async (t) => {
  const world = await createWorld()
  const { sotto, deps } = world
  const fields = { openLimit: 1, password: 'right', notify: true }
  const first = expectOk(await once(world, fields))
  t.equal(first.isReplayed, false)
  const replayed = { secret: first.secret, isReplayed: true }
  deps.clock.advance(minuteMicros)
  t.strictSame(expectOk(await once(world, fields)), replayed)
  expectOk(await sotto.openSecret({ token: first.secret.link.token, password: 'right' }))
  t.strictSame(expectOk(await once(world, fields)), replayed, 'after the last open')
  expectOk(await sotto.rotateKeys())
  t.strictSame(expectOk(await once(world, fields)), replayed, 'after a rotation')
  t.strictSame(await secretsOf(world), [first.secret])
})

t.test('the same key with other values is refused, and creates nothing', async (t) => {
  const world = await createWorld()
  const { secret } = expectOk(await once(world))
  for (const fields of [{ label: 'x' }, { note: 'x' }, { password: 'x' }, { openLimit: 1 }, { label: '' }]) {
    t.strictSame(expectErr(await once(world, fields)), { code: 'idempotency_key_reused' })
  }
  t.strictSame(await secretsOf(world), [secret])
})

t.test(
  'of many simultaneous requests with one key one creates a secret, and the others are under way',
  async (t) => {
    const world = await createWorld()
    const results = await Promise.all(Array.from({ length: 8 }, () => once(world)))
    const created = results.flatMap((result) => (result.isOk() ? [result.value] : []))
    t.strictSame(
      created.map(({ isReplayed }) => isReplayed),
      [false],
    )
    for (const result of results.filter((each) => each.isErr())) {
      t.strictSame(expectErr(result), { code: 'idempotency_key_under_way' })
    }
    t.equal((await secretsOf(world)).length, 1)
    t.strictSame(expectOk(await once(world)), { secret: created[0]?.secret, isReplayed: true }, 'sent again')
  },
)

t.test('what failed is not remembered: the next request with the key creates the secret', async (t) => {
  const world = await createWorld()
  const { deps } = world
  expectErr(await once(world, { label: '' }), 'fields_invalid')
  const full = { code: 'storage_unavailable', reason: 'full' } as const
  const idempotencyKeys = failing(deps.idempotencyKeys, { insertSecret: full })
  t.strictSame(expectErr(await createSecretOnce({ ...deps, idempotencyKeys }, request(world))), full)
  const busy = { ...deps.secretCipher, encryptSecret: () => errAsync({ code: 'hasher_busy' } as const) }
  expectErr(await createSecretOnce({ ...deps, secretCipher: busy }, request(world)), 'hasher_busy')
  t.equal(expectOk(await once(world)).isReplayed, false)
})

t.test('a secret that was destroyed or has expired is gone, and is not created again', async (t) => {
  const world = await createWorld()
  const { sotto, deps, accountId } = world
  const { secret } = expectOk(await once(world))
  expectOk(await sotto.destroySecret({ accountId, id: secret.id }))
  t.strictSame(expectErr(await once(world)), { code: 'secret_gone' })
  const short = { ...request(world), idempotencyKey: 'short', lifetimeSeconds: 3_600 } as const
  expectOk(await createSecretOnce(deps, short))
  deps.clock.advance(60 * minuteMicros)
  t.strictSame(expectErr(await createSecretOnce(deps, short)), { code: 'secret_gone' })
  t.strictSame(await secretsOf(world), [])
})

// Promise (Clients): An idempotency key is remembered for 24 hours
t.test('a key is remembered for 24 hours, and erased by the sweep after that', async (t) => {
  const world = await createWorld()
  const { deps } = world
  expectOk(await once(world))
  deps.clock.advance(dayMicros - 1)
  expectOk(await sweepExpired(deps))
  t.equal(expectOk(await once(world)).isReplayed, true)
  deps.clock.advance(1)
  t.equal(expectOk(await once(world)).isReplayed, false, 'even if it is not erased yet')
  deps.clock.advance(dayMicros)
  expectOk(await sweepExpired(deps))
  t.strictSame(deps.data.claims, [])
})

t.test('two accounts may use the same key', async (t) => {
  const world = await createWorld()
  const { sotto } = world
  const { id: accountId } = expectOk(await sotto.createAccount({ email: 'bob@example.org' }))
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'Theirs' }))
  expectOk(await once(world))
  t.equal(expectOk(await once({ ...world, accountId, folderId })).isReplayed, false)
})

t.test('a malformed key is named beside every other invalid field', async (t) => {
  const world = await createWorld()
  const keyError = { field: 'idempotencyKey', rule: 'not_visible_ascii', limit: 255 }
  const given = { ...request(world), idempotencyKey: 'a b' }
  t.strictSame(expectErr(await createSecretOnce(world.deps, given)), {
    code: 'fields_invalid',
    errors: [keyError],
  })
  t.strictSame(expectErr(await createSecretOnce(world.deps, { ...given, label: '' })), {
    code: 'fields_invalid',
    errors: [{ field: 'label', rule: 'empty' }, keyError],
  })
})

t.test('a key that another process has retired costs one retry and no error', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const retired = { insertSecret: { code: 'key_retired' } } as const
  const idempotencyKeys = failing(deps.idempotencyKeys, retired, { times: 1 })
  expectOk(await createSecretOnce({ ...deps, idempotencyKeys }, request(world)))
  t.equal(expectOk(await once(world)).isReplayed, true)
})

// Promise (Sealed at rest): Nothing is refused because another process has retired a key, and nothing is written under it: and a repeated
// request creates no second secret
t.test('a request that another process answered under a new key is found here, too', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const other = inOtherProcess(deps)
  expectOk(await rotateKeys(other))
  expectOk(await retireKey(other, { kid: 1 }))
  const first = expectOk(await createSecretOnce(other, request(world)))
  t.equal(deps.keyRing.activeKid(), 1, 'this process has not read the keys yet')
  t.strictSame(expectOk(await once(world)), { secret: first.secret, isReplayed: true })
  t.equal((await secretsOf(world)).length, 1)
})

t.test('the claim is under the key that the secret is encrypted under, whenever that was read', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const other = inOtherProcess(deps)
  expectOk(await rotateKeys(other))
  expectOk(await retireKey(other, { kid: 1 }))
  const first = expectOk(await createSecretOnce(other, request(world)))
  const { secretCipher } = deps
  const encryptSecret: typeof secretCipher.encryptSecret = (plain) => {
    deps.keyRing.refresh()
    return secretCipher.encryptSecret(plain)
  }
  const second = await createSecretOnce(
    { ...deps, secretCipher: { ...secretCipher, encryptSecret } },
    request(world),
  )
  t.strictSame(expectOk(second), { secret: first.secret, isReplayed: true })
  t.equal((await secretsOf(world)).length, 1)
})

t.test('a secret without a key touches no claim', async (t) => {
  const world = await createWorld()
  const { deps, calls } = recording(world.deps, ['idempotencyKeys', 'secrets', 'folders'])
  expectOk(await createSecret(deps, newSecret(world)))
  t.strictSame(calls, ['folders.owns', 'secrets.insert'])
})
