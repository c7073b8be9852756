import t from 'tap'
import { expectErr, expectOk, failing } from '@sotto/test-kit'
import { makeAccessToken } from '../../src/access-tokens/access-token.ts'
import { authenticate } from '../../src/access-tokens/authenticate.ts'
import { all, counting, secondMicros, startMicros } from '../../../core/test/world.ts'
import { createWorld, type World } from '../world.ts'

const invalid = { code: 'token_invalid' }

t.test('a token names its account, itself and its scopes', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const { id, token } = expectOk(await sotto.createAccessToken({ accountId, name: 'ci', scopes: ['read'] }))
  t.strictSame(expectOk(await authenticate(deps, { token })), {
    accountId,
    via: { kind: 'access_token', id },
    scopes: ['read'],
  })
})

t.test(
  'malformed, unknown, revoked and expired tokens and those of disabled accounts give the same error',
  async (t) => {
    const world = await createWorld()
    const { deps, sotto, accountId } = world
    const revoked = await createToken(world)
    expectOk(await sotto.revokeAccessToken({ accountId, id: revoked.id }))
    const expiring = await createToken(world, 60)
    const others = await createWorld()
    const disabled = await createToken(others)
    expectOk(await others.sotto.disableAccount({ accountId: others.accountId }))
    const unknown = makeAccessToken((count) => new Uint8Array(count))
    for (const token of ['', 'sotto_', `${revoked.token}x`, unknown, revoked.token]) {
      t.strictSame(expectErr(await authenticate(deps, { token })), invalid, token)
    }
    t.strictSame(expectErr(await authenticate(others.deps, { token: disabled.token })), invalid)
    deps.clock.advance(60 * secondMicros - 1)
    expectOk(await authenticate(deps, { token: expiring.token }))
    deps.clock.advance(1)
    t.strictSame(expectErr(await authenticate(deps, { token: expiring.token })), invalid)
  },
)

// Promise (The JSON API): A revocation, a disabling, an erasure or the retirement of a key holds for every request that begins after its
// acknowledgement, on every process: and take the same path
t.test('tokens that are not valid take the same path: one look-up that finds nothing', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const revoked = await createToken(world)
  expectOk(await sotto.revokeAccessToken({ accountId, id: revoked.id }))
  const expired = await createToken(world, 60)
  deps.clock.advance(60 * secondMicros)
  const others = await createWorld()
  const disabled = await createToken(others)
  expectOk(await others.sotto.disableAccount({ accountId: others.accountId }))
  const unknown = makeAccessToken((count) => new Uint8Array(count))
  for (const [{ deps }, token] of [
    [world, unknown],
    [world, ''],
    [world, `${revoked.token}x`],
    [world, revoked.token],
    [world, expired.token],
    [others, disabled.token],
  ] as const) {
    const { port: accessTokens, answers } = counting(deps.accessTokens)
    const { port: digests, calls } = counting(deps.digests)
    expectErr(await authenticate({ ...deps, accessTokens, digests }, { token }))
    t.strictSame(await answers(), [['findUsable', undefined]], token)
    t.strictSame(calls, { accessTokenDigest: 1 })
  }
})

t.test('the last use is recorded at most once a minute', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { token } = await createToken(world)
  const recorded: number[] = []
  const accessTokens = {
    ...deps.accessTokens,
    recordUse(id: string, atMicros: number) {
      recorded.push(atMicros - startMicros)
      deps.accessTokens.recordUse(id, atMicros)
    },
  }
  for (const waitSeconds of [0, 30, 29, 1, 1]) {
    deps.clock.advance(waitSeconds * secondMicros)
    expectOk(await authenticate({ ...deps, accessTokens }, { token }))
  }
  t.strictSame(recorded, [0, 60 * secondMicros])
  const [listed] = await all(sotto.listAccessTokens({ accountId }))
  t.equal(listed?.lastUsedAtMicros, startMicros + 60 * secondMicros)
})

t.test('a storage error is not a verdict on the token', async (t) => {
  const world = await createWorld()
  const { token } = await createToken(world)
  const busy = { code: 'storage_unavailable', reason: 'busy' } as const
  const accessTokens = failing(world.deps.accessTokens, { findUsable: busy })
  t.strictSame(expectErr(await authenticate({ ...world.deps, accessTokens }, { token })), busy)
})

async function createToken({ sotto, accountId }: World, expiresInSeconds?: number) {
  return expectOk(await sotto.createAccessToken({ accountId, name: 'a token', expiresInSeconds }))
}
