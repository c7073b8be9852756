import { createSotto, type Ciphertext } from '@sotto/core'
import t from 'tap'
import { expectErr, expectOk, failing } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { exportAccount } from '../../src/storage/export-account.ts'
import { corruptSecret } from '../../../core/test/corruption.ts'
import { saveFiles, shareFiles } from '../../../core/test/files.ts'
import { addWebhook, all, ask, newSecret, unknownId, webhookUrl } from '../../../core/test/world.ts'
import { addPasskey, choosePassword, connect, createWorld, type World } from '../world.ts'

// Promise (The owner's pages): The download holds drafts' notes and no secrets' notes
t.test('an export holds all that is the account’s, drafts’ notes included and secrets’ not', async (t) => {
  const { deps, sotto, accountId } = await filledWorld()
  const items = await all(exportAccount(deps, { accountId }))
  const kinds = items.map(({ kind }) => kind)
  const ofFolders = ['account', 'folder', 'draft', 'draft', 'secret', 'file', 'file', 'request']
  t.strictSame(kinds, [...ofFolders, 'access_token', 'session', 'identity', 'passkey', 'webhook'])
  const ofCore = await all(createSotto({ ports: deps }).exportAccount({ accountId }))
  t.strictSame(
    ofCore.map(({ kind }) => kind),
    [...ofFolders, 'webhook'],
  )
  const drafts = items.flatMap((each) => (each.kind === 'draft' ? [each.item.note] : []))
  t.strictSame(drafts, ['the draft’s note', undefined], 'a note with a password is not readable without')
  t.strictSame(
    items.find(({ kind }) => kind === 'account')?.item,
    expectOk(await sotto.getAccount({ accountId })),
  )
  const text = JSON.stringify(items)
  for (const hidden of ['the secret’s note', 'the locked note', 'argon2id', 'whsec_', 'f3b1c0de'])
    t.notOk(text.includes(hidden))
  const files = items.flatMap((each) => (each.kind === 'file' ? [each.item] : []))
  const owners = items.flatMap(({ kind, item }) => (kind === 'secret' || kind === 'draft' ? [item.id] : []))
  t.strictSame(
    files.map(({ id: _, secretId, ...file }) => [owners.includes(secretId), file]),
    ['of a secret', 'of a draft'].map((name) => [true, { name, size: name.length, type: 'text/plain' }]),
  )
  t.ok(text.includes('the draft’s note'))
  t.ok(text.includes(webhookUrl))
})

t.test('it names every file, also when there are more than are read at once', async (t) => {
  const world = await createWorld()
  const names = Array.from({ length: 10 }, (_, at) => String(at))
  for (let count = 0; count < 11; count += 1) await shareFiles(world, names)
  const items = await all(exportAccount(world.deps, world))
  const ids = items.flatMap((each) => (each.kind === 'file' ? [each.item.id] : []))
  t.strictSame(ids, [...world.deps.data.files.keys()].toSorted())
  t.equal(ids.length, 110)
})

t.test('another account’s things are not in it', async (t) => {
  const { deps, sotto } = await filledWorld()
  const bob = expectOk(await sotto.createAccount({ email: 'bob@example.org' }))
  const items = await all(exportAccount(deps, { accountId: bob.id }))
  t.strictSame(items, [{ kind: 'account', item: bob }])
  const [missing] = await pages(exportAccount(deps, { accountId: unknownId }))
  t.strictSame(expectErr(missing!), { code: 'account_not_found' })
})

t.test('an error ends it, and nothing follows', async (t) => {
  const { deps, accountId } = await filledWorld()
  const busy = { code: 'storage_unavailable', reason: 'busy' } as const
  for (const broken of [
    { folders: failing(deps.folders, { page: busy }) },
    { drafts: failing(deps.drafts, { find: busy }) },
    { secrets: failing(deps.secrets, { overviews: busy }) },
    { secretFiles: failing(deps.secretFiles, { page: busy }) },
    { requests: failing(deps.requests, { page: busy }) },
    { sessions: failing(deps.sessions, { page: busy }) },
    { webhooks: failing(deps.webhooks, { list: busy }) },
    { identities: failing(deps.identities, { list: busy }) },
    { passkeys: failing(deps.passkeys, { list: busy }) },
  ]) {
    const read = await pages(exportAccount({ ...deps, ...broken }, { accountId }))
    t.strictSame(expectErr(read.at(-1)!), busy)
    t.equal(read.filter((page) => page.isErr()).length, 1)
  }
})

t.test('corrupted drafts are reported, and those that were shared meanwhile are left out', async (t) => {
  const { deps, accountId } = await filledWorld()
  const [row] = [...deps.data.secrets.values()].filter(({ secret }) => secret.link === undefined)
  const { secret, note } = row!
  const flipped = note!.note.map((byte) => byte ^ 255) as Ciphertext
  deps.data.secrets.set(secret.id, { ...row!, note: { ...note!, note: flipped } })
  const corrupted = (await pages(exportAccount(deps, { accountId }))).flatMap(
    (page) => expectOk(page).corrupted,
  )
  t.match(corrupted, [{ code: 'data_damaged', id: secret.id }])
  const drafts = { ...deps.drafts, find: () => okAsync(undefined) }
  const items = await all(exportAccount({ ...deps, drafts }, { accountId }))
  t.notOk(items.some(({ kind }) => kind === 'draft'))
})

t.test('a draft whose label is corrupted is reported, and hides no other', async (t) => {
  const world = await filledWorld()
  const { deps, accountId } = world
  const [row] = [...deps.data.secrets.values()].filter(({ secret }) => secret.link === undefined)
  corruptSecret(world, row!.secret.id, 'headCiphertext')
  const read = (await pages(exportAccount(deps, { accountId }))).map((page) => expectOk(page))
  t.match(
    read.flatMap(({ corrupted }) => corrupted),
    [{ code: 'data_damaged', what: 'secret.head', id: row!.secret.id }],
  )
  t.equal(read.flatMap(({ items }) => items).filter(({ kind }) => kind === 'draft').length, 1)
})

t.test('a page has at most one draft', async (t) => {
  const { deps, accountId } = await filledWorld()
  const read = await pages(exportAccount(deps, { accountId }))
  const drafts = read.map((page) => expectOk(page).items.filter(({ kind }) => kind === 'draft').length)
  t.strictSame(
    drafts.filter((count) => count > 0),
    [1, 1],
  )
})

async function filledWorld(): Promise<World> {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  await choosePassword(world)
  await connect(world)
  await addPasskey(world)
  await addWebhook(world)
  expectOk(await sotto.createAccessToken({ accountId, name: 'ci' }))
  await shareFiles(world, ['of a secret'], { note: 'the secret’s note' })
  await saveFiles(world, ['of a draft'], { note: 'the draft’s note' })
  deps.clock.advance(1)
  expectOk(await sotto.saveDraft(newSecret(world, { note: 'the locked note', password: 'right' })))
  await ask(world)
  return world
}

async function pages<Page>(generator: AsyncIterable<Page>): Promise<Page[]> {
  const read: Page[] = []
  for await (const page of generator) read.push(page)
  return read
}
