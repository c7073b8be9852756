import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  authenticate,
  getSecret,
  listSecrets,
  openSecret,
  retireKey,
  rotateKeys,
  secretLifetimeMicros,
} from '@sotto/core'
import t, { type Test } from 'tap'
import { backUpInstallation, restoreInstallation, type RestoreInput } from '../../src/backups.ts'
import { testCommand } from '../cli/in-process.ts'
import { hitsIn } from './support/search.ts'
import { pragmaIn, rowIn, rowsIn } from './support/sqlite.ts'
import {
  addCast,
  addDraft,
  addSecret,
  codeOf,
  createTestClock,
  okOf,
  openIn,
  settingsIn,
  type Cast,
} from './support/world.ts'

const dayMillis = 86_400_000

/** An installation with one of everything, closed, and a backup of it. */
async function backedUp(t: Test) {
  const cwd = t.testdir()
  const clock = createTestClock()
  const installation = await openIn(cwd, { standIns: { clock } })
  const cast = await addCast(installation)
  const secrets = {
    unlimited: await addSecret(installation, cast, { label: 'unlimited' }),
    limited: await addSecret(installation, cast, { label: 'limited', openLimit: 3 }),
    locked: await addSecret(installation, cast, { label: 'locked', password: 'pass' }),
  }
  const draft = await addDraft(installation, cast, { label: 'draft', openLimit: 1 })
  await okOf(installation.upkeep.noteSweep(clock.nowMicros()))
  await installation.close()
  const file = join(cwd, 'one.backup')
  const settings = settingsIn(cwd)
  const backup = await okOf(backUpInstallation({ settings, file, clock }))
  const restore = (more: Partial<RestoreInput> = {}) =>
    restoreInstallation({ settings, file, clock, keepLimited: false, keepTokens: false, ...more })
  const lose = () => renameSync(settings.dataDir, join(cwd, `lost-${clock.nowMicros()}`))
  return { cwd, clock, cast, secrets, draft, file, backup, settings, restore, lose }
}

async function labelsOf(installation: Awaited<ReturnType<typeof openIn>>, { accountId }: Cast) {
  const labels: string[] = []
  for await (const slice of listSecrets(installation.ports, { accountId }))
    labels.push(...slice._unsafeUnwrap().map(({ label }) => label))
  return labels.sort()
}

t.test('a backup is one file for its owner alone, which tells what is in it', async (t) => {
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
  t.same(readdirSync(cwd).sort(), ['data', 'keys', 'one.backup'], 'nothing else is left')
  t.equal(pragmaIn(file, 'journal_mode'), 'delete', 'it needs no other file beside it')
  t.equal(pragmaIn(file, 'integrity_check'), 'ok')
  t.equal(pragmaIn(file, 'freelist_count'), 0)
  t.same(
    rowsIn(file, "SELECT name FROM sqlite_schema WHERE name LIKE '%quota%'"),
    [],
    'no counts of the quota',
  )
})

t.test('a backup holds no key, neither of the ring nor made from it', async (t) => {
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
  const clock = createTestClock()
  const settings = settingsIn(cwd)
  const database = join(settings.dataDir, 'sotto.sqlite')
  const installation = await openIn(cwd, { standIns: { clock } })
  const cast = await addCast(installation)
  const { link } = await addSecret(installation, cast, { openLimit: 1 })
  const { note, wrap } = rowIn<{ note: Buffer; wrap: Buffer }>(database, 'SELECT note, wrap FROM ciphertexts')
  const needles = { note: note.subarray(100), wrap }
  const [before, after] = [join(cwd, 'before'), join(cwd, 'after')]
  await okOf(backUpInstallation({ settings, file: before, clock }))
  t.same(hitsIn([before], needles), ['note in before', 'wrap in before'])
  await okOf(openSecret(installation.ports, { token: link.token }))
  await okOf(backUpInstallation({ settings, file: after, clock }))
  t.same(hitsIn([after], needles), [], 'though the write-ahead log may hold it still')
  await installation.close()
})

t.test('a backup never takes the place of anything', async (t) => {
  const { file, settings, clock } = await backedUp(t)
  const before = readFileSync(file)
  t.equal(await codeOf(backUpInstallation({ settings, file, clock })), 'backup_exists')
  t.same(readFileSync(file), before)
})

t.test('of two backups to one name at once one is made', async (t) => {
  const { cwd, settings, clock } = await backedUp(t)
  const file = join(cwd, 'same')
  const codes = await Promise.all([1, 2].map(() => codeOf(backUpInstallation({ settings, file, clock }))))
  t.same(codes.sort(), ['backup_exists', 'ok'])
  t.same(readdirSync(cwd).sort(), ['data', 'keys', 'one.backup', 'same'])
})

t.test('a restore brings everything back but limited notes and tokens', async (t) => {
  const { cwd, clock, cast, secrets, draft, restore, lose } = await backedUp(t)
  lose()
  const restored = await okOf(restore())
  t.match(restored, { destroyedNotes: 1, revokedTokens: 1, purgedSecrets: 0 })
  const installation = await openIn(cwd, { standIns: { clock } })
  const { ports } = installation
  t.same(await labelsOf(installation, cast), ['limited', 'locked', 'unlimited'], 'all are listed')
  const open = (token: string, password?: string) => openSecret(ports, { token, password })
  t.equal((await okOf(open(secrets.unlimited.link.token))).note, 'a note')
  t.equal((await okOf(open(secrets.locked.link.token, 'pass'))).note, 'a note')
  t.equal(await codeOf(open(secrets.limited.link.token)), 'link_not_found')
  t.equal(await codeOf(authenticate(ports, { token: cast.token })), 'token_invalid')
  t.match(await okOf(getSecret(ports, { accountId: cast.accountId, id: secrets.limited.id })), {
    openLimit: 3,
  })
  t.ok(await okOf(ports.drafts.find(cast.accountId, draft.id)), 'a draft keeps its note, also with a limit')
  await installation.close()
})

t.test('--keep-limited and --keep-tokens keep what they say', async (t) => {
  const { cwd, clock, cast, secrets, restore, lose } = await backedUp(t)
  lose()
  t.match(await okOf(restore({ keepLimited: true, keepTokens: true })), {
    destroyedNotes: 0,
    revokedTokens: 0,
  })
  const { ports, close } = await openIn(cwd, { standIns: { clock } })
  t.equal((await okOf(openSecret(ports, { token: secrets.limited.link.token }))).opensLeft, 2)
  t.equal(await codeOf(authenticate(ports, { token: cast.token })), 'ok')
  await close()
})

t.test('a destroyed note is gone from the restored file itself', async (t) => {
  const { file, restore, lose, settings } = await backedUp(t)
  const limited = 'SELECT c.note FROM ciphertexts c JOIN secrets s ON s.nr = c.nr WHERE s.open_limit = 3'
  const { note } = rowIn<{ note: Buffer }>(file, limited)
  lose()
  t.same(hitsIn([file], { note }), ['note in one.backup'])
  await okOf(restore())
  t.same(hitsIn([join(settings.dataDir, 'sotto.sqlite')], { note }), [])
})

t.test('a restored database is the same installation, whose links and keys go on', async (t) => {
  const { cwd, file, restore, lose, settings } = await backedUp(t)
  lose()
  await okOf(restore())
  const meta = (path: string) =>
    rowIn<{ instance_id: Buffer; backed_up_at: number | null }>(path, 'SELECT * FROM meta')
  const database = join(settings.dataDir, 'sotto.sqlite')
  t.equal(statSync(database).mode & 0o777, 0o600)
  t.same(meta(database).instance_id, meta(file).instance_id)
  t.equal(meta(database).backed_up_at, null, 'and no backup any more')
  await (await openIn(cwd)).close()
})

t.test('what has expired meanwhile is erased', async (t) => {
  const { cwd, clock, cast, restore, lose } = await backedUp(t)
  lose()
  clock.pass(secretLifetimeMicros / 1_000)
  t.match(await okOf(restore()), {
    purgedSecrets: 3,
    destroyedNotes: 0,
    contents: { secrets: 0, expiredSecrets: 3 },
  })
  const installation = await openIn(cwd, { standIns: { clock } })
  t.same(await labelsOf(installation, cast), [])
  await installation.close()
})

t.test('sweeping goes on after an old backup was restored', async (t) => {
  const { cwd, clock, restore, lose } = await backedUp(t)
  lose()
  clock.pass(100 * dayMillis)
  await okOf(restore())
  const installation = await openIn(cwd, { standIns: { clock } })
  const swept = await okOf(installation.upkeep.lastSweep())
  t.ok(clock.nowMicros() - (swept ?? 0) < 1_000_000)
  await installation.close()
})

t.test('a restore needs the keys that rows are under, and no others', async (t) => {
  const { cwd, settings, clock, restore, lose } = await backedUp(t)
  const before = await openIn(cwd, { standIns: { clock } })
  await okOf(rotateKeys(before.rotation))
  await before.close()
  const rotated = join(cwd, 'rotated.backup')
  await okOf(backUpInstallation({ settings, file: rotated, clock }))
  const after = await openIn(cwd, { standIns: { clock } })
  await okOf(retireKey(after.rotation, { kid: 1 }))
  await after.close()
  lose()
  t.equal(await codeOf(restore()), 'backup_key_missing', 'a backup from before the rotation')
  t.equal(await codeOf(restore({ file: rotated })), 'ok', 'key 1 was known to it, but nothing was under it')
  await (await openIn(cwd)).close()
})

t.test('a restore never takes the place of a database or of what is left of one', async (t) => {
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

t.test('of several restores at once one succeeds, and nothing is left of the others', async (t) => {
  const { restore, lose, settings, cwd } = await backedUp(t)
  lose()
  const codes = await Promise.all([1, 2, 3].map(() => codeOf(restore())))
  t.same(codes.sort(), ['database_exists', 'database_exists', 'ok'])
  t.same(readdirSync(settings.dataDir), ['sotto.sqlite'])
  await (await openIn(cwd)).close()
})

t.test(
  'what a command that was cut off has left behind goes with the next one, unless it still runs',
  async (t) => {
    const { cwd, settings, clock, restore, lose } = await backedUp(t)
    const name = (pid: number) => `.sotto-backup-${pid}-0123456789abcdef.tmp`
    const gone = 4_194_304 // above the largest pid
    for (const pid of [gone, process.pid]) writeFileSync(join(cwd, name(pid)), '')
    await okOf(backUpInstallation({ settings, file: join(cwd, 'next'), clock }))
    t.same(
      readdirSync(cwd).filter((each) => each.startsWith('.sotto')),
      [name(process.pid)],
    )
    lose()
    mkdirSync(settings.dataDir)
    writeFileSync(join(settings.dataDir, `.sotto-restore-${gone}-0123456789abcdef.tmp-journal`), '')
    await okOf(restore())
    t.same(readdirSync(settings.dataDir), ['sotto.sqlite'])
  },
)

t.test('the commands tell how old a backup is, what is in it and what became of it', async (t) => {
  const { cwd, run, json } = testCommand(t)
  const ann = ['--account', 'ann@example.org']
  await json(['account', 'create', '--email', 'ann@example.org'])
  await json(['token', 'create', ...ann, '--name', 'laptop'])
  const made = await run(['backup', 'b'])
  t.match(made, { code: 0, stderr: '' })
  t.match(
    made.stdout,
    /^The backup was made at 2.*Z, has [\d.]+ kB and is verified\.\nIt holds 1 account, 0 folders, .* under key 1\.\n$/,
  )
  const told = await json(['backup', 'c'])
  const counts = {
    accounts: 1,
    folders: 0,
    drafts: 0,
    secrets: 0,
    expired_secrets: 0,
    access_tokens: 1,
    kids: [1],
  }
  t.match(told, { file: join(cwd, 'c'), bytes: Number, backed_up_at: /Z$/, ...counts })
  t.match(await run(['backup', 'b']), { code: 1, stdout: '', stderr: /^sotto: there is .*b already/ })
  rmSync(join(cwd, 'data'), { recursive: true })
  const restored = await run(['restore', 'b'])
  t.match(restored, { code: 0, stderr: '' })
  t.match(
    restored.stdout,
    /is \d+ seconds? old: made at 2.*\nIt holds 1 account.*\nErased: 0 .*\nDestroyed: 0 .*\nRevoked: 1 access token\./,
  )
  t.match(await run(['restore', 'b']), { code: 1, stdout: '', stderr: /overwrites nothing/ })
  rmSync(join(cwd, 'data'), { recursive: true })
  const restoredJson = await json(['restore', 'b', '--keep-tokens', '--keep-limited'])
  t.match(restoredJson, {
    ...counts,
    backed_up_at: /Z$/,
    age_seconds: Number,
    purged_secrets: 0,
    destroyed_notes: 0,
    revoked_tokens: 0,
  })
  t.match(await run(['backup']), { code: 2, stderr: /missing required argument 'file'/ })
})

t.test('progress is shown on a terminal and not in a pipe', async (t) => {
  const { cwd, run, json } = testCommand(t)
  await json(['account', 'create', '--email', 'ann@example.org'])
  t.equal((await run(['backup', 'quiet'])).stderr, '')
  /** What a terminal was told, with a sign where a line begins anew. */
  const shown = async (...args: string[]) =>
    (await run(args, { stderrIsTTY: true })).stderr.replaceAll('\r\u001b[K', '¶')
  t.match(await shown('backup', 'shown'), /^¶\d+ % of [\d.]+ [kM]B.*¶$/)
  rmSync(join(cwd, 'data'), { recursive: true })
  t.match(await shown('restore', 'shown'), /^¶\d+ % of .*¶$/)
  t.match(await shown('keys', 'rotate'), /^¶\d+ rows? put under key \d.*¶$/)
})
