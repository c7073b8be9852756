import t from 'tap'
import { expectOk } from '@sotto/test-kit'
import { listSecrets } from '../../src/secrets/secrets.ts'
import { listPageSize } from '../../src/shared/pages.ts'
import { all, createWorld, dayMicros, newSecret, secondMicros, startMicros, unknownId } from '../world.ts'

// Promise (The JSON API): After expiry a secret is gone everywhere immediately
t.test('secrets are listed newest first until they expire, and counted alike', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  for (const label of ['one', 'two', 'three']) {
    expectOk(await sotto.createSecret(newSecret(world, { label })))
    deps.clock.advance(1)
  }
  const labels = async () => (await all(listSecrets(deps, { accountId }))).map(({ label }) => label)
  const count = async () => (await all(sotto.listFolders({ accountId })))[0]?.secretsCount
  t.strictSame(await labels(), ['three', 'two', 'one'])
  deps.clock.set(startMicros + 30 * dayMicros - 1)
  t.equal((await labels()).length, 3, 'a microsecond before')
  deps.clock.advance(1)
  t.strictSame(await labels(), ['three', 'two'], 'gone at the moment of its expiry')
  t.equal(await count(), 2)
})

t.test('a secret that expires while a list is read stays in that list', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  expectOk(await sotto.createSecret(newSecret(world)))
  deps.clock.set(startMicros + 30 * dayMicros - 1)
  const begun = listSecrets(deps, { accountId })
  deps.clock.advance(60 * secondMicros)
  t.equal((await all(begun)).length, 1)
})

t.test('a secret whose note is destroyed stays in the list', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { link } = expectOk(await sotto.createSecret(newSecret(world, { openLimit: 1 })))
  expectOk(await sotto.openSecret({ token: link.token }))
  t.equal((await all(listSecrets(deps, { accountId }))).length, 1)
})

t.test('250 secrets come in pages of 100 without gaps, and a list begins after any of them', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  for (let nr = 0; nr < 250; nr += 1) {
    expectOk(await sotto.createSecret(newSecret(world, { label: String(nr) })))
    if (nr % 3 === 0) deps.clock.advance(1)
  }
  const sizes: number[] = []
  for await (const page of listSecrets(deps, { accountId })) sizes.push(expectOk(page).items.length)
  t.strictSame(sizes, [listPageSize, listPageSize, 50])
  const listed = await all(listSecrets(deps, { accountId }))
  t.equal(new Set(listed.map(({ label }) => label)).size, 250)
  for (const at of [0, 98, 99, 100, 101, 199, 248, 249]) {
    const { id, link } = listed[at]!
    const after = { createdAtMicros: link.createdAtMicros, id }
    t.strictSame(await all(listSecrets(deps, { accountId, after })), listed.slice(at + 1), String(at))
  }
})

t.test('the position of a shared draft is the time of its link', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const draft = expectOk(await sotto.saveDraft(newSecret(world, { label: 'draft' })))
  deps.clock.advance(1)
  expectOk(await sotto.createSecret(newSecret(world, { label: 'secret' })))
  deps.clock.advance(1)
  const { link } = expectOk(await sotto.shareDraft({ accountId, id: draft.id }))
  t.strictSame(
    (await all(listSecrets(deps, { accountId }))).map(({ label }) => label),
    ['draft', 'secret'],
  )
  const after = { createdAtMicros: link.createdAtMicros, id: draft.id }
  t.strictSame(
    (await all(listSecrets(deps, { accountId, after }))).map(({ label }) => label),
    ['secret'],
  )
})

t.test('a folder shows only its own secrets, an unknown, malformed or foreign one none', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId, folderId } = world
  const second = expectOk(await sotto.createFolder({ accountId, label: 'Second' }))
  const other = expectOk(await sotto.createAccount({ email: 'bob@example.org' }))
  const theirs = expectOk(await sotto.createFolder({ accountId: other.id, label: 'Theirs' }))
  const secret = newSecret(world, { folderId: theirs.id, label: 'c' })
  expectOk(await sotto.createSecret({ ...secret, accountId: other.id }))
  for (let nr = 0; nr < 120; nr += 1) {
    expectOk(await sotto.createSecret(newSecret(world, { label: 'a' })))
    expectOk(await sotto.createSecret(newSecret(world, { label: 'b', folderId: second.id })))
  }
  const labels = async (folder: string) =>
    (await all(listSecrets(deps, { accountId, folderId: folder }))).map(({ label }) => label).join('')
  t.equal(await labels(folderId), 'a'.repeat(120))
  t.equal(await labels(second.id.toUpperCase()), 'b'.repeat(120))
  for (const folder of [theirs.id, unknownId, 'x', '']) t.equal(await labels(folder), '')
  t.equal((await all(listSecrets(deps, { accountId }))).length, 240)
})

t.test('a corrupted row is left out and reported', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.createSecret(newSecret(world)))
  const row = deps.data.secrets.get(id)!
  deps.data.secrets.set(id, { ...row, secret: { ...row.secret, openLimit: 9 } })
  const pages = []
  for await (const page of listSecrets(deps, { accountId })) pages.push(page)
  t.equal(pages.length, 1)
  t.strictSame(expectOk(pages[0]!), {
    items: [],
    corrupted: [{ code: 'data_damaged', what: 'secret.head', id }],
  })
})
