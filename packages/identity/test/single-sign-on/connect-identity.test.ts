import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { identitiesMax } from '../../src/authenticators/identity.ts'
import { connectIdentity } from '../../src/single-sign-on/identities.ts'
import { signInWithIdentity } from '../../src/single-sign-on/sign-in-with-identity.ts'
import { inOtherProcess, startMicros, unknownId } from '../../../core/test/world.ts'
import { comeBack, connect, createWorld } from '../world.ts'

t.test('an owner connects an identity; its subject is in no answer', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  const made = expectOk(await connectIdentity(deps, { accountId, ...(await comeBack(world)) }))
  const issuer = 'https://login.example'
  const times = { createdAtMicros: startMicros, lastUsedAtMicros: undefined, refusedAtMicros: undefined }
  t.strictSame(made, { id: made.id, issuer, origin: 'connected', ...times })
  t.strictSame(expectOk(await world.sotto.listIdentities({ accountId })).items, [made])
  const again = expectOk(await connectIdentity(deps, { accountId, ...(await comeBack(world)) }))
  t.strictSame(again, made, 'one that it has already stays as it is')
})

t.test('an identity of another account is refused', async (t) => {
  const world = await createWorld()
  await connect(world)
  const bob = expectOk(await world.sotto.createAccount({ email: 'bob@example.org' }))
  const taken = await connectIdentity(world.deps, { accountId: bob.id, ...(await comeBack(world)) })
  t.strictSame(expectErr(taken), { code: 'identity_taken' })
  const missing = await connectIdentity(world.deps, {
    accountId: unknownId,
    ...(await comeBack(world, { subject: 'x' })),
  })
  t.strictSame(expectErr(missing), { code: 'account_not_found' })
})

t.test('an account has five identities at most', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  for (let nr = 0; nr < identitiesMax; nr += 1) await connect(world, { subject: `subject ${String(nr)}` })
  const sixth = await connectIdentity(deps, { accountId, ...(await comeBack(world, { subject: 'sixth' })) })
  t.strictSame(expectErr(sixth), { code: 'identity_limit_reached' })
})

t.test('issuer and subject are stored encrypted, and found after a rotation', async (t) => {
  const world = await createWorld()
  const { deps, sotto } = world
  await connect(world)
  const other = inOtherProcess(deps)
  const stored = JSON.stringify([...deps.data.identities.values()], (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  )
  for (const hidden of ['login.example', 'f3b1c0de']) t.notOk(stored.includes(hidden))
  const before = expectOk(await sotto.listIdentities({ accountId: world.accountId }))
  expectOk(await sotto.rotateKeys())
  expectOk(await sotto.retireKey({ kid: 1 }))
  t.strictSame(expectOk(await sotto.listIdentities({ accountId: world.accountId })), before)
  for (const ports of [deps, { ...other, policy: deps.policy }])
    expectOk(await signInWithIdentity(ports, { ...(await comeBack(world)), address: '192.0.2.1' }))
})

t.test('a callback that proves nothing connects nothing', async (t) => {
  const world = await createWorld()
  const mixed = { ...(await comeBack(world)), pending: (await comeBack(world)).pending }
  const refused = await connectIdentity(world.deps, { accountId: world.accountId, ...mixed })
  t.strictSame(expectErr(refused), { code: 'sso_refused', reason: 'state' })
  t.equal(world.deps.data.identities.size, 0)
})
