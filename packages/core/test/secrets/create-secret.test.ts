import { errAsync, okAsync } from 'neverthrow'
import t from 'tap'
import { expectErr, expectOk, failing } from '@sotto/test-kit'
import { isLinkToken } from '../../src/shared/link-token.ts'
import { createSecret } from '../../src/secrets/create-secret.ts'
import { all, counting, createWorld, newSecret, secondMicros, startMicros, unknownId } from '../world.ts'

const unknownFolder = { code: 'fields_invalid', errors: [{ field: 'folderId', rule: 'unknown_folder' }] }

// Promise (The JSON API): A created secret is shareable immediately and expires exactly 30 days later
t.test('a created secret is shareable immediately and expires exactly 30 days later', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId, folderId } = world
  const input = newSecret(world, { label: 'Router', note: 'line 1\nline 2', openLimit: 2, notify: true })
  const secret = expectOk(await createSecret(deps, input))
  t.match(secret, { label: 'Router', folderId, createdAtMicros: startMicros, openLimit: 2, notify: true })
  t.equal(secret.hasPassword, false)
  t.equal(secret.link.createdAtMicros, startMicros)
  t.equal(secret.expiresAtMicros, startMicros + 2_592_000 * secondMicros)
  t.ok(isLinkToken(secret.link.token))
  t.notOk('note' in secret || 'password' in secret)
  t.strictSame(expectOk(await sotto.getSecret({ accountId, id: secret.id })), secret, 'read as created')
})

t.test('a secret has no open limit and no notification by default', async (t) => {
  const world = await createWorld()
  const secret = expectOk(await createSecret(world.deps, newSecret(world)))
  t.match(secret, { openLimit: undefined, notify: false, hasPassword: false })
})

t.test('all invalid fields are named together, the folder included', async (t) => {
  const { deps, sotto, accountId } = await createWorld()
  const note = 'x'.repeat(1_001)
  const input = { accountId, folderId: 'nonsense', label: '', note, openLimit: -1, password: '' }
  t.strictSame(expectErr(await createSecret(deps, input)), {
    code: 'fields_invalid',
    errors: [
      { field: 'label', rule: 'empty' },
      { field: 'note', rule: 'too_long', limit: 1_000 },
      { field: 'openLimit', rule: 'out_of_range', limit: 1_000_000 },
      { field: 'password', rule: 'empty' },
      { field: 'folderId', rule: 'unknown_folder' },
    ],
  })
  t.strictSame(await all(sotto.listSecrets({ accountId })), [])
})

t.test('invalid input costs no randomness, no digest and no encryption', async (t) => {
  const world = await createWorld()
  const random = counting(world.deps.random)
  const digests = counting(world.deps.digests)
  const secretCipher = counting(world.deps.secretCipher)
  const deps = { ...world.deps, random: random.port, digests: digests.port, secretCipher: secretCipher.port }
  for (const fields of [{ label: '' }, { openLimit: 0 }, { folderId: unknownId }]) {
    expectErr(await createSecret(deps, newSecret(world, fields)))
  }
  t.strictSame([random.calls, digests.calls, secretCipher.calls], [{}, {}, {}])
  expectOk(await createSecret(deps, newSecret(world)))
  t.match(
    [random.calls, digests.calls, secretCipher.calls],
    [{ bytes: 2 }, { makeLinkToken: 1, linkLookup: 1 }, { encryptSecret: 1 }],
  )
})

// Promise (The JSON API): folder_id must be an existing folder of the caller; unknown, malformed and others' are one 400
t.test('an unknown, a malformed and another account’s folder give the same error', async (t) => {
  const world = await createWorld()
  const { deps, sotto } = world
  const other = expectOk(await sotto.createAccount({ email: 'bob@example.org' }))
  const theirs = expectOk(await sotto.createFolder({ accountId: other.id, label: 'Theirs' }))
  for (const folderId of [theirs.id, unknownId, 'x', '']) {
    t.strictSame(expectErr(await createSecret(deps, newSecret(world, { folderId }))), unknownFolder)
  }
})

t.test('a malformed folder id costs the same look-up as an unknown one', async (t) => {
  const world = await createWorld()
  const { port: folders, calls } = counting(world.deps.folders)
  expectErr(await createSecret({ ...world.deps, folders }, newSecret(world, { folderId: 'x' })))
  t.strictSame(calls, { owns: 1 })
})

t.test('a folder that disappears after it was checked is an invalid field', async (t) => {
  const world = await createWorld()
  const folders = { ...world.deps.folders, owns: () => okAsync(true) }
  const refused = await createSecret({ ...world.deps, folders }, newSecret(world, { folderId: unknownId }))
  t.strictSame(expectErr(refused), unknownFolder)
})

t.test('a folder id is accepted in either case', async (t) => {
  const world = await createWorld()
  const folderId = world.folderId.toUpperCase()
  const secret = expectOk(await createSecret(world.deps, newSecret(world, { folderId })))
  t.equal(secret.folderId, world.folderId)
})

t.test('a key that another process has retired costs one retry and no error', async (t) => {
  const world = await createWorld()
  const keyRing = counting(world.deps.keyRing)
  const create = (times: number) => {
    const secrets = failing(world.deps.secrets, { insert: { code: 'key_retired' } }, { times })
    return createSecret({ ...world.deps, secrets, keyRing: keyRing.port }, newSecret(world))
  }
  expectOk(await create(1))
  t.equal(keyRing.calls['follow'], 1)
  t.strictSame(expectErr(await create(2)), { code: 'key_retired' })
})

t.test('a full queue of password hashes is an error and stores nothing', async (t) => {
  const world = await createWorld()
  const { deps, sotto, accountId } = world
  const busy = { code: 'hasher_busy' } as const
  const secretCipher = { ...deps.secretCipher, encryptSecret: () => errAsync(busy) }
  const refused = await createSecret({ ...deps, secretCipher }, newSecret(world, { password: 'right' }))
  t.strictSame(expectErr(refused), busy)
  t.strictSame(await all(sotto.listSecrets({ accountId })), [])
})

t.test('a lifetime is a whole number of seconds, 30 days at most', async (t) => {
  const world = await createWorld()
  for (const lifetimeSeconds of [0, -1, 1.5, 2_592_001, Number.NaN, Infinity])
    t.strictSame(expectErr(await createSecret(world.deps, { ...newSecret(world), lifetimeSeconds })), {
      code: 'fields_invalid',
      errors: [{ field: 'lifetimeSeconds', rule: 'out_of_range', limit: 2_592_000 }],
    })
})

t.test('a secret lives as long as its owner chose, 30 days by default', async (t) => {
  const world = await createWorld()
  const { deps, sotto } = world
  for (const lifetimeSeconds of [1, 3_601, 2_592_000, undefined]) {
    const { expiresAtMicros, link } = expectOk(
      await createSecret(deps, { ...newSecret(world), lifetimeSeconds }),
    )
    t.equal(expiresAtMicros - link.createdAtMicros, (lifetimeSeconds ?? 2_592_000) * 1_000_000)
  }
  const { link } = expectOk(await createSecret(deps, { ...newSecret(world), lifetimeSeconds: 3_600 }))
  deps.clock.advance(3_600 * 1_000_000 - 1)
  expectOk(await sotto.openSecret({ token: link.token }))
  deps.clock.advance(1)
  t.strictSame(expectErr(await sotto.openSecret({ token: link.token })), { code: 'link_not_found' })
})
