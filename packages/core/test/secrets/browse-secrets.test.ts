import t from 'tap'
import { expectOk } from '@sotto/test-kit'
import { browseSecrets, countSecrets } from '../../src/secrets/owned-secrets.ts'
import { all, counting, createWorld, dayMicros, newSecret, unknownId, type World } from '../world.ts'

t.test('secrets are listed newest first, each with its activity, in one read a page', async (t) => {
  const world = await filledWorld()
  const { deps, sotto, accountId } = world
  const { port: secrets, calls } = counting(deps.secrets)
  const shown = await all(browseSecrets({ ...deps, secrets }, { accountId, pageSize: 2 }))
  t.strictSame(
    shown.map(({ opens, status, openedAtMicros }) => [opens, status, openedAtMicros.length]),
    [
      [1, 'finished', 1],
      [2, 'opened', 2],
      [1, 'opened', 1],
      [0, 'waiting', 0],
    ],
  )
  t.strictSame(
    shown.map(({ id }) => id),
    (await all(sotto.listSecrets({ accountId }))).map(({ id }) => id),
  )
  t.strictSame(calls, { overviews: 2 })
})

// Promise (The owner's pages): A secret waits, is opened or is finished, and lists and counts agree
t.test('secrets are listed and counted by status and folder; expired ones are neither', async (t) => {
  const world = await filledWorld()
  const { deps, sotto, accountId, folderId } = world
  expectOk(await sotto.saveDraft(newSecret(world)))
  const { id: empty } = expectOk(await sotto.createFolder({ accountId, label: 'Empty' }))
  const counts = async (folder?: string) =>
    expectOk(await countSecrets(deps, { accountId, folderId: folder }))
  t.strictSame(await counts(), { all: 4, waiting: 1, opened: 2, finished: 1, drafts: 1, news: 0 })
  t.strictSame(await counts(folderId.toUpperCase()), await counts())
  const none = { all: 0, waiting: 0, opened: 0, finished: 0, drafts: 0, news: 0 }
  for (const other of [empty, unknownId, 'nonsense']) t.strictSame(await counts(other), none)
  for (const [status, length] of [
    ['waiting', 1],
    ['opened', 2],
    ['finished', 1],
  ] as const) {
    const shown = await all(browseSecrets(deps, { accountId, status, folderId, pageSize: 1 }))
    t.strictSame(
      shown.map((secret) => secret.status),
      Array.from({ length }, () => status),
    )
  }
  deps.clock.advance(30 * dayMicros)
  t.strictSame(await counts(), { ...none, drafts: 1 })
  t.strictSame(await all(browseSecrets(deps, { accountId })), [])
})

/** Three secrets, opened 0, 1 and 2 times, and one that is used up. */
async function filledWorld(): Promise<World> {
  const world = await createWorld()
  for (const opens of [0, 1, 2]) {
    world.deps.clock.advance(1)
    const { link } = expectOk(await world.sotto.createSecret(newSecret(world)))
    for (let nr = 0; nr < opens; nr += 1) expectOk(await world.sotto.openSecret({ token: link.token }))
  }
  const { link } = expectOk(await world.sotto.createSecret(newSecret(world, { openLimit: 1 })))
  expectOk(await world.sotto.openSecret({ token: link.token }))
  return world
}
