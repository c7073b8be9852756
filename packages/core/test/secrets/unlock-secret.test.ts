import { expectErr, expectOk } from '@sotto/test-kit'
import { ok } from 'neverthrow'
import t from 'tap'
import { lookupOf } from '../../src/secrets/links.ts'
import { all, createWorld, newSecret, unknownId } from '../world.ts'

const password = 'right'

async function lockedWorld() {
  const world = await createWorld()
  const { sotto, accountId } = world
  const { id, link } = expectOk(await sotto.createSecret(newSecret(world, { password })))
  const open = (typed: string) => sotto.openSecret({ token: link.token, password: typed })
  const guess = async (times: number): Promise<void> => {
    for (let at = 0; at < times; at += 1) expectErr(await open('wrong'), 'password_wrong')
  }
  const view = async () => expectOk(await sotto.viewSecret({ accountId, id }))
  return { ...world, id, open, guess, view }
}

// Promise (The owner's pages): The owner can end the lock of a link, and the hundred wrong passwords count on
t.test(
  'an unlocked link takes five wrong passwords again, and is disabled by the hundredth of all',
  async (t) => {
    const { sotto, accountId, id, open, guess, view } = await lockedWorld()
    const unlock = () => sotto.unlockSecret({ accountId, id: id.toUpperCase() })
    for (let lock = 0; lock < 19; lock += 1) {
      await guess(5)
      expectErr(await open(password), 'link_locked')
      t.not((await view()).lockedUntilMicros, undefined)
      t.strictSame(expectOk(await unlock()), { wasLocked: true })
      t.equal((await view()).lockedUntilMicros, undefined)
    }
    await guess(4)
    t.equal(expectOk(await open(password)).note, 'a note', 'the right one opens it in between')
    t.strictSame(expectOk(await unlock()), { wasLocked: false })
    await guess(1)
    expectErr(await open(password), 'link_not_found')
    t.strictSame(expectOk(await unlock()), { wasLocked: false })
    t.equal((await view()).isDisabled, true, 'what is disabled stays so')
  },
)

t.test('attempts that were cut off count on after an unlock, but do not lock', async (t) => {
  const { sotto, accountId, id, deps, open, view } = await lockedWorld()
  const { link } = expectOk(await sotto.getSecret({ accountId, id }))
  const lookup = lookupOf(deps.digests, link.token)
  const underWay = ['a', 'b', 'c', 'd', 'e'].map((each) => ({
    id: each,
    sinceMicros: deps.clock.nowMicros(),
  }))
  const cutOff = { underWay, wrongAtMicros: [], wrongTotal: 0, lockedUntilMicros: undefined }
  expectOk(await deps.links.update(lookup, undefined, () => ok({ attempts: cutOff })))
  deps.clock.advance(61 * 1_000_000)
  t.strictSame(expectOk(await sotto.unlockSecret({ accountId, id })), { wasLocked: true })
  t.equal(expectOk(await open(password)).note, 'a note')
  t.equal((await view()).lockedUntilMicros, undefined)
})

t.test('what is no secret of the account is not unlocked', async (t) => {
  const world = await lockedWorld()
  const { sotto, accountId, id, guess, view } = world
  await guess(5)
  const draft = expectOk(await sotto.saveDraft(newSecret(world)))
  for (const input of [
    { accountId, id: draft.id },
    { accountId, id: unknownId },
    { accountId, id: 'x' },
    { accountId: unknownId, id },
  ])
    t.strictSame(expectErr(await sotto.unlockSecret(input)), { code: 'secret_not_found' })
  t.not((await view()).lockedUntilMicros, undefined)
  t.equal((await all(sotto.listSecrets({ accountId }))).length, 1)
})
