import t from 'tap'
import { createSecret } from '../../src/use-cases/create-secret.ts'
import { deleteDraft } from '../../src/use-cases/delete-draft.ts'
import { getSecret } from '../../src/use-cases/get-secret.ts'
import { listDrafts } from '../../src/use-cases/list-drafts.ts'
import { listFolders } from '../../src/use-cases/list-folders.ts'
import { listSecrets } from '../../src/use-cases/list-secrets.ts'
import { openSecret } from '../../src/use-cases/open-secret.ts'
import { saveDraft } from '../../src/use-cases/save-draft.ts'
import { shareDraft } from '../../src/use-cases/share-draft.ts'
import { all, createWorld, dayMicros, startMicros, type World } from '../world.ts'

const stranger = '0190f3a0-0000-7000-8000-000000000000'

t.test('a draft is counted and listed as a draft, and is no secret of any list', async (t) => {
  const world = await createWorld()
  const { ports, accountId } = world
  const draft = await save(world)
  t.strictSame(await all(listDrafts(ports, { accountId })), [draft])
  t.strictSame(await all(listSecrets(ports, { accountId })), [])
  t.match((await all(listFolders(ports, { accountId })))[0], { draftsCount: 1, secretsCount: 0 })
  t.strictSame((await getSecret(ports, { accountId, id: draft.id }))._unsafeUnwrapErr(), {
    code: 'secret_not_found',
  })
})

t.test('sharing a draft makes its link, and its 30 days begin then', async (t) => {
  const world = await createWorld()
  const { ports, accountId } = world
  const draft = await save(world)
  ports.clock.advance(100 * dayMicros)
  const shared = (await shareDraft(ports, { accountId, id: draft.id }))._unsafeUnwrap()
  t.equal(shared.createdAtMicros, startMicros, 'it was created when it was saved')
  t.equal(shared.link.createdAtMicros, startMicros + 100 * dayMicros)
  t.equal(shared.expiresAtMicros, startMicros + 130 * dayMicros)
  t.strictSame(await all(listSecrets(ports, { accountId })), [shared])
  t.strictSame(await all(listDrafts(ports, { accountId })), [])
})

t.test('a draft with a password is shared without it and opens with it', async (t) => {
  const world = await createWorld()
  const { ports, accountId, folderId } = world
  const input = { accountId, folderId, label: 'x', note: 'the note', password: 'right' }
  const draft = (await saveDraft(ports, input))._unsafeUnwrap()
  const { link } = (await shareDraft(ports, { accountId, id: draft.id }))._unsafeUnwrap()
  const opened = await openSecret(ports, { token: link.token, password: 'right' })
  t.equal(opened._unsafeUnwrap().note, 'the note')
})

t.test('of several shares at once one succeeds', async (t) => {
  const world = await createWorld()
  const { ports, accountId } = world
  const { id } = await save(world)
  const shares = await Promise.all(Array.from({ length: 5 }, () => shareDraft(ports, { accountId, id })))
  t.equal(shares.filter((share) => share.isOk()).length, 1)
  for (const share of shares) if (share.isErr()) t.strictSame(share.error, { code: 'draft_not_found' })
})

t.test('a rotation that comes between reading and sharing costs another try, not the share', async (t) => {
  const world = await createWorld()
  const { ports, accountId } = world
  const { id } = await save(world)
  let changes = 2
  const drafts: typeof ports.drafts = {
    ...ports.drafts,
    share: (draft, link, keys) =>
      changes-- > 0
        ? ports.drafts.share({ ...draft, expectedHead: keys.head }, link, keys)
        : ports.drafts.share(draft, link, keys),
  }
  t.ok((await shareDraft({ ...ports, drafts }, { accountId, id })).isOk())
  t.equal(changes, -1)
})

t.test('only the owner shares or deletes a draft, and neither touches a shared secret', async (t) => {
  const world = await createWorld()
  const { ports, accountId, folderId } = world
  const draft = await save(world)
  const secret = (await createSecret(ports, { accountId, folderId, label: 'x', note: 'y' }))._unsafeUnwrap()
  const notFound = { code: 'draft_not_found' }
  for (const input of [
    { accountId: stranger, id: draft.id },
    { accountId, id: secret.id },
    { accountId, id: 'x' },
    { accountId, id: stranger },
  ]) {
    t.strictSame((await shareDraft(ports, input))._unsafeUnwrapErr(), notFound)
    t.strictSame((await deleteDraft(ports, input))._unsafeUnwrapErr(), notFound)
  }
  t.ok((await deleteDraft(ports, { accountId, id: draft.id })).isOk())
  t.strictSame(await all(listDrafts(ports, { accountId })), [])
})

async function save({ ports, accountId, folderId }: World) {
  return (await saveDraft(ports, { accountId, folderId, label: 'a draft', note: 'its note' }))._unsafeUnwrap()
}
