import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { saveDraft } from '../../src/drafts/drafts.ts'
import { all, counting, createWorld, newSecret, startMicros } from '../world.ts'

// Promise (The JSON API): A folder also counts drafts; drafts are not in the secrets list
t.test('a draft is counted and listed as a draft, and appears in no list of secrets', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const draft = expectOk(await saveDraft(deps, newSecret(world, { label: 'a draft' })))
  t.match(draft, { label: 'a draft', createdAtMicros: startMicros, openLimit: undefined, notify: false })
  t.notOk('link' in draft || 'note' in draft)
  t.strictSame(await all(sotto.listDrafts({ accountId })), [draft])
  t.strictSame(await all(sotto.listSecrets({ accountId })), [])
  t.match((await all(sotto.listFolders({ accountId })))[0], { draftsCount: 1, secretsCount: 0 })
  t.strictSame(expectErr(await sotto.getSecret({ accountId, id: draft.id })), { code: 'secret_not_found' })
})

t.test('a draft has the bounds of a secret', async (t) => {
  const world = await createWorld()
  const fields = { label: '', openLimit: 0, folderId: 'x' }
  const { errors } = expectErr(await saveDraft(world.deps, newSecret(world, fields)), 'fields_invalid')
  t.strictSame(
    errors.map(({ field, rule }) => `${field} ${rule}`),
    ['label empty', 'openLimit out_of_range', 'folderId unknown_folder'],
  )
})

t.test('a draft makes no link', async (t) => {
  const world = await createWorld()
  const { port: digests, calls } = counting(world.deps.digests)
  const deps = { ...world.deps, digests }
  expectOk(await saveDraft(deps, newSecret(world)))
  t.strictSame(calls, {})
})
