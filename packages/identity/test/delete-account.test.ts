import { expectErr, expectOk } from '@sotto/test-kit'
import { errAsync } from 'neverthrow'
import t from 'tap'
import { awayAddress, email } from '../../core/test/world.ts'
import { createFullSotto } from '../src/identity.ts'
import { choosePassword, createWorld, goodPassword } from './world.ts'

const busy = { code: 'storage_unavailable', reason: 'busy' } as const

// Promise (The owner's pages): An account is deleted with everything that belongs to it: also when the deletion is interrupted, in every
// package
t.test(
  'an interrupted erasure locks everybody out immediately, and the sweep erases all of it',
  async (t) => {
    const world = await createWorld()
    const { deps, sotto, accountId } = world
    const session = await choosePassword(world)
    expectOk(await sotto.resetAccount({ email }))
    const accessToken = expectOk(await sotto.createAccessToken({ accountId, name: 'ci' }))
    const accounts = { ...deps.accounts, eraseBegun: () => errAsync(busy) }
    const interrupted = createFullSotto({ ports: { ...deps, accounts }, policy: deps.policy })
    expectOk(await interrupted.deleteAccount({ accountId }))
    t.strictSame(expectErr(await sotto.authenticateSession({ token: session.token })), {
      code: 'session_invalid',
    })
    t.strictSame(expectErr(await sotto.authenticate({ token: accessToken.token })), { code: 'token_invalid' })
    t.strictSame(expectErr(await sotto.signIn({ email, password: goodPassword, address: awayAddress })), {
      code: 'sign_in_wrong',
    })
    expectOk(await sotto.sweepExpired())
    const { accessTokens, sessions, passwords, invitations, knownAddresses, erasing } = deps.data
    const left = [accessTokens, sessions, passwords, invitations, erasing].map(({ size }) => size)
    t.strictSame([...left, knownAddresses.length], [0, 0, 0, 0, 0, 0])
  },
)
