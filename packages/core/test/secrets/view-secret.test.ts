import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { viewSecret } from '../../src/secrets/owned-secrets.ts'
import { createWorld, dayMicros, minuteMicros, newSecret, startMicros, unknownId } from '../world.ts'

// Promise (The owner's pages): An owner sees opens so far and left, and the time of each
t.test('an owner sees opens so far and left, and the time of each, newest first', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const secret = expectOk(await sotto.createSecret(newSecret(world, { openLimit: 2 })))
  const view = async () => expectOk(await viewSecret(deps, { accountId, id: secret.id }))
  const fresh = {
    status: 'waiting',
    opens: 0,
    opensLeft: 2,
    openedAtMicros: [],
    news: 0,
    lockedUntilMicros: undefined,
    isDisabled: false,
  }
  t.strictSame(await view(), { ...secret, ...fresh, hasNote: true, files: [], showsFiles: false })
  expectOk(await sotto.openSecret({ token: secret.link.token }))
  deps.clock.advance(1)
  expectOk(await sotto.openSecret({ token: secret.link.token }))
  t.match(await view(), { opens: 2, opensLeft: 0, hasNote: false })
  t.strictSame((await view()).openedAtMicros, [startMicros + 1, startMicros])
})

t.test('without a limit none are left to count, and the latest 100 opens have a time', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id, link } = expectOk(await sotto.createSecret(newSecret(world)))
  for (let nr = 0; nr < 101; nr += 1) {
    deps.clock.advance(1)
    expectOk(await sotto.openSecret({ token: link.token }))
  }
  const { opens, opensLeft, openedAtMicros } = expectOk(await viewSecret(deps, { accountId, id }))
  t.strictSame([opens, opensLeft, openedAtMicros.length], [101, undefined, 100])
  t.strictSame([openedAtMicros[0], openedAtMicros[99]], [startMicros + 101, startMicros + 2])
})

t.test(
  'a lock by wrong passwords is shown while it lasts, and a link that is disabled for good',
  async (t) => {
    const world = await createWorld()
    const { deps, sotto, accountId } = world
    const { id, link } = expectOk(await sotto.createSecret(newSecret(world, { password: 'right' })))
    const view = async () => expectOk(await viewSecret(deps, { accountId, id }))
    const guess = async () => {
      for (let nr = 0; nr < 5; nr += 1)
        expectErr(await sotto.openSecret({ token: link.token, password: 'wrong' }))
    }
    await guess()
    t.match(await view(), { lockedUntilMicros: startMicros + 30 * minuteMicros, isDisabled: false })
    deps.clock.set(startMicros - dayMicros)
    t.match(
      await view(),
      { lockedUntilMicros: startMicros - dayMicros + 30 * minuteMicros },
      'clock set back',
    )
    deps.clock.set(startMicros + 30 * minuteMicros)
    t.equal((await view()).lockedUntilMicros, undefined)
    for (let times = 1; times < 20; times += 1) {
      await guess()
      deps.clock.advance(30 * minuteMicros)
    }
    t.equal((await view()).isDisabled, true)
  },
)

t.test('a draft, and an expired, unknown, malformed or another account’s secret are not found', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.createSecret(newSecret(world)))
  const draft = expectOk(await sotto.saveDraft(newSecret(world)))
  const gone = { code: 'secret_not_found' }
  for (const input of [
    { accountId, id: draft.id },
    { accountId, id: unknownId },
    { accountId, id: 'x' },
    { accountId: unknownId, id },
  ]) {
    t.strictSame(expectErr(await viewSecret(deps, input)), gone)
  }
  const secrets = { ...deps.secrets, activity: () => okAsync(undefined) }
  t.strictSame(
    expectErr(await viewSecret({ ...deps, secrets }, { accountId, id })),
    gone,
    'destroyed just now',
  )
  deps.clock.advance(30 * dayMicros)
  t.strictSame(expectErr(await viewSecret(deps, { accountId, id })), gone)
})
