import { ok } from 'neverthrow'
import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { createSecret } from '../../src/secrets/create-secret.ts'
import { createSecretOnce } from '../../src/secrets/create-secret-once.ts'
import { saveDraft } from '../../src/drafts/drafts.ts'
import { openSecret } from '../../src/secrets/open-secret.ts'
import { previewLink } from '../../src/secrets/preview-link.ts'
import { viewSecret } from '../../src/secrets/owned-secrets.ts'
import { corruptFile } from '../corruption.ts'
import { counted, saveFiles, shareFiles, textOf, uploaded } from '../files.ts'
import { all, createWorld, minuteMicros, newSecret, recording, type World } from '../world.ts'

// What creating, opening and looking at secrets with files have in common.

const types = 'text/plain'
const [first, second] = [
  { name: 'a', size: 1, type: types },
  { name: 'bc', size: 2, type: types },
]

// Promise (Files): A secret exists only with all its files
t.test('a secret and a draft get the files that were uploaded for them', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  for (const create of [createSecret, saveDraft]) {
    const upload = await uploaded(world, ['a', 'bc'])
    const { id } = expectOk(await create(deps, { ...newSecret(world), upload }))
    t.equal(id, upload.secretId)
    const rows = [...deps.data.files.values()].filter(({ secretId }) => secretId === id)
    t.strictSame(
      rows.map((row) => [row.id, row.number, row.accountId, row.isShown]),
      upload.files.map((file, at) => [file.id, at + 1, accountId, false]),
    )
    const stored = JSON.stringify(rows.map(({ about }) => Buffer.from(about.ciphertext).toString('latin1')))
    for (const { key } of upload.files) t.notOk(stored.includes(key), 'no row has a key')
  }
  t.equal(expectOk(await sotto.fileUsage({ accountId })).usedBytes, 4 * counted)
})

t.test('every list counts the files of each secret and draft', async (t) => {
  const world = await createWorld()
  const { sotto, accountId } = world
  const [two, none] = [await shareFiles(world, ['a', 'b']), await shareFiles(world, [])]
  const [draft, without] = [await saveFiles(world, ['c']), await saveFiles(world, [])]
  const words = newSecret(world).label
  const found = expectOk(await sotto.searchSecrets({ accountId, words })).items.map(({ item }) => item)
  const lists = [await all(sotto.browseSecrets({ accountId })), await all(sotto.listDrafts({ accountId }))]
  for (const list of [found, lists.flat()])
    t.same(Object.fromEntries(list.map(({ id, filesCount }) => [id, filesCount])), {
      [two.id]: 2,
      [none.id]: undefined,
      [draft.id]: 1,
      [without.id]: undefined,
    })
  t.equal(expectOk(await sotto.viewSecret({ accountId, id: two.id })).filesCount, 2)
})

t.test('an upload for another account is a programming error, and nothing is stored', async (t) => {
  const world = await createWorld()
  const { deps, sotto } = world
  const { id: accountId } = expectOk(await sotto.createAccount({ email: 'bob@example.org' }))
  const upload = await uploaded({ sotto, accountId }, ['a'])
  const input = { ...newSecret(world), upload }
  const error = { name: 'TypeError', message: 'the upload is for another account' }
  await t.rejects(async () => createSecret(deps, input), error)
  await t.rejects(async () => createSecretOnce(deps, { ...input, idempotencyKey: 'k' }), error)
  await t.rejects(async () => saveDraft(deps, input), error)
  t.strictSame([deps.data.secrets.size, deps.data.files.size], [0, 0])
})

t.test('an upload without files is none', async (t) => {
  const world = await createWorld()
  const { deps, sotto } = world
  const upload = await uploaded(world, [])
  const { link } = expectOk(await createSecret(deps, { ...newSecret(world), upload }))
  t.strictSame(deps.data.files.size, 0)
  const opened = expectOk(await sotto.openSecret({ token: link.token }))
  t.equal(opened.note, 'a note')
  t.notOk('attached' in opened)
})

// Promise (Files): A file alone can be sent, and no secret is without both text and file
t.test('a note is empty exactly where there is a file', async (t) => {
  const world = await createWorld()
  const { deps, sotto } = world
  const empty = { code: 'fields_invalid', errors: [{ field: 'note', rule: 'empty' }] }
  const given = { ...newSecret(world, { note: '' }), idempotencyKey: 'k' }
  for (const names of [undefined, []]) {
    const upload = names && (await uploaded(world, names))
    t.strictSame(expectErr(await createSecret(deps, { ...given, upload })), empty)
    t.strictSame(expectErr(await createSecretOnce(deps, { ...given, upload })), empty)
    t.strictSame(expectErr(await saveDraft(deps, { ...given, upload })), empty)
  }
  expectOk(await createSecretOnce(deps, { ...given, upload: await uploaded(world, ['a']) }))
  expectOk(await saveDraft(deps, { ...given, upload: await uploaded(world, ['a']) }))
  const { link } = await shareFiles(world, ['a'], { note: '', password: 'right' })
  const opened = expectOk(await sotto.openSecret({ token: link.token, password: 'right' }))
  t.match(opened, { note: '', attached: { files: [first] } })
})

// Promise (Files): A secret is never created with a content that a sweep has dropped, however long its upload takes
t.test('no secret is created with a content that a sweep has ended', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const [over, live] = [await uploaded(world, ['a', 'b']), await uploaded(world, ['c'])]
  const busy = { code: 'storage_unavailable', reason: 'busy' }
  deps.data.underWay.set(live.files[0]!.id, {
    ...deps.data.underWay.get(live.files[0]!.id)!,
    untilMicros: 2e15,
  })
  deps.clock.advance(5 * minuteMicros)
  t.equal(expectOk(await sotto.sweepFiles()).orphans, 2)
  t.strictSame(expectErr(await createSecret(deps, { ...newSecret(world), upload: over })), busy)
  t.strictSame(expectErr(await saveDraft(deps, { ...newSecret(world), upload: over })), busy)
  const once = { ...newSecret(world), upload: over, idempotencyKey: 'k' }
  t.strictSame(expectErr(await createSecretOnce(deps, once)), busy)
  t.equal(deps.data.claims.length, 0)
  expectOk(await createSecret(deps, { ...newSecret(world), upload: live }))
  t.equal((await all(sotto.listSecrets({ accountId }))).length, 1)
})

t.test('files are written under the active key, also when that changes meanwhile', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const upload = await uploaded(world, ['a'])
  let isRotated = false
  const encryptSecret: typeof deps.secretCipher.encryptSecret = (plain) =>
    deps.secretCipher.encryptSecret(plain).andThen((encrypted) =>
      isRotated
        ? ok(encrypted)
        : sotto.rotateKeys().map(() => {
            isRotated = true
            return encrypted
          }),
    ) as ReturnType<typeof deps.secretCipher.encryptSecret>
  const secretCipher = { ...deps.secretCipher, encryptSecret }
  const { id } = expectOk(await createSecret({ ...deps, secretCipher }, { ...newSecret(world), upload }))
  t.strictSame(
    [...deps.data.files.values()].map(({ about }) => about.kid),
    [2],
  )
  expectOk(await sotto.retireKey({ kid: 1 }))
  t.match(expectOk(await sotto.viewSecret({ accountId, id })).files, [first])
})

const once = async (world: World, names: readonly string[], showsFiles?: boolean) => {
  const upload = await uploaded(world, names)
  return createSecretOnce(world.deps, { ...newSecret(world), upload, showsFiles, idempotencyKey: 'k' })
}

// Promise (Files): An idempotency key covers the files
t.test('the same key gives the first secret again only with the same files', async (t) => {
  const world = await createWorld()
  const { secret } = expectOk(await once(world, ['a', 'bc']))
  t.strictSame(expectOk(await once(world, ['a', 'bc'])), { secret, isReplayed: true })
  t.equal((await all(world.sotto.listSecrets({ accountId: world.accountId }))).length, 1)
  const reused = { code: 'idempotency_key_reused' }
  for (const names of [['bc', 'a'], ['a'], ['a', 'bd'], ['a', 'bc', 'd'], []])
    t.strictSame(expectErr(await once(world, names)), reused, names.join())
  t.strictSame(expectErr(await once(world, ['a', 'bc'], true)), reused)
  const upload = await uploaded(world, ['a', 'bc'])
  for (const other of [
    { ...upload, files: upload.files.map((file) => ({ ...file, type: 'text/html' })) },
    { ...upload, files: upload.files.map((file) => ({ ...file, name: `${file.name}x` })) },
    { ...upload, digests: upload.digests.toReversed() },
  ]) {
    const given = { ...newSecret(world), upload: other, idempotencyKey: 'k' }
    t.strictSame(expectErr(await createSecretOnce(world.deps, given)), reused)
  }
})

t.test('an open gives the note without the files’ keys, and the files in their order', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const { link } = await shareFiles(world, ['bc', 'a'])
  const { note, attached } = expectOk(await openSecret(deps, { token: link.token }))
  t.equal(note, 'a note')
  t.strictSame(attached?.files, [second, first])
  t.match(attached?.ticket, /^[\w-]{43}$/)
  t.equal(
    attached?.expiresAtMicros,
    deps.clock.nowMicros() + 3_600_000_000,
    'they can be fetched for one hour',
  )
})

t.test('the ticket is added with the open, and an open that is refused leaves none', async (t) => {
  const world = await createWorld()
  const { sotto } = world
  const { link } = await shareFiles(world, ['a'], { password: 'right', openLimit: 2 })
  const { token } = link
  expectErr(await sotto.openSecret({ token }), 'password_required')
  expectErr(await sotto.openSecret({ token, password: 'wrong' }), 'password_wrong')
  expectErr(await sotto.openSecret({ token, password: 'right', isAbandoned: () => true }), 'client_gone')
  t.strictSame(world.deps.data.tickets, [])
  const { deps, calls } = recording(world.deps, ['links', 'secretFiles', 'fileContents'])
  const formId = 'f'.repeat(32)
  expectOk(await openSecret(deps, { token, password: 'right', formId }))
  t.strictSame(calls, ['links.find', 'links.update', 'links.findWithNote', 'links.update'])
  t.equal(world.deps.data.tickets.length, 1)
  expectErr(await sotto.openSecret({ token, password: 'right', formId }), 'form_already_used')
  expectOk(await sotto.openSecret({ token, password: 'right' }))
  expectErr(await sotto.openSecret({ token, password: 'right' }), 'link_not_found')
  t.equal(world.deps.data.tickets.length, 2)
})

t.test('a note whose list of files cannot be read costs no open', async (t) => {
  const world = await createWorld()
  const { deps, sotto } = world
  const encryptSecret: typeof deps.secretCipher.encryptSecret = (plain) =>
    deps.secretCipher.encryptSecret({ ...plain, note: 'text\0no list' })
  const damaging = { ...deps, secretCipher: { ...deps.secretCipher, encryptSecret } }
  const { id, link } = expectOk(await createSecret(damaging, newSecret(world, { openLimit: 1 })))
  const damaged = { code: 'data_damaged', what: 'secret.note', id }
  t.strictSame(expectErr(await openSecret(deps, { token: link.token })), damaged)
  t.match(expectOk(await sotto.previewLink({ token: link.token })), { opensLeft: 1 })
  const draft = expectOk(await saveDraft(damaging, newSecret(world)))
  const refused = await sotto.getDraft({ accountId: world.accountId, id: draft.id })
  t.strictSame(expectErr(refused), { ...damaged, id: draft.id })
})

// Promise (Files): Recipients see names and sizes before they open a link only if its owner lets them
t.test('a preview has the files only when their owner lets recipients see them', async (t) => {
  const world = await createWorld()
  const { deps } = world
  const hidden = await shareFiles(world, ['a', 'bc'])
  t.strictSame(expectOk(await previewLink(deps, { token: hidden.link.token })).files, [])
  const shown = await shareFiles(world, ['a', 'bc'], { showsFiles: true, password: 'right' })
  const preview = async () => expectOk(await previewLink(deps, { token: shown.link.token })).files
  t.strictSame(await preview(), [first, second])
  corruptFile(world, [...deps.data.files.values()].find(({ secretId }) => secretId === shown.id)!.id)
  t.strictSame(await preview(), [second], 'a corrupted name keeps nobody from the link')
})

t.test('an owner sees the files of a secret, also when it is spent, until they are dropped', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  for (const showsFiles of [false, true]) {
    const { id, link } = await shareFiles(world, ['a', 'bc'], { showsFiles, openLimit: 1 })
    const view = async () => expectOk(await viewSecret(deps, { accountId, id }))
    const ids = [...deps.data.files.values()].filter(({ secretId }) => secretId === id)
    const files = [first, second].map((file, at) => ({ id: ids[at]?.id, ...file }))
    t.match(await view(), { files, showsFiles })
    expectOk(await sotto.openSecret({ token: link.token }))
    t.match(await view(), { files, showsFiles, hasNote: false })
    deps.clock.advance(3_600_000_000)
    expectOk(await sotto.sweepFiles())
    t.strictSame((await view()).files, [])
    t.equal((await view()).showsFiles, false)
  }
  const { id } = await shareFiles(world, ['a'])
  const file = [...deps.data.files.keys()].at(-1)!
  corruptFile(world, file)
  const damaged = { code: 'data_damaged', what: 'file.about', id: file }
  t.strictSame(expectErr(await viewSecret(deps, { accountId, id })), damaged)
})

t.test('files stay readable after a rotation, before it and after the link was made', async (t) => {
  const world = await createWorld()
  const { sotto, accountId, deps } = world
  const { id, link } = await shareFiles(world, ['a'], { showsFiles: true })
  const before = expectOk(await sotto.openSecret({ token: link.token })).attached!
  expectOk(await sotto.rotateKeys())
  expectOk(await sotto.retireKey({ kid: 1 }))
  const after = expectOk(await sotto.openSecret({ token: link.token })).attached!
  for (const { ticket } of [before, after])
    t.equal(await textOf(expectOk(await sotto.readTicket({ ticket, number: 1 })).read()), 'a')
  t.match(expectOk(await sotto.viewSecret({ accountId, id })).files, [first])
  t.strictSame(
    [...deps.data.files.values()].map(({ about }) => about.kid),
    [2],
  )
})
