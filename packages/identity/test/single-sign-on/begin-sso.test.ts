import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { beginSso } from '../../src/single-sign-on/begin-sso.ts'
import { createWorld } from '../world.ts'

const redirectUri = 'https://sotto.example/login/sso/callback'

t.test(
  'a sign-in begins at the provider, and asks for a fresh one when it is to prove something',
  async (t) => {
    const { deps } = await createWorld()
    for (const fresh of [false, true]) {
      const { url, pending } = expectOk(await beginSso(deps, { redirectUri, fresh }))
      t.equal(new URL(url).searchParams.get('redirect_uri'), redirectUri)
      t.equal(new URL(url).searchParams.has('max_age'), fresh)
      t.ok(pending.length > 0)
    }
  },
)

t.test('without a provider, or with one that is away, nothing begins', async (t) => {
  const { deps } = await createWorld()
  const without = await beginSso({ ...deps, identityProvider: undefined }, { redirectUri, fresh: false })
  t.strictSame(expectErr(without), { code: 'sso_refused', reason: 'not_set_up' })
  deps.identityProvider.setReachable(false)
  t.equal(
    expectErr(await beginSso(deps, { redirectUri, fresh: false })).code,
    'identity_provider_unreachable',
  )
})
