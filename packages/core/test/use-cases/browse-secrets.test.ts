import t from 'tap'
import { expectErr, expectOk, failing } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { browseSecrets } from '../../src/use-cases/secrets.ts'
import { all, counting, createWorld, newSecret, type World } from '../world.ts'

t.test('secrets are listed newest first, each with its activity, in one more read a page', async (t) => {
  const world = await filledWorld()
  const { deps, sotto, accountId } = world
  const { port: secrets, calls } = counting(deps.secrets)
  const shown = await all(browseSecrets({ ...deps, secrets }, { accountId, pageSize: 2 }))
  t.strictSame(
    shown.map(({ opens }) => opens),
    [2, 1, 0],
  )
  t.strictSame(
    shown.map(({ id }) => id),
    (await all(sotto.listSecrets({ accountId }))).map(({ id }) => id),
  )
  t.strictSame(calls, { page: 2, activity: 2 })
})

t.test('a secret that is destroyed between the two reads is left out', async (t) => {
  const { deps, accountId } = await filledWorld()
  const secrets = { ...deps.secrets, activity: () => okAsync([]) }
  t.strictSame(await all(browseSecrets({ ...deps, secrets }, { accountId })), [])
})

t.test('an error of either read ends the list', async (t) => {
  const { deps, accountId } = await filledWorld()
  const busy = { code: 'storage_unavailable', reason: 'busy' } as const
  for (const failures of [{ page: busy }, { activity: busy }]) {
    const secrets = failing(deps.secrets, failures)
    const pages = []
    for await (const page of browseSecrets({ ...deps, secrets }, { accountId, pageSize: 2 })) pages.push(page)
    t.strictSame(
      pages.map((page) => expectErr(page)),
      [busy],
    )
  }
})

/** Three secrets, opened 0, 1 and 2 times. */
async function filledWorld(): Promise<World> {
  const world = await createWorld()
  for (const opens of [0, 1, 2]) {
    world.deps.clock.advance(1)
    const { link } = expectOk(await world.sotto.createSecret(newSecret(world)))
    for (let nr = 0; nr < opens; nr += 1) expectOk(await world.sotto.openSecret({ token: link.token }))
  }
  return world
}
