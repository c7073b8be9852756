import t from 'tap'
import { err, okAsync } from 'neverthrow'
import { expectErr, expectOk } from '@sotto/test-kit'
import { shareDraft } from '../../src/drafts/drafts.ts'
import { all, counting, createWorld, dayMicros, newSecret, startMicros, unknownId } from '../world.ts'

t.test('sharing a draft makes its link, and its 30 days begin then', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const draft = expectOk(await sotto.saveDraft(newSecret(world, { openLimit: 3 })))
  deps.clock.advance(100 * dayMicros)
  const shared = expectOk(await shareDraft(deps, { accountId, id: draft.id }))
  t.equal(shared.createdAtMicros, startMicros, 'created when it was saved')
  t.equal(shared.openLimit, 3)
  t.equal(shared.link.createdAtMicros, startMicros + 100 * dayMicros)
  t.equal(shared.expiresAtMicros, startMicros + 130 * dayMicros)
  t.strictSame(await all(sotto.listSecrets({ accountId })), [shared])
  t.strictSame(await all(sotto.listDrafts({ accountId })), [])
})

t.test('a draft with a password is shared without it and opens with it', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const input = newSecret(world, { note: 'the note', password: 'right' })
  const draft = expectOk(await sotto.saveDraft(input))
  const { link } = expectOk(await shareDraft(deps, { accountId, id: draft.id }))
  t.equal(expectErr(await sotto.openSecret({ token: link.token })).code, 'password_required')
  t.equal(expectOk(await sotto.openSecret({ token: link.token, password: 'right' })).note, 'the note')
})

t.test('of several concurrent shares one succeeds', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.saveDraft(newSecret(world)))
  const shares = await Promise.all(Array.from({ length: 5 }, () => shareDraft(deps, { accountId, id })))
  t.equal(shares.filter((share) => share.isOk()).length, 1)
  for (const share of shares) if (share.isErr()) t.strictSame(share.error, { code: 'draft_not_found' })
})

t.test('a share decrypts the head exactly once', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.saveDraft(newSecret(world)))
  const { port: secretCipher, calls } = counting(deps.secretCipher)
  expectOk(await shareDraft({ ...deps, secretCipher }, { accountId, id }))
  t.strictSame(calls, { decryptHead: 1, rebind: 1 })
})

t.test('a rotation between reading and sharing costs another try, not the share', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.saveDraft(newSecret(world)))
  let changes = 2
  const drafts: typeof deps.drafts = {
    ...deps.drafts,
    share: (draft, link, keys) =>
      changes-- > 0
        ? deps.drafts.share({ ...draft, expectedHeadCiphertext: keys.headCiphertext }, link, keys)
        : deps.drafts.share(draft, link, keys),
  }
  expectOk(await shareDraft({ ...deps, drafts }, { accountId, id }))
  t.equal(changes, -1)
})

t.test('corruption is returned and the draft stays a draft', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const draft = expectOk(await sotto.saveDraft(newSecret(world)))
  const corrupted = { code: 'data_damaged', what: 'secret.head', id: draft.id } as const
  for (const broken of [{ decryptHead: () => err(corrupted) }, { rebind: () => err(corrupted) }]) {
    const secretCipher = { ...deps.secretCipher, ...broken }
    const refused = await shareDraft({ ...deps, secretCipher }, { accountId, id: draft.id })
    t.strictSame(expectErr(refused), corrupted)
  }
  t.strictSame(await all(sotto.listDrafts({ accountId })), [draft])
})

t.test('a draft that changes again and again is busy after five tries', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.saveDraft(newSecret(world)))
  const { port: drafts, calls } = counting({ ...deps.drafts, share: () => okAsync(false) })
  const refused = await shareDraft({ ...deps, drafts }, { accountId, id })
  t.strictSame(expectErr(refused), { code: 'storage_unavailable', reason: 'busy' })
  t.equal(calls['share'], 5)
})

t.test('an unknown, a malformed, a shared and another account’s draft give the same error', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const draft = expectOk(await sotto.saveDraft(newSecret(world)))
  const secret = expectOk(await sotto.createSecret(newSecret(world)))
  for (const input of [
    { accountId: unknownId, id: draft.id },
    { accountId, id: secret.id },
    { accountId, id: 'x' },
    { accountId, id: unknownId },
  ]) {
    t.strictSame(expectErr(await shareDraft(deps, input)), { code: 'draft_not_found' })
  }
  t.strictSame(await all(sotto.listDrafts({ accountId })), [draft])
  t.strictSame(await all(sotto.listSecrets({ accountId })), [secret])
})

t.test('a lifetime is a whole number of seconds, 30 days at most', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.saveDraft(newSecret(world)))
  for (const lifetimeSeconds of [0, 1.5, 2_592_001])
    t.strictSame(expectErr(await shareDraft(deps, { accountId, id, lifetimeSeconds })), {
      code: 'fields_invalid',
      errors: [{ field: 'lifetimeSeconds', rule: 'out_of_range', limit: 2_592_000 }],
    })
})

t.test('a chosen lifetime begins when the draft is shared', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const { id } = expectOk(await sotto.saveDraft(newSecret(world)))
  deps.clock.advance(dayMicros)
  const shared = expectOk(await shareDraft(deps, { accountId, id, lifetimeSeconds: 86_400 }))
  t.equal(shared.expiresAtMicros, startMicros + 2 * dayMicros)
  t.strictSame(expectOk(await sotto.getSecret({ accountId, id })), shared)
})
