import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { okAsync, ResultAsync } from 'neverthrow'
import { editDraft } from '../../src/drafts/edit-draft.ts'
import { noFiles } from '../files.ts'
import { all, counting, createWorld, newSecret, unknownId, type World } from '../world.ts'

const content = { note: 'another note' }

t.test('an edit without content keeps note and password, for which no password is needed', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const draft = expectOk(await sotto.saveDraft(newSecret(world, { password: 'right' })))
  const other = expectOk(await sotto.createFolder({ accountId, label: 'Second' }))
  const fields = { folderId: other.id, label: 'new label', openLimit: 2, notify: true }
  const { port: secretCipher, calls } = counting(deps.secretCipher)
  const input = { ...fields, folderId: other.id.toUpperCase(), accountId, id: draft.id, content: undefined }
  expectOk(await editDraft({ ...deps, secretCipher }, input))
  t.strictSame(calls, { decryptHead: 1, rebind: 1 }, 'nothing is hashed')
  const edited = expectOk(await sotto.getDraft({ accountId, id: draft.id, password: 'right' }))
  const rest = { ...noFiles, isDisabled: false, answers: undefined, version: edited.version }
  t.strictSame(edited, { ...draft, ...fields, note: 'a note', ...rest })
  const { link } = expectOk(await sotto.shareDraft({ accountId, id: draft.id }))
  t.equal(expectErr(await sotto.openSecret({ token: link.token })).code, 'password_required')
  const opened = expectOk(await sotto.openSecret({ token: link.token, password: 'right' }))
  t.match(opened, { label: 'new label', note: 'a note', opensLeft: 1 })
})

t.test('an edit with content replaces note and password', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.saveDraft(newSecret(world, { password: 'right', openLimit: 3 })))
  const edit = { ...newSecret(world), id }
  expectOk(await editDraft(deps, { ...edit, content: { ...content, password: 'scho\u0308n' } }))
  const hidden = expectOk(await sotto.getDraft({ accountId, id }))
  t.match(hidden, { hasPassword: true, note: undefined, openLimit: undefined })
  t.equal(expectOk(await sotto.getDraft({ accountId, id, password: 'sch\u00f6n' })).note, 'another note')
  expectOk(await editDraft(deps, { ...edit, content }))
  t.match(expectOk(await sotto.getDraft({ accountId, id })), { hasPassword: false, note: 'another note' })
})

t.test('every invalid field is named, and nothing is changed', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const draft = expectOk(await sotto.saveDraft(newSecret(world)))
  const input = { accountId, id: draft.id, folderId: unknownId, label: '', openLimit: 0 }
  const refused = await editDraft(deps, { ...input, content: { note: '', password: '' } })
  t.strictSame(fieldsOf(refused), ['label', 'note', 'openLimit', 'password', 'folderId'])
  t.strictSame(fieldsOf(await editDraft(deps, { ...input, content: undefined })), [
    'label',
    'openLimit',
    'folderId',
  ])
  t.strictSame(await all(sotto.listDrafts({ accountId })), [draft])
})

t.test('a rotation between reading and replacing costs another try, not the edit', async (t) => {
  for (const given of [content, undefined]) {
    const world = await createWorld()
    const { deps, sotto, accountId } = world
    const { id } = expectOk(await sotto.saveDraft(newSecret(world)))
    let tries = 0
    const drafts = beforeReplacing(deps, async () => {
      if ((tries += 1) === 1) expectOk(await sotto.rotateKeys())
    })
    const input = { ...newSecret(world, { label: 'new label' }), id, content: given }
    expectOk(await editDraft({ ...deps, drafts }, input))
    t.equal(tries, 2)
    const note = given?.note ?? 'a note'
    t.match(expectOk(await sotto.getDraft({ accountId, id })), { label: 'new label', note })
  }
})

t.test('a key that is retired between reading and replacing costs another try', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.saveDraft(newSecret(world)))
  let tries = 0
  const drafts = beforeReplacing(deps, async () => {
    if ((tries += 1) > 1) return
    expectOk(await sotto.rotateKeys())
    expectOk(await sotto.retireKey({ kid: 1 }))
  })
  expectOk(await editDraft({ ...deps, drafts }, { ...newSecret(world), id, content }))
  t.equal(expectOk(await sotto.getDraft({ accountId, id })).note, 'another note')
})

t.test(
  'a draft that is shared, or whose folder is deleted, before it is replaced stays as it is',
  async (t) => {
    const world = await createWorld()
    const { deps, sotto, accountId } = world
    const { id } = expectOk(await sotto.saveDraft(newSecret(world)))
    const other = expectOk(await sotto.createFolder({ accountId, label: 'Second' }))
    const deleting = beforeReplacing(deps, async () => {
      expectOk(await sotto.deleteFolder({ accountId, id: other.id }))
    })
    const moved = { ...newSecret(world, { folderId: other.id }), id, content }
    t.strictSame(fieldsOf(await editDraft({ ...deps, drafts: deleting }, moved)), ['folderId'])
    let token = ''
    const sharing = beforeReplacing(deps, async () => {
      token = expectOk(await sotto.shareDraft({ accountId, id })).link.token
    })
    const edited = await editDraft({ ...deps, drafts: sharing }, { ...newSecret(world), id, content })
    t.strictSame(expectErr(edited), { code: 'draft_not_found' })
    t.equal(expectOk(await sotto.openSecret({ token })).note, 'a note')
  },
)

t.test('of several simultaneous edits each succeeds and one is kept whole', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.saveDraft(newSecret(world)))
  const edits = ['one', 'two', 'three'].map((text) =>
    editDraft(deps, { ...newSecret(world, { label: text }), id, content: { note: text } }),
  )
  for (const edit of await Promise.all(edits)) expectOk(edit)
  const { label, note } = expectOk(await sotto.getDraft({ accountId, id }))
  t.equal(label, note)
})

t.test('an edit of a version that was changed since is refused, and changes nothing', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.saveDraft(newSecret(world, { password: 'p' })))
  const { version } = expectOk(await sotto.getDraft({ accountId, id }))
  t.match(version, /^[0-9a-f]{32}$/)
  const mine = { ...newSecret(world, { label: 'mine' }), id, version, content: undefined }
  expectOk(await editDraft(deps, mine))
  const theirs = { ...mine, label: 'theirs', content: { note: 'theirs' } }
  t.strictSame(expectErr(await editDraft(deps, theirs)), { code: 'draft_changed' })
  const draft = expectOk(await sotto.getDraft({ accountId, id, password: 'p' }))
  t.match(draft, { label: 'mine', note: 'a note' })
  expectOk(await editDraft(deps, { ...theirs, version: draft.version }))
  t.equal(expectOk(await sotto.getDraft({ accountId, id })).note, 'theirs')
})

t.test('a draft that changes again and again is busy after five tries', async (t) => {
  const world = await createWorld()
  const { id } = expectOk(await world.sotto.saveDraft(newSecret(world)))
  const { port: drafts, calls } = counting({ ...world.deps.drafts, replace: () => okAsync(false) })
  const refused = await editDraft({ ...world.deps, drafts }, { ...newSecret(world), id, content })
  t.strictSame(expectErr(refused), { code: 'storage_unavailable', reason: 'busy' })
  t.equal(calls['replace'], 5)
})

t.test('an unknown, a malformed, a shared and another account’s draft give the same error', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId, folderId } = world
  const secret = expectOk(await sotto.createSecret(newSecret(world)))
  const bob = expectOk(await sotto.createAccount({ email: 'bob@example.org' }))
  const folder = expectOk(await sotto.createFolder({ accountId: bob.id, label: 'Bob’s' }))
  const { id } = expectOk(await sotto.saveDraft(newSecret(world)))
  for (const input of [
    { accountId, folderId, id: unknownId },
    { accountId, folderId, id: 'x' },
    { accountId, folderId, id: secret.id },
    { accountId: bob.id, folderId: folder.id, id },
  ]) {
    const refused = await editDraft(deps, { label: 'x', ...input, content })
    t.strictSame(expectErr(refused), { code: 'draft_not_found' })
  }
})

/** A store in which something else happens before each replacement. */
function beforeReplacing(
  { drafts }: World['deps'],
  happens: () => Promise<void>,
): Parameters<typeof editDraft>[0]['drafts'] {
  return {
    ...drafts,
    replace: (...given) => new ResultAsync(happens().then(() => drafts.replace(...given))),
  }
}

function fieldsOf(refused: Awaited<ReturnType<typeof editDraft>>): readonly string[] {
  const error = expectErr(refused)
  if (error.code !== 'fields_invalid') throw new Error(error.code)
  return error.errors.map(({ field }) => field)
}
