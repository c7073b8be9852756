import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { noAttempts, type StoredWebhook } from '@sotto/core'
import { expectErr, expectOk, noonMicros, noteBehind } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { err, ok } from 'neverthrow'
import { test, type Test } from 'tap'
import { backUpDatabase } from '../../src/backup/backup.ts'
import { contentsOf } from '../../src/backup/contents.ts'
import { restoreDatabase } from '../../src/backup/restore.ts'
import { survivingBytes } from '../support/find-bytes.ts'
import { open, temporaryDir, wrongIn } from '../support/helpers.ts'
import { openQueue } from '../support/queue.ts'
import { addFolder } from '../support/rows.ts'

const nowMicros = 1_800_000_000_000_000

test('a restore has the keys checked before anything is written, and stops when they do not fit', async (t) => {
  const [dir, target] = [temporaryDir(t), temporaryDir(t)]
  const database = await open(dir)
  await addFolder(database)
  expectOk(
    await database.keys.add({
      kid: 7,
      checkValue: Buffer.from('unused'),
      createdAtMicros: 0,
      isReadOnly: false,
    }),
  )
  await database.close()
  const file = join(target, 'b')
  expectOk(await backUpDatabase({ dataDir: dir, file, nowMicros }))
  const dataDir = join(target, 'deep', 'data')
  const restore = { file, dataDir, nowMicros, keepLimited: false, keepTokens: false }
  const refused = restoreDatabase({
    ...restore,
    checkKeys: ({ instanceId, keys }) => {
      t.same(instanceId, database.instanceId)
      t.match(keys, [
        { kid: 1, checkValue: Buffer.alloc(16, 1), isUsed: true },
        { kid: 7, checkValue: Buffer.from('unused'), isUsed: false },
      ])
      t.same(readdirSync(target), ['b'])
      return err({ code: 'not_mine' as const })
    },
  })
  t.same(expectErr(await refused), { code: 'not_mine' })
  t.same(readdirSync(target), ['b'])
  expectOk(await restoreDatabase({ ...restore, checkKeys: () => ok([1]) }))
  t.same(readdirSync(dataDir), ['sotto.sqlite'])
  t.equal(statSync(dataDir).mode & 0o777, 0o700)
  const restored = await open(dataDir)
  t.match(
    expectOk(await restored.keys.list()),
    [{ kid: 1 }],
    'a key that is neither available nor used is forgotten',
  )
  t.same(await wrongIn(restored), [])
  await restored.close()
})

test('the backup itself is not changed by a restore, and can be restored again', async (t) => {
  const [dir, target] = [temporaryDir(t), temporaryDir(t)]
  const database = await open(dir)
  await addFolder(database)
  await database.close()
  const file = join(target, 'b')
  expectOk(await backUpDatabase({ dataDir: dir, file, nowMicros }))
  const before = readFileSync(file)
  for (const place of ['one', 'other']) {
    const dataDir = join(target, place)
    const checkKeys = () => ok([1])
    expectOk(
      await restoreDatabase({ file, dataDir, nowMicros, keepLimited: false, keepTokens: false, checkKeys }),
    )
    t.ok(before.equals(readFileSync(file)))
  }
  const db = new Sqlite(file, { readonly: true })
  t.match(contentsOf(db, nowMicros), { accounts: 1, folders: 1, kids: [1] })
  db.close()
})

/** A backup of secrets with and without limit, drafts, and tokens that are usable, expired and revoked. */
async function backupOfAll(t: Test) {
  const [dir, target] = [temporaryDir(t), temporaryDir(t)]
  const database = await open(dir)
  const { make, folder } = await addFolder(database)
  const limited = make.secret(folder, nowMicros - 1, { openLimit: 3 })
  const unlimited = make.secret(folder, nowMicros - 2)
  const expired = make.secret(folder, 0, { openLimit: 3 })
  const draft = make.draft(folder, { openLimit: 1 })
  for (const secret of [limited, unlimited, expired, draft])
    expectOk(await database.secrets.insert(secret, make.note()))
  const usable = [make.accessToken(folder.accountId, { expiresAtMicros: nowMicros + 1 })]
  usable.push(make.accessToken(folder.accountId))
  const unusable = [
    make.accessToken(folder.accountId, { expiresAtMicros: nowMicros }),
    make.accessToken(folder.accountId, { revokedAtMicros: 5 }),
  ]
  for (const token of [...usable, ...unusable])
    expectOk(await database.accessTokens.insert(token, make.tokenDigest()))
  await database.close()
  const file = join(target, 'b')
  expectOk(await backUpDatabase({ dataDir: dir, file, nowMicros }))
  return { file, dataDir: join(target, 'data'), folder, limited, unlimited, expired, draft, usable, unusable }
}

test('a restore keeps notes with an open limit and tokens when it is told to', async (t) => {
  const { file, dataDir, limited } = await backupOfAll(t)
  const checkKeys = () => ok([1])
  const choices = { keepLimited: true, keepTokens: true }
  const restored = expectOk(await restoreDatabase({ file, dataDir, nowMicros, checkKeys, ...choices }))
  t.match(restored, { destroyedNotes: 0, revokedTokens: 0, erasedSecrets: 1 })
  const database = await open(dataDir)
  t.ok(await noteBehind(database, limited.link.lookup))
  await database.close()
})

// Promise (The owner's pages): A restore brings back no session and no one-time link
test('a restore forgets sessions, one-time links, attempts to sign in and known addresses, and keeps passwords', async (t) => {
  const [dir, target] = [temporaryDir(t), temporaryDir(t)]
  const database = await open(dir)
  const { make, folder } = await addFolder(database)
  const { accountId } = folder
  const [first, second, session, bucket] = [0, 1, 2, 3].map(() => make.tokenDigest())
  const password = make.password(accountId)
  const spending = {
    nowMicros: noonMicros,
    password,
    session: make.session(accountId),
    sessionDigest: session!,
  }
  expectOk(await database.invitations.replace(make.invitation(accountId), first!))
  expectOk(await database.invitations.spend(first!, spending))
  expectOk(await database.invitations.replace(make.invitation(accountId), second!))
  expectOk(await database.emailChanges.replace(make.emailChange(accountId), make.tokenDigest()))
  const wrong = { ...noAttempts, wrongTotal: 1 }
  const counted = { buckets: [{ attempts: wrong, eraseAtMicros: nowMicros * 2 }] }
  expectOk(await database.signIns.update([bucket!], () => ok(counted)))
  const known = { accountId, address: bucket!, atMicros: nowMicros }
  expectOk(await database.signIns.rememberAddress(known, 10))
  await database.close()
  const [file, dataDir] = [join(target, 'b'), join(target, 'data')]
  expectOk(await backUpDatabase({ dataDir: dir, file, nowMicros }))
  const checkKeys = () => ok([1])
  const choices = { keepLimited: true, keepTokens: true }
  expectOk(await restoreDatabase({ file, dataDir, nowMicros, checkKeys, ...choices }))

  const backup = new Sqlite(file, { readonly: true })
  const restored = new Sqlite(join(dataDir, 'sotto.sqlite'))
  for (const table of ['sessions', 'welcomes', 'email_changes', 'sign_in_attempts', 'known_addresses']) {
    const count = `SELECT count(*) FROM ${table}`
    t.equal(backup.prepare(count).pluck().get(), 1, `the backup has a row of ${table}`)
    t.equal(restored.prepare(count).pluck().get(), 0, `the database has no row of ${table}`)
  }
  for (const db of [backup, restored]) db.close()
  const again = await open(dataDir)
  t.equal(expectOk(await again.passwords.find(accountId))?.id, password.id)
  await again.close()
})

test('no event and no delivery is in any file after a restore, and webhooks are back, with no failure yet', async (t) => {
  const [dir, target] = [temporaryDir(t), temporaryDir(t)]
  const database = await open(dir)
  const { make, accountId, put, add } = await openQueue(database)
  const webhook = make.webhook(accountId, { failingSinceMicros: 5 })
  expectOk(await database.webhooks.insert(webhook, 5))
  const [event, distributed] = [make.event(accountId), make.event(accountId)]
  await put(event)
  const mine = { kind: 'webhook', accountId, webhookId: webhook.id } as const
  await add(make.delivery(distributed, { target: mine }))
  await database.close()
  const needles = [event, distributed].map(({ id }) => id.replaceAll('-', ''))
  const [file, dataDir] = [join(target, 'b'), join(target, 'data')]
  expectOk(await backUpDatabase({ dataDir: dir, file, nowMicros }))
  t.same(survivingBytes(target, needles), needles, 'the backup has them')
  const choices = { keepLimited: true, keepTokens: true, checkKeys: () => ok([1]) }
  expectOk(await restoreDatabase({ file, dataDir, nowMicros, ...choices }))
  t.same(survivingBytes(dataDir, needles), [])
  const restored = await open(dataDir)
  t.match(expectOk(await restored.deliveries.state()), { events: 0, waiting: 0, dead: 0 })
  t.equal(expectOk(await restored.deliveries.nextDue('webhook')), undefined)
  const [{ endpoint, ...rest }] = expectOk(await restored.webhooks.list(accountId)) as [StoredWebhook]
  t.same({ ...rest, endpoint: undefined }, { ...webhook, failingSinceMicros: undefined, endpoint: undefined })
  t.ok(Buffer.from(webhook.endpoint.ciphertext).equals(endpoint.ciphertext))
  await restored.close()
})
