import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import {
  challengeMicros,
  isChallengeOf,
  makeChallenge,
  useChallenge,
} from '../../src/passkeys/passkey-challenges.ts'
import { inOtherProcess, secondMicros } from '../../../core/test/world.ts'
import { createWorld } from '../world.ts'

t.test('a challenge is 48 bytes in base64url, another one each time', async (t) => {
  const { deps } = await createWorld()
  const [one, other] = [makeChallenge(deps, 'sign-in'), makeChallenge(deps, 'sign-in')]
  t.match(one, /^[\w-]{64}$/)
  t.equal(Buffer.from(one, 'base64url').toString('base64url'), one)
  t.not(one.slice(8, 32), other.slice(8, 32))
})

// Promise (The owner's pages): What is signed for one page, or in one session, counts nowhere else, and for 10 minutes.
t.test('a challenge is for one purpose and for ten minutes', async (t) => {
  const { deps } = await createWorld()
  const challenge = makeChallenge(deps, 'add/1')
  for (const purpose of ['sign-in', 'add/2', 'proof/1', 'add/'] as const)
    t.equal(isChallengeOf(deps, challenge, purpose), false, purpose)
  t.equal(isChallengeOf(deps, challenge, 'add/1'), true)
  deps.clock.advance(challengeMicros - 1)
  t.equal(isChallengeOf(deps, challenge, 'add/1'), true)
  deps.clock.advance(1)
  t.equal(isChallengeOf(deps, challenge, 'add/1'), false)
  deps.clock.advance(-challengeMicros - secondMicros)
  t.equal(isChallengeOf(deps, challenge, 'add/1'), false, 'from the future')
  deps.clock.advance(secondMicros - 1)
  t.equal(isChallengeOf(deps, makeChallenge(deps, 'add/1'), 'add/1'), true, 'at the end of a second')
})

t.test('a challenge that anything was changed of is none', async (t) => {
  const { deps } = await createWorld()
  const challenge = makeChallenge(deps, 'sign-in')
  for (let at = 0; at < challenge.length; at += 1) {
    const other = challenge[at] === '1' ? '2' : '1'
    const changed = challenge.slice(0, at) + other + challenge.slice(at + 1)
    t.equal(isChallengeOf(deps, changed, 'sign-in'), false, String(at))
  }
  for (const none of ['', challenge.slice(1), `${challenge}A`, `${challenge}=`, 'A'.repeat(64)])
    t.equal(isChallengeOf(deps, none, 'sign-in'), false)
})

t.test('a challenge outlives a rotation of the keys, and another process knows it', async (t) => {
  const world = await createWorld()
  const challenge = makeChallenge(world.deps, 'sign-in')
  expectOk(await world.sotto.rotateKeys())
  t.equal(isChallengeOf(world.deps, challenge, 'sign-in'), true)
  t.equal(isChallengeOf(inOtherProcess(world.deps), challenge, 'sign-in'), true)
})

// Promise (The owner's pages): A challenge counts once.
t.test(
  'a challenge can be used once, also by two at the same time, and is not forgotten while it lasts',
  async (t) => {
    const { deps } = await createWorld()
    const challenge = makeChallenge(deps, 'sign-in')
    const both = await Promise.all([useChallenge(deps, challenge), useChallenge(deps, challenge)])
    t.equal(both.filter((used) => used.isOk()).length, 1)
    expectOk(await deps.usedTokens.eraseOver(deps.clock.nowMicros() + challengeMicros - 1, 10))
    const used = { code: 'passkey_refused', reason: 'challenge_used' }
    t.strictSame(expectErr(await useChallenge(deps, challenge)), used)
    expectOk(await useChallenge(deps, makeChallenge(deps, 'sign-in')))
  },
)
