import { errAsync } from 'neverthrow'
import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { editDraft, type DraftContent } from '../../src/drafts/edit-draft.ts'
import { getDraft } from '../../src/drafts/get-draft.ts'
import { unsealFiles } from '../../src/drafts/show-draft.ts'
import { nilUuid } from '../../src/shared/uuid.ts'
import { corruptFile } from '../corruption.ts'
import { contentsOf, counted, saveFiles, textOf, uploaded } from '../files.ts'
import { createWorld, newSecret, unknownId, type World } from '../world.ts'

// What showing and editing drafts with files have in common.

const changed = { code: 'draft_changed' }
const names = (files: readonly { readonly name: string }[]) => files.map(({ name }) => name)

/** A draft with files, and ways to look at it and to edit it. */
async function saved(withNames = ['a', 'bc'], password?: string) {
  const world = await createWorld()
  const { deps, accountId } = world
  const { id } = await saveFiles(world, withNames, { password })
  const get = async () => expectOk(await getDraft(deps, { accountId, id, password }))
  const { note: _, ...fields } = newSecret(world)
  const edit = async (content: Partial<DraftContent> | undefined) =>
    editDraft(deps, { ...fields, id, content: content && { note: 'new', password, ...content } })
  const adding = async (added: readonly string[], filesCount = 0) =>
    uploaded(world, added, { draft: { id, filesCount } })
  return { ...world, id, get, edit, adding }
}

const usedBytes = async ({ sotto, accountId }: Pick<World, 'sotto' | 'accountId'>) =>
  expectOk(await sotto.fileUsage({ accountId })).usedBytes

/** Shares the draft and reads all its files. */
async function contents(
  { sotto, accountId, id }: Pick<World, 'sotto' | 'accountId'> & { id: string },
  password?: string,
) {
  const { link } = expectOk(await sotto.shareDraft({ accountId, id }))
  const { note, attached } = expectOk(await sotto.openSecret({ token: link.token, password }))
  const { ticket, files } = attached ?? { ticket: '', files: [] }
  const texts = files.map(async (_, at) =>
    textOf(expectOk(await sotto.readTicket({ ticket, number: at + 1 })).read()),
  )
  return { note, files: names(files), texts: await Promise.all(texts) }
}

t.test('an upload for another account or draft is a programming error, and changes nothing', async (t) => {
  const { edit, get, adding, ...world } = await saved()
  const { sotto } = world
  const before = await get()
  const { id: accountId } = expectOk(await sotto.createAccount({ email: 'bob@example.org' }))
  const draft = { id: world.id, filesCount: 2 }
  for (const [upload, message] of [
    [await uploaded({ sotto, accountId }, ['x'], { draft }), 'the upload is for another account'],
    [await uploaded(world, ['x']), 'the upload is for another secret or draft'],
  ] as const) {
    const content = { sealedFiles: before.sealedFiles, upload }
    await t.rejects(async () => edit(content), { name: 'TypeError', message })
  }
  t.strictSame((await get()).files, before.files)
  expectOk(await edit({ sealedFiles: before.sealedFiles, upload: await adding(['x'], 2) }))
})

t.test('a draft is shown with its files and without their keys', async (t) => {
  const { get, deps } = await saved()
  const draft = await get()
  t.match(draft, { note: 'a note', showsFiles: false })
  const rows = [...deps.data.files.keys()]
  t.strictSame(draft.files, [
    { id: rows[0], name: 'a', size: 1, type: 'text/plain' },
    { id: rows[1], name: 'bc', size: 2, type: 'text/plain' },
  ])
  t.notOk(JSON.stringify({ ...draft, sealedFiles: '' }).includes('key'))
})

t.test('the files of a draft with a password are listed without it, and sealed only with it', async (t) => {
  const { get, deps, accountId, id } = await saved(['a'], 'right')
  t.type((await get()).sealedFiles?.ciphertext, Uint8Array)
  const locked = expectOk(await getDraft(deps, { accountId, id }))
  t.match(locked, { note: undefined, files: [{ name: 'a' }], sealedFiles: undefined })
})

// Promise (Files): A file alone can be sent, and no secret is without both text and file
t.test('an edit cannot take both text and files from a draft', async (t) => {
  const draft = await saved(['a'])
  const { get, edit, adding } = draft
  const empty = { code: 'fields_invalid', errors: [{ field: 'note', rule: 'empty' }] }
  const { sealedFiles, files } = await get()
  const removedFiles = [files[0]!.id]
  expectOk(await edit({ sealedFiles, note: '' }))
  t.strictSame(expectErr(await edit({ sealedFiles, note: '', removedFiles })), empty)
  const upload = await adding(['b'])
  expectOk(await edit({ sealedFiles, note: '', removedFiles, upload }))
  t.strictSame(expectErr(await edit({ sealedFiles, note: '', removedFiles })), changed, 'it lacks the other')
  const { sealedFiles: now, files: others } = await get()
  expectOk(await edit({ sealedFiles: now, note: 'text', removedFiles: [others[0]!.id] }))
  t.strictSame(expectErr(await edit({ note: '' })), empty)
  t.strictSame(expectErr(await edit({ sealedFiles: now, note: '' })), empty, 'an older list of files is none')
  t.match(await get(), { note: 'text', files: [] })
})

t.test('an edit keeps, removes and adds files', async (t) => {
  const draft = await saved()
  const { get, edit, adding, deps } = draft
  const before = await get()
  const { sealedFiles } = before
  const upload = await adding(['new', 'last'])
  const removedFiles = [before.files[0]!.id]
  expectOk(await edit({ sealedFiles, removedFiles, upload, showsFiles: true }))
  const after = await get()
  t.match(after, { note: 'new', showsFiles: true })
  t.strictSame(names(after.files), ['bc', 'new', 'last'])
  t.strictSame(after.files[0]?.id, before.files[1]?.id)
  t.equal(await usedBytes(draft), 4 * counted, 'the removed one counts until it is dropped')
  const rows = [...deps.data.files.values()].filter(({ secretId }) => secretId === draft.id)
  t.strictSame(rows.map(({ number }) => number).toSorted(), [1, 2, 3])
  t.equal(contentsOf(draft).length, 4, 'the removed content is for the sweep')
  t.strictSame(expectOk(await draft.sotto.sweepFiles({ ofErased: nilUuid })), { files: 1, orphans: 0 })
  t.strictSame([contentsOf(draft).length, await usedBytes(draft)], [3, 3 * counted])
  const files = ['bc', 'new', 'last']
  t.strictSame(await contents(draft), { note: 'new', files, texts: files })
})

t.test('an edit of the other fields leaves files as they are, and whether they are shown', async (t) => {
  const draft = await saved(['a', 'bc'], 'right')
  const { edit, get } = draft
  expectOk(await edit({ sealedFiles: (await get()).sealedFiles, showsFiles: true }))
  const { deps } = draft
  const rows = structuredClone([...deps.data.files.values()])
  expectOk(await edit(undefined))
  t.strictSame([...deps.data.files.values()], rows)
  t.match(await get(), { note: 'new', showsFiles: true })
  t.strictSame((await contents(draft, 'right')).texts, ['a', 'bc'])
})

t.test('an edit hides the files unless it shows them', async (t) => {
  const { edit, get } = await saved()
  expectOk(await edit({ sealedFiles: (await get()).sealedFiles, showsFiles: true }))
  t.equal((await get()).showsFiles, true)
  expectOk(await edit({ sealedFiles: (await get()).sealedFiles }))
  t.equal((await get()).showsFiles, false)
})

t.test('all files can be removed, and files added to a draft without any', async (t) => {
  const draft = await saved()
  const { get, edit, adding } = draft
  const { sealedFiles, files } = await get()
  expectOk(await edit({ sealedFiles, removedFiles: files.map(({ id }) => id) }))
  const empty = await get()
  t.strictSame([empty.files, empty.sealedFiles, empty.note], [[], undefined, 'new'])
  expectOk(await draft.sotto.sweepFiles({ ofErased: nilUuid }))
  t.equal(await usedBytes(draft), 0)
  expectOk(await edit({ upload: await adding(['later']) }))
  t.strictSame(names((await get()).files), ['later'])
  t.strictSame((await contents(draft)).texts, ['later'])
})

t.test('an edit of a draft without files changes none', async (t) => {
  const world = await createWorld()
  const { deps, accountId, folderId } = world
  const { id } = expectOk(await world.sotto.saveDraft(newSecret(world)))
  const changes: unknown[] = []
  const drafts: typeof deps.drafts = {
    ...deps.drafts,
    replace(head, draft, note, options) {
      changes.push(options?.files)
      return deps.drafts.replace(head, draft, note, options)
    },
  }
  const edited = { accountId, id, folderId, label: 'x', content: { note: 'new' } }
  expectOk(await editDraft({ ...deps, drafts }, edited))
  t.strictSame(changes, [undefined])
})

t.test('a new note without the list of files is refused, and changes nothing', async (t) => {
  const draft = await saved()
  const { get, edit, adding } = draft
  t.strictSame(expectErr(await edit({})), changed)
  t.strictSame(expectErr(await edit({ upload: await adding(['new']) })), changed)
  t.match(await get(), { note: 'a note', files: [{ name: 'a' }, { name: 'bc' }] })
  t.equal(await usedBytes(draft), 3 * counted)
})

t.test('without the list of files, all of them can be removed, and none kept', async (t) => {
  const draft = await saved(['a', 'bc'], 'otter')
  const { get, edit, adding } = draft
  const [first = '', second = ''] = (await get()).files.map(({ id }) => id)
  t.strictSame(expectErr(await edit({ removedFiles: [first] })), changed)
  expectOk(await edit({ removedFiles: [first, second], upload: await adding(['new']) }))
  t.equal(await usedBytes(draft), 3 * counted)
  t.strictSame((await contents(draft, 'otter')).texts, ['new'])
})

t.test(
  'a list of files that is another draft’s, another account’s, changed or under an unknown key is refused',
  async (t) => {
    const draft = await saved()
    const { edit, get, deps, sotto, accountId } = draft
    const other = await saveFiles(draft, ['a', 'bc'])
    const bob = expectOk(await sotto.createAccount({ email: 'bob@example.org' }))
    const { id: folderId } = expectOk(await sotto.createFolder({ accountId: bob.id, label: 'x' }))
    const theirs = await saveFiles({ ...draft, accountId: bob.id, folderId }, ['a', 'bc'])
    const sealedOf = async (of: string, id: string) =>
      expectOk(await getDraft(deps, { accountId: of, id })).sealedFiles!
    const own = (await get()).sealedFiles!
    const { ciphertext } = own
    for (const sealedFiles of [
      await sealedOf(accountId, other.id),
      await sealedOf(bob.id, theirs.id),
      { ...own, ciphertext: ciphertext.map((byte) => byte ^ 1) as typeof ciphertext },
      { ...own, kid: 7 },
    ])
      t.strictSame(expectErr(await edit({ sealedFiles })), changed)
    t.equal((await get()).note, 'a note')
    expectOk(await edit({ sealedFiles: own }))
  },
)

t.test('a list of files is sealed for its draft alone, and must be one', async (t) => {
  const { get, edit, deps, accountId, id } = await saved()
  const sealed = (await get()).sealedFiles!
  const place = { column: 'draft.files', accountId, rowId: id } as const
  t.match(expectOk(deps.textCipher.decryptText(place, sealed)), /^\0\[\["/)
  t.equal(unsealFiles(deps, { accountId, id }, sealed).length, 2)
  t.strictSame(unsealFiles(deps, { accountId, id: unknownId }, sealed), [])
  t.strictSame(unsealFiles(deps, { accountId: unknownId, id }, sealed), [])
  const noList = deps.textCipher.encryptText(place, 'text\0no list')
  t.strictSame(expectErr(await edit({ sealedFiles: noList })), changed)
})

t.test('a file whose key and size are lost can be removed, and a busy hasher changes nothing', async (t) => {
  const draft = await saved(['a'], 'right')
  const { get, edit, deps, accountId, folderId, id } = draft
  const { files, sealedFiles } = await get()
  const encryptSecret = () => errAsync({ code: 'hasher_busy' } as const)
  const busy = { ...deps, secretCipher: { ...deps.secretCipher, encryptSecret } }
  const edited = { accountId, folderId, id, label: 'x', content: { note: 'new', sealedFiles } }
  t.strictSame(expectErr(await editDraft(busy, edited)), { code: 'hasher_busy' })
  corruptFile(draft, files[0]!.id)
  t.strictSame(expectErr(await edit({})), changed)
  expectOk(await edit({ removedFiles: [files[0]!.id] }))
  t.strictSame((await get()).files, [])
})

t.test('a list of files that is older than the draft brings no file back, and loses none', async (t) => {
  const draft = await saved()
  const { get, edit, adding } = draft
  const { sealedFiles, files } = await get()
  expectOk(await edit({ sealedFiles, removedFiles: [files[0]!.id] }))
  expectOk(await edit({ sealedFiles, note: 'from an older page' }))
  t.strictSame(names((await get()).files), ['bc'])
  expectOk(await edit({ sealedFiles, removedFiles: [files[0]!.id] }))
  expectOk(await draft.sotto.sweepFiles())
  t.equal(await usedBytes(draft), counted, 'a file is taken off the sum once')
  const { sealedFiles: now } = await get()
  expectOk(await edit({ sealedFiles: now, upload: await adding(['added']) }))
  t.strictSame(expectErr(await edit({ sealedFiles: now })), changed, 'it lacks the added one')
  t.strictSame((await contents(draft)).texts, ['bc', 'added'])
})

t.test('a draft has at most ten files, those that it keeps included', async (t) => {
  const eight = Array.from({ length: 8 }, (_, at) => String(at))
  const { get, edit, adding } = await saved(eight)
  const { sealedFiles, files } = await get()
  const upload = await adding(['x', 'y', 'z'])
  const tooMany = [{ field: 'files', rule: 'too_many', limit: 10 }]
  t.strictSame(expectErr(await edit({ sealedFiles, upload }), 'fields_invalid').errors, tooMany)
  expectOk(await edit({ sealedFiles, upload, removedFiles: [files[0]!.id] }))
  t.equal((await get()).files.length, 10)
})

t.test('a file whose name is corrupted is reported, and an edit mends it', async (t) => {
  const draft = await saved()
  const { get, edit, deps, accountId, id } = draft
  const { sealedFiles, files } = await get()
  corruptFile(draft, files[0]!.id)
  const damaged = { code: 'data_damaged', what: 'file.about', id: files[0]!.id }
  t.strictSame(expectErr(await getDraft(deps, { accountId, id })), damaged)
  expectOk(await edit({ sealedFiles }))
  t.strictSame(names((await get()).files), ['a', 'bc'])
})

t.test('a draft of which a corrupted file was dropped can be edited: it has the others', async (t) => {
  const draft = await saved()
  const { get, edit, sotto } = draft
  const { files } = await get()
  corruptFile(draft, files[0]!.id)
  t.match(expectOk(await sotto.dropCorruptedRows({ ids: [files[0]!.id] })).dropped, [{ kind: 'file' }])
  const { sealedFiles } = await get()
  expectOk(await edit({ sealedFiles }))
  t.strictSame((await contents(draft)).texts, ['bc'])
})

// Promise (Files): An owner saves each file of a draft without a password, and nobody else does
t.test('the files of a draft are read by its owner, without opening anything', async (t) => {
  const { sotto, accountId, id } = await saved()
  const read = (given: Partial<Parameters<typeof sotto.readDraftFile>[0]> = {}) =>
    sotto.readDraftFile({ accountId, id, number: 1, ...given })
  const file = expectOk(await read({ number: 2 }))
  t.match(file, { name: 'bc', size: 2, type: 'text/plain', secretId: id })
  t.equal(await textOf(file.read()), 'bc')
  const other = expectOk(await sotto.createAccount({ email: 'bob@example.org' }))
  const guarded = await saved(['a'], 'right')
  const none = { code: 'file_not_found' }
  for (const given of [{ number: 0 }, { number: 3 }, { id: unknownId }, { id: '' }, { accountId: other.id }])
    t.strictSame(expectErr(await read(given)), none)
  const { sotto: theirs, ...guardedDraft } = guarded
  const asked = { accountId: guardedDraft.accountId, id: guardedDraft.id, number: 1 }
  t.strictSame(expectErr(await theirs.readDraftFile(asked)), none, 'its password is not known')
  expectOk(await sotto.shareDraft({ accountId, id }))
  t.strictSame(expectErr(await read()), none, 'once it is shared')
})
