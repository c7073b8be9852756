import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { isAccessToken } from '../../src/access-tokens/access-token.ts'
import { createAccessToken } from '../../src/access-tokens/access-tokens.ts'
import { all, secondMicros, startMicros, unknownId } from '../../../core/test/world.ts'
import { createWorld } from '../world.ts'

t.test('a token has every scope and never expires by default', async (t) => {
  const { deps, accountId } = await createWorld()
  const { token, ...rest } = expectOk(await createAccessToken(deps, { accountId, name: 'ci' }))
  t.ok(isAccessToken(token))
  t.match(rest, {
    name: 'ci',
    scopes: ['read', 'write'],
    createdAtMicros: startMicros,
    expiresAtMicros: undefined,
    revokedAtMicros: undefined,
    lastUsedAtMicros: undefined,
  })
})

t.test('a token expires after the given number of seconds', async (t) => {
  const { deps, accountId } = await createWorld()
  const input = { accountId, name: 'ci', expiresInSeconds: 60 }
  const { expiresAtMicros } = expectOk(await createAccessToken(deps, input))
  t.equal(expiresAtMicros, startMicros + 60 * secondMicros)
})

t.test('the text of a token is shown once and stored nowhere', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const { token } = expectOk(await createAccessToken(deps, { accountId, name: 'a token' }))
  const listed = await all(sotto.listAccessTokens({ accountId }))
  t.equal(listed.length, 1)
  t.notOk(JSON.stringify(listed).includes(token))
  t.notOk(JSON.stringify([...deps.data.accessTokens.values()]).includes(token))
})

t.test('all invalid fields of a token are named together', async (t) => {
  const { deps, accountId } = await createWorld()
  const input = { accountId, name: '', scopes: ['admin'], expiresInSeconds: 0 }
  t.strictSame(expectErr(await createAccessToken(deps, input)), {
    code: 'fields_invalid',
    errors: [
      { field: 'name', rule: 'empty' },
      { field: 'scopes', rule: 'unknown_scope' },
      { field: 'expiresIn', rule: 'out_of_range', limit: 3_650 * 86_400 },
    ],
  })
})

t.test('a single invalid field is enough', async (t) => {
  const { deps, accountId } = await createWorld()
  for (const [fields, field] of [
    [{ name: '' }, 'name'],
    [{ scopes: [] }, 'scopes'],
    [{ expiresInSeconds: 0.5 }, 'expiresIn'],
  ] as const) {
    const refused = await createAccessToken(deps, { accountId, name: 'ci', ...fields })
    const { errors } = expectErr(refused, 'fields_invalid')
    t.strictSame(
      errors.map((error) => error.field),
      [field],
    )
  }
})

t.test('an unknown account gets no token', async (t) => {
  const { deps } = await createWorld()
  const refused = await createAccessToken(deps, { accountId: unknownId, name: 'ci' })
  t.strictSame(expectErr(refused), { code: 'account_not_found' })
})
