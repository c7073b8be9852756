import t from 'tap'
import { expectOk } from '@sotto/test-kit'
import { listFolders } from '../../src/folders/folders.ts'
import { all, createWorld, dayMicros, newSecret, startMicros } from '../world.ts'

t.test('folders are listed in the order in which they were created', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  for (const label of ['b', 'a']) {
    deps.clock.advance(1)
    expectOk(await sotto.createFolder({ accountId, label }))
  }
  const folders = await all(listFolders(deps, { accountId }))
  t.strictSame(
    folders.map(({ label }) => label),
    ['First', 'b', 'a'],
  )
  t.strictSame(await all(listFolders(deps, { accountId, after: folders[1] })), folders.slice(2))
})

t.test('a folder counts its drafts and its unexpired secrets', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  expectOk(await sotto.createFolder({ accountId, label: 'Second' }))
  expectOk(await sotto.saveDraft(newSecret(world)))
  expectOk(await sotto.createSecret(newSecret(world)))
  deps.clock.advance(1)
  expectOk(await sotto.createSecret(newSecret(world)))
  const counts = async () =>
    (await all(listFolders(deps, { accountId }))).map(({ draftsCount, secretsCount }) => [
      draftsCount,
      secretsCount,
    ])
  t.strictSame(await counts(), [
    [1, 2],
    [0, 0],
  ])
  deps.clock.set(startMicros + 30 * dayMicros)
  t.strictSame(await counts(), [
    [1, 1],
    [0, 0],
  ])
})
