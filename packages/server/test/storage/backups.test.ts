import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createManualClock, createSamples, expectOk, noonMicros } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import {
  backUpInstallation,
  restoreInstallation,
  type RestoreInstallationOptions,
} from '../../src/storage/backups.ts'
import type { Installation } from '../../src/installation/installation.ts'
import {
  addDraft,
  addOwner,
  addSecret,
  codeOf,
  entriesOf,
  openIn,
  settingsIn,
  type Owner,
} from '../support/installation.ts'
import { pragmaIn, rowIn, rowsIn } from '../support/raw-sqlite.ts'
import { hitsIn } from '../system/support/search.ts'

/** A closed installation with one row of each kind, and a backup of it. */
async function backedUp(t: Test) {
  const cwd = t.testdir()
  const clock = createManualClock(noonMicros)
  const installation = await openIn(cwd, { replace: { clock } })
  const owner = await addOwner(installation)
  const secrets = {
    unlimited: await addSecret(installation, owner, { label: 'unlimited' }),
    limited: await addSecret(installation, owner, { label: 'limited', openLimit: 3 }),
    locked: await addSecret(installation, owner, { label: 'locked', password: 'pass' }),
  }
  const draft = await addDraft(installation, owner, { label: 'draft', openLimit: 1 })
  expectOk(await installation.storage.upkeep.recordSweep(clock.nowMicros()))
  await installation.close()
  const file = join(cwd, 'one.backup')
  const settings = settingsIn(cwd)
  const backup = expectOk(await backUpInstallation({ settings, file, clock }))
  const restore = (more: Partial<RestoreInstallationOptions> = {}) =>
    restoreInstallation({ settings, file, clock, keepLimited: false, keepTokens: false, ...more })
  const lose = () => renameSync(settings.dataDir, join(cwd, `lost-${clock.nowMicros()}`))
  return { cwd, clock, owner, secrets, draft, file, backup, settings, restore, lose }
}

async function labelsOf({ sotto }: Installation, { accountId }: Owner): Promise<readonly string[]> {
  const secrets = await entriesOf(sotto.listSecrets({ accountId }))
  return secrets.map(({ label }) => label).sort()
}

t.test('a backup is one file, readable by its owner only, with a summary of its contents', async (t) => {
  const { cwd, file, backup } = await backedUp(t)
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.equal(statSync(file).size, backup.bytes)
  t.match(backup.contents, {
    accounts: 1,
    folders: 1,
    drafts: 1,
    secrets: 3,
    expiredSecrets: 0,
    accessTokens: 1,
    kids: [1],
  })
  t.same(readdirSync(cwd).sort(), ['data', 'keys', 'one.backup'], 'no other file is left')
  t.equal(pragmaIn(file, 'journal_mode'), 'delete', 'it is complete in one file')
  t.equal(pragmaIn(file, 'integrity_check'), 'ok')
  t.equal(pragmaIn(file, 'freelist_count'), 0)
  t.same(
    rowsIn(file, "SELECT name FROM sqlite_schema WHERE name LIKE '%quota%'"),
    [],
    'no counters of the quota',
  )
})

// Promise (Sealed at rest): A backup contains no key
t.test('a backup contains no key, in no form', async (t) => {
  const { cwd, file } = await backedUp(t)
  const { keys } = JSON.parse(readFileSync(join(cwd, 'keys', 'sotto-keys.json'), 'utf8')) as {
    keys: { key: string }[]
  }
  const key = Buffer.from(keys[0]!.key, 'base64')
  t.same(hitsIn([file], { key }), [])
  const leaky = join(cwd, 'leaky')
  writeFileSync(leaky, `{"key":"${key.toString('base64')}"}`)
  t.same(hitsIn([leaky], { key }), ['key in leaky'], 'a key would be found')
})

t.test('what was erased before is not in a backup', async (t) => {
  const cwd = t.testdir()
  const clock = createManualClock(noonMicros)
  const settings = settingsIn(cwd)
  const database = join(settings.dataDir, 'sotto.sqlite')
  const installation = await openIn(cwd, { replace: { clock } })
  const owner = await addOwner(installation)
  const { link } = await addSecret(installation, owner, { openLimit: 1 })
  const { note, wrap } = rowIn<{ note: Buffer; wrap: Buffer }>(database, 'SELECT note, wrap FROM ciphertexts')
  const needles = { note: note.subarray(100), wrap }
  const [before, after] = [join(cwd, 'before'), join(cwd, 'after')]
  expectOk(await backUpInstallation({ settings, file: before, clock }))
  t.same(hitsIn([before], needles), ['note in before', 'wrap in before'])
  expectOk(await installation.sotto.openSecret({ token: link.token }))
  expectOk(await backUpInstallation({ settings, file: after, clock }))
  t.same(hitsIn([after], needles), [], 'although the write-ahead log may still contain it')
  await installation.close()
})

t.test('of two simultaneous backups to one name, one is made', async (t) => {
  const { cwd, settings, clock } = await backedUp(t)
  const file = join(cwd, 'same')
  const codes = await Promise.all([1, 2].map(() => codeOf(backUpInstallation({ settings, file, clock }))))
  t.same(codes.sort(), ['backup_exists', 'ok'])
  t.same(readdirSync(cwd).sort(), ['data', 'keys', 'one.backup', 'same'])
})

// Promise (Sealed at rest): A restore destroys notes with an open limit and revokes tokens
t.test('a restore brings back everything except notes with an open limit and access tokens', async (t) => {
  const { cwd, clock, owner, secrets, draft, restore, lose } = await backedUp(t)
  lose()
  const restored = expectOk(await restore())
  t.match(restored, { destroyedNotes: 1, revokedTokens: 1, erasedSecrets: 0 })
  const installation = await openIn(cwd, { replace: { clock } })
  const { sotto, storage } = installation
  t.same(await labelsOf(installation, owner), ['limited', 'locked', 'unlimited'], 'all are listed')
  const open = (token: string, password?: string) => sotto.openSecret({ token, password })
  t.equal(expectOk(await open(secrets.unlimited.link.token)).note, 'a note')
  t.equal(expectOk(await open(secrets.locked.link.token, 'pass')).note, 'a note')
  t.equal(await codeOf(open(secrets.limited.link.token)), 'link_not_found')
  t.equal(await codeOf(sotto.authenticate({ token: owner.token })), 'token_invalid')
  t.match(expectOk(await sotto.getSecret({ accountId: owner.accountId, id: secrets.limited.id })), {
    openLimit: 3,
  })
  t.ok(
    expectOk(await storage.drafts.find(owner.accountId, draft.id)),
    'a draft with an open limit keeps its note',
  )
  await installation.close()
})

// Promise (The owner's pages): After a restore, passkeys, identities and the password are those of the backup, until a reset link is used
t.test(
  'a passkey, an identity and a password that a reset removed since the backup are back, and another reset removes them',
  async (t) => {
    const { cwd, clock, owner, file, settings, restore, lose } = await backedUp(t)
    const { accountId } = owner
    const make = createSamples(1)
    const [email, address, old] = ['ann@example.org', '192.0.2.1', 'four words in a row']
    const reset = async ({ sotto }: Installation, password: string) => {
      const { token } = expectOk(await sotto.resetAccount({ email }))
      expectOk(await sotto.choosePassword({ token, password, address }))
    }
    const seen = async ({ sotto, storage }: Installation) => {
      const { passkeys, identities } = expectOk(await storage.passwords.authenticators(accountId))
      const oldPassword = await codeOf(sotto.signIn({ email, password: old, address }))
      return { passkeys: passkeys.length, identities: identities.length, oldPassword }
    }
    const first = await openIn(cwd, { replace: { clock } })
    await reset(first, old)
    expectOk(await first.storage.passkeys.insert(make.passkey(accountId), make.tokenDigest(), 10))
    expectOk(await first.storage.identities.insert(make.identity(accountId), [make.nameIndex()], 5))
    rmSync(file)
    expectOk(await backUpInstallation({ settings, file, clock }))
    await reset(first, `not ${old}`)
    const none = { passkeys: 0, identities: 0, oldPassword: 'sign_in_wrong' }
    t.same(await seen(first), none)
    await first.close()
    lose()
    expectOk(await restore())
    const again = await openIn(cwd, { replace: { clock } })
    t.same(await seen(again), { passkeys: 1, identities: 1, oldPassword: 'ok' })
    await reset(again, `not ${old}`)
    t.same(await seen(again), none)
    await again.close()
  },
)

t.test('a destroyed note is not in the restored file', async (t) => {
  const { file, restore, lose, settings } = await backedUp(t)
  const limited = 'SELECT c.note FROM ciphertexts c JOIN secrets s ON s.nr = c.nr WHERE s.open_limit = 3'
  const { note } = rowIn<{ note: Buffer }>(file, limited)
  lose()
  t.same(hitsIn([file], { note }), ['note in one.backup'])
  expectOk(await restore())
  t.same(hitsIn([join(settings.dataDir, 'sotto.sqlite')], { note }), [])
})

t.test('a restore needs only the keys that rows are under', async (t) => {
  const { cwd, settings, clock, restore, lose } = await backedUp(t)
  const before = await openIn(cwd, { replace: { clock } })
  expectOk(await before.sotto.rotateKeys())
  await before.close()
  const rotated = join(cwd, 'rotated.backup')
  expectOk(await backUpInstallation({ settings, file: rotated, clock }))
  const after = await openIn(cwd, { replace: { clock } })
  expectOk(await after.sotto.retireKey({ kid: 1 }))
  await after.close()
  lose()
  t.equal(await codeOf(restore()), 'backup_key_missing', 'a backup from before the rotation')
  t.equal(await codeOf(restore({ file: rotated })), 'ok', 'it knows key 1, but no row is under it')
  await (await openIn(cwd)).close()
})

// Promise (Sealed at rest): A restore never overwrites anything
t.test('a restore never overwrites a database or the remains of one', async (t) => {
  const { restore, settings, file } = await backedUp(t)
  const database = join(settings.dataDir, 'sotto.sqlite')
  const before = readFileSync(database)
  t.equal(await codeOf(restore()), 'database_exists')
  t.same(readFileSync(database), before)
  for (const ending of ['-wal', '-journal', '']) {
    rmSync(settings.dataDir, { recursive: true })
    mkdirSync(settings.dataDir)
    writeFileSync(database + ending, '')
    t.equal(await codeOf(restore()), 'database_exists', ending)
    t.same(readdirSync(settings.dataDir), [`sotto.sqlite${ending}`])
  }
  t.ok(statSync(file).size > 0)
})

t.test('sweeping is not suspended after the restore of an old backup', async (t) => {
  const { cwd, clock, restore, lose } = await backedUp(t)
  lose()
  clock.advance(100 * 86_400_000_000)
  expectOk(await restore())
  const installation = await openIn(cwd, { replace: { clock } })
  const swept = expectOk(await installation.storage.upkeep.lastSweep())
  t.ok(clock.nowMicros() - (swept ?? 0) < 1_000_000)
  await installation.close()
})
