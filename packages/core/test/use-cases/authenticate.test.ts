import t from 'tap'
import { makeAccessToken } from '../../src/entities/access-token.ts'
import { authenticate } from '../../src/use-cases/authenticate.ts'
import { createAccessToken } from '../../src/use-cases/create-access-token.ts'
import { disableAccount } from '../../src/use-cases/disable-account.ts'
import { listAccessTokens } from '../../src/use-cases/list-access-tokens.ts'
import { revokeAccessToken } from '../../src/use-cases/revoke-access-token.ts'
import { all, createWorld, secondMicros, startMicros, type World } from '../world.ts'

const invalid = { code: 'token_invalid' }

t.test('a token tells whose it is and what it may do', async (t) => {
  const { ports, accountId } = await createWorld()
  const made = (await createAccessToken(ports, { accountId, name: 'ci', scopes: ['read'] }))._unsafeUnwrap()
  const caller = (await authenticate(ports, { token: made.token }))._unsafeUnwrap()
  t.strictSame(caller, { accountId, tokenId: made.id, scopes: ['read'] })
})

t.test(
  'malformed, unknown, revoked, expired tokens and those of disabled accounts are refused alike',
  async (t) => {
    const world = await createWorld()
    const { ports, accountId } = world
    const revoked = await token(world)
    t.ok((await revokeAccessToken(ports, { accountId, id: revoked.id })).isOk())
    const expiring = await token(world, 60)
    const others = await createWorld()
    const disabled = await token(others)
    t.ok((await disableAccount(others.ports, { accountId: others.accountId })).isOk())
    const unknown = makeAccessToken((count) => new Uint8Array(count))
    for (const text of ['', 'sotto_', `${revoked.token}x`, unknown, revoked.token]) {
      t.strictSame((await authenticate(ports, { token: text }))._unsafeUnwrapErr(), invalid, text)
    }
    t.strictSame((await authenticate(others.ports, { token: disabled.token }))._unsafeUnwrapErr(), invalid)
    ports.clock.advance(60 * secondMicros - 1)
    t.ok((await authenticate(ports, { token: expiring.token })).isOk())
    ports.clock.advance(1)
    t.strictSame((await authenticate(ports, { token: expiring.token }))._unsafeUnwrapErr(), invalid)
  },
)

t.test('the last use is noted at most once a minute', async (t) => {
  const world = await createWorld()
  const { ports, accountId } = world
  const { token: text } = await token(world)
  const noted: number[] = []
  const accessTokens = {
    ...ports.accessTokens,
    noteUse(id: string, atMicros: number) {
      noted.push(atMicros - startMicros)
      ports.accessTokens.noteUse(id, atMicros)
    },
  }
  for (const waitSeconds of [0, 30, 29, 1, 1]) {
    ports.clock.advance(waitSeconds * secondMicros)
    t.ok((await authenticate({ ...ports, accessTokens }, { token: text })).isOk())
  }
  t.strictSame(noted, [0, 60 * secondMicros])
  t.equal(
    (await all(listAccessTokens(ports, { accountId })))[0]?.lastUsedAtMicros,
    startMicros + 60 * secondMicros,
  )
})

t.test('the text of a token is shown once and kept nowhere', async (t) => {
  const world = await createWorld()
  const { token: text } = await token(world)
  const listed = await all(listAccessTokens(world.ports, { accountId: world.accountId }))
  t.equal(listed.length, 1)
  t.notOk(JSON.stringify(listed).includes(text))
  t.match(listed[0], { name: 'a token', scopes: ['read', 'write'], revokedAtMicros: undefined })
})

t.test('a token’s faults are told at once', async (t) => {
  const { ports, accountId } = await createWorld()
  const refused = await createAccessToken(ports, {
    accountId,
    name: '',
    scopes: ['admin'],
    expiresInSeconds: 0,
  })
  t.match(refused._unsafeUnwrapErr(), {
    code: 'fields_invalid',
    faults: [
      { field: 'name', rule: 'empty' },
      { field: 'scopes', rule: 'unknown_scope' },
      { field: 'expiresIn', rule: 'out_of_range' },
    ],
  })
})

t.test('only the owner revokes a token', async (t) => {
  const world = await createWorld()
  const { id, token: text } = await token(world)
  const stranger = '0190f3a0-0000-7000-8000-000000000000'
  const refused = await revokeAccessToken(world.ports, { accountId: stranger, id })
  t.strictSame(refused._unsafeUnwrapErr(), { code: 'access_token_not_found' })
  t.ok((await authenticate(world.ports, { token: text })).isOk())
})

async function token({ ports, accountId }: World, expiresInSeconds?: number) {
  return (await createAccessToken(ports, { accountId, name: 'a token', expiresInSeconds }))._unsafeUnwrap()
}
