import t from 'tap'
import { expectOk } from '@sotto/test-kit'
import { listDrafts } from '../../src/drafts/drafts.ts'
import { listPageSize } from '../../src/shared/pages.ts'
import { all, createWorld, newSecret, unknownId } from '../world.ts'

t.test('250 drafts come oldest first in pages of 100, and a list begins after any of them', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  for (let nr = 0; nr < 250; nr += 1) {
    expectOk(await sotto.saveDraft(newSecret(world, { label: String(nr) })))
    deps.clock.advance(1)
  }
  const sizes: number[] = []
  for await (const page of listDrafts(deps, { accountId })) sizes.push(expectOk(page).items.length)
  t.strictSame(sizes, [listPageSize, listPageSize, 50])
  const listed = await all(listDrafts(deps, { accountId }))
  t.strictSame(
    listed.map(({ label }) => label),
    Array.from({ length: 250 }, (_, nr) => String(nr)),
  )
  for (const at of [0, 98, 99, 100, 101, 199, 248, 249]) {
    const after = listed[at]
    t.strictSame(await all(listDrafts(deps, { accountId, after })), listed.slice(at + 1), String(at))
  }
})

t.test('a folder shows only its own drafts, an unknown, malformed or foreign one none', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId, folderId } = world
  const second = expectOk(await sotto.createFolder({ accountId, label: 'Second' }))
  const other = expectOk(await sotto.createAccount({ email: 'bob@example.org' }))
  const theirs = expectOk(await sotto.createFolder({ accountId: other.id, label: 'Theirs' }))
  const draft = newSecret(world, { folderId: theirs.id, label: 'c' })
  expectOk(await sotto.saveDraft({ ...draft, accountId: other.id }))
  for (let nr = 0; nr < 120; nr += 1) {
    expectOk(await sotto.saveDraft(newSecret(world, { label: 'a' })))
    expectOk(await sotto.saveDraft(newSecret(world, { label: 'b', folderId: second.id })))
  }
  const labels = async (folder: string) =>
    (await all(listDrafts(deps, { accountId, folderId: folder }))).map(({ label }) => label).join('')
  t.equal(await labels(folderId), 'a'.repeat(120))
  t.equal(await labels(second.id.toUpperCase()), 'b'.repeat(120))
  for (const folder of [theirs.id, unknownId, 'x', '']) t.equal(await labels(folder), '')
  t.equal((await all(listDrafts(deps, { accountId }))).length, 240)
})
