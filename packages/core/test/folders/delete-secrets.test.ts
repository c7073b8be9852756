import t from 'tap'
import { expectErr, expectOk, failing, linkRecordOf } from '@sotto/test-kit'
import { deleteSecrets, removeFinished } from '../../src/folders/delete-secrets.ts'
import {
  all,
  counting,
  createWorld,
  dayMicros,
  newSecret,
  openTimes,
  unknownId,
  type World,
} from '../world.ts'

async function share(world: World, fields = {}) {
  return expectOk(await world.sotto.createSecret(newSecret(world, fields)))
}

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).toSorted()

t.test('those secrets and drafts are erased with their links, and no others', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const [first, second, kept] = [await share(world), await share(world), await share(world)]
  const [draft, keptDraft] = [
    expectOk(await sotto.saveDraft(newSecret(world))),
    expectOk(await sotto.saveDraft(newSecret(world))),
  ]
  const ids = [first.id, second.id.toUpperCase(), unknownId, 'nonsense', draft.id]
  const erased: unknown[] = []
  const deleted = expectOk(
    await deleteSecrets(deps, {
      accountId,
      ids,
      drafts: [draft.id, first.id, unknownId],
      erased: (id, kind) => void erased.push([kind, id]),
    }),
  )
  t.strictSame(deleted, { secrets: 2, drafts: 1 })
  const named = [
    ['secret', first.id],
    ['secret', second.id],
    ['draft', draft.id],
  ]
  t.strictSame(erased, named, 'each that was erased is named')
  t.equal(await linkRecordOf(deps, deps.digests.linkLookup(first.link.token)), undefined)
  t.strictSame(idsOf(await all(sotto.listSecrets({ accountId }))), [kept.id])
  t.strictSame(idsOf(await all(sotto.listDrafts({ accountId }))), [keptDraft.id])
})

t.test('those of another account stay', async (t) => {
  const world = await createWorld()
  const { id } = await share(world)
  const draft = expectOk(await world.sotto.saveDraft(newSecret(world)))
  const theirs = { accountId: unknownId, ids: [id], drafts: [draft.id] }
  t.strictSame(expectOk(await deleteSecrets(world.deps, theirs)), { secrets: 0, drafts: 0 })
  t.equal(world.deps.data.secrets.size, 2)
})

t.test('a hundred are deleted in one call, a few at the same time; more are refused', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  const ids = []
  for (let nr = 0; nr < 101; nr += 1) ids.push((await share(world)).id)
  const tooMany = expectErr(await deleteSecrets(deps, { accountId, ids: ids.slice(1), drafts: [unknownId] }))
  t.match(tooMany, { code: 'fields_invalid', errors: [{ field: 'ids', rule: 'too_long', limit: 100 }] })
  t.equal(deps.data.secrets.size, 101, 'nothing is deleted')
  t.strictSame(expectOk(await deleteSecrets(deps, { accountId, ids: ids.slice(1) })), {
    secrets: 100,
    drafts: 0,
  })
  t.equal(deps.data.secrets.size, 1)
})

t.test('an error ends it, and nothing after it is deleted', async (t) => {
  const world = await createWorld()
  const { deps, accountId } = world
  const { id } = await share(world)
  const draft = expectOk(await world.sotto.saveDraft(newSecret(world)))
  const busy = { code: 'storage_unavailable', reason: 'busy' } as const
  const secrets = failing(deps.secrets, { erase: busy })
  const input = { accountId, ids: [id], drafts: [draft.id] }
  t.strictSame(expectErr(await deleteSecrets({ ...deps, secrets }, input)), busy)
  t.equal(deps.data.secrets.size, 2)
  const { id: other } = await share(world)
  const busyForOther = {
    ...deps.secrets,
    erase: (...given: Parameters<typeof deps.secrets.erase>) =>
      (given[1] === other ? secrets : deps.secrets).erase(...given),
  }
  const erased: string[] = []
  const both = { ...input, ids: [id, other], erased: (each: string) => void erased.push(each) }
  t.strictSame(expectErr(await deleteSecrets({ ...deps, secrets: busyForOther }, both)), busy)
  t.strictSame(erased, [id], 'what was erased before is named')
})

// Promise (The owner's pages): Several are deleted in one call, and all finished ones
t.test('all finished secrets are removed, of one folder or of all, and no others', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId, folderId } = world
  const { id: second } = expectOk(await sotto.createFolder({ accountId, label: 'Second' }))
  for (let nr = 0; nr < 120; nr += 1) await openTimes(world, await share(world, { openLimit: 1 }))
  await openTimes(world, await share(world, { openLimit: 1, folderId: second }))
  const opened = await share(world, { openLimit: 2 })
  await openTimes(world, opened)
  const waiting = await share(world)
  const { port: secrets, calls } = counting(deps.secrets)
  t.equal(expectOk(await removeFinished({ ...deps, secrets }, { accountId, folderId })), 120)
  t.strictSame(calls, { page: 3, erase: 120 }, 'in slices')
  t.equal(expectOk(await removeFinished(deps, { accountId })), 1)
  t.equal(expectOk(await removeFinished(deps, { accountId })), 0)
  t.strictSame(idsOf(await all(sotto.listSecrets({ accountId }))), idsOf([opened, waiting]))
  deps.clock.advance(30 * dayMicros)
  t.equal(expectOk(await removeFinished(deps, { accountId, folderId: 'nonsense' })), 0)
})
