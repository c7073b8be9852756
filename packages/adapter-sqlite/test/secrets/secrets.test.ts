import { join } from 'node:path'
import { openTimesMax, subjectOf, type StoredShareableSecret } from '@sotto/core'
import { expectErr, expectOk, linkRecordOf, noonMicros, noteBehind } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { ok } from 'neverthrow'
import { test, type Test } from 'tap'
import { open, temporaryDir } from '../support/helpers.ts'
import { addFolder, addLink, type AddedLink } from '../support/rows.ts'

test('open times are stored in the row of the secret, the latest hundred, whatever bytes they have', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { secret } = await addLink(database)
  const { accountId, id, link } = secret
  // Zero bytes, the highest ones, and bytes that are no UTF-8.
  const odd = [0, 1, 255, 65_280, Number.MAX_SAFE_INTEGER, 0x00c3_28ff_fe80, -1]
  const times = [...odd, ...Array.from({ length: openTimesMax }, (_, at) => noonMicros + at)]
  const stored = async () => expectOk(await database.secrets.activity(accountId, id))?.openedAtMicros
  t.same(await stored(), [])
  for (const [at, openedAtMicros] of times.entries()) {
    expectOk(await database.links.update(link.lookup, undefined, () => ok({ opens: at + 1, openedAtMicros })))
    if (at === odd.length - 1) t.same(await stored(), odd)
  }
  t.same(await stored(), times.slice(-openTimesMax))
  const file = new Sqlite(join(dir, 'sotto.sqlite'), { readonly: true })
  t.equal(file.prepare('SELECT length(open_times) FROM secrets').pluck().get(), 8 * openTimesMax)
  file.close()
  await database.close()
})

/** What opens of a secret leave: the forms that have claimed one, and tickets. */
const remembered = {
  opened_forms:
    'INSERT INTO opened_forms (nr, form_id) SELECT nr, randomblob(16) FROM secrets WHERE lookup = ?',
  file_tickets: `INSERT INTO file_tickets (digest, secret_id, account_id, expires_at, sealed)
    SELECT randomblob(32), id, account_id, 1, randomblob(1000) FROM secrets WHERE lookup = ?`,
}

function addRemembered(t: Test, dir: string, { secret }: AddedLink, count: number): Sqlite.Database {
  const file = new Sqlite(join(dir, 'sotto.sqlite'))
  t.teardown(() => file.close())
  for (const text of Object.values(remembered)) {
    const add = file.prepare(text)
    file.transaction(() => {
      for (let nr = 0; nr < count; nr += 1) add.run(secret.link.lookup)
    })()
  }
  return file
}

test('a secret that was opened often is destroyed in small batches, and its note with the first one', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const added = await addLink(database)
  const { secret } = added
  const file = addRemembered(t, dir, added, 4_500)
  const counts = Object.keys(remembered).map((table) => `(SELECT count(*) FROM ${table})`)
  const rows = file.prepare<[], number>(`SELECT ${counts.join(' + ')}`).pluck()
  t.equal(rows.get(), 9_000)
  const erasing = database.secrets.erase(secret.accountId, secret.id)
  const seen: number[] = [rows.get()!]
  while (rows.get()! > 0) {
    expectOk(await database.upkeep.canWrite())
    seen.push(rows.get()!)
    t.equal(await noteBehind(database, secret.link.lookup), undefined, 'its link finds nothing')
  }
  const most = Math.max(...seen.slice(1).map((count, at) => seen[at]! - count))
  t.ok(most <= 2 * 2_000, `another write waits for the erasure of ${most} rows at most`)
  t.equal(expectOk(await erasing), true)
  t.equal(await linkRecordOf(database, secret.link.lookup), undefined)
  t.equal(expectOk(await database.secrets.erase(secret.accountId, secret.id)), false)
  await database.close()
})

test('secrets that were never opened are reported once each, however many jobs their erasure takes', async (t) => {
  const database = await open(temporaryDir(t))
  const { make, folder } = await addFolder(database)
  const add = async (at: number, notify: boolean) => {
    const secret = make.secret(folder, at, { notify })
    expectOk(await database.secrets.insert(secret, make.note(600_000)))
    return secret
  }
  const heard = [await add(1, true), await add(2, true), await add(3, true), await add(4, true)]
  const [opened, silent] = [await add(5, true), await add(6, false)]
  expectOk(await database.links.update(opened.link.lookup, undefined, () => ok({ opens: 1 })))
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
  const heads = new Map(heard.map(({ id, headCiphertext }) => [id, hex(headCiphertext)]))
  const report = (secret: StoredShareableSecret) => {
    t.equal(hex(secret.headCiphertext), heads.get(secret.id), 'it is read before it is erased')
    return make.event(secret.accountId, { type: 'secret.expired_unopened', secretId: secret.id })
  }
  t.equal(expectOk(await database.secrets.eraseExpired(silent.link.expiresAtMicros, 50, report)), 6)
  t.same(
    expectOk(await database.outbox.page(undefined, 10)).map(subjectOf),
    heard.map(({ id }) => id),
  )
  await database.close()
})

test('a folder that another process erased is remembered as owned, and takes no secret', async (t) => {
  const dir = temporaryDir(t)
  const [one, other] = [await open(dir), await open(dir)]
  const { folder, make } = await addFolder(one)
  const { accountId, id } = folder
  t.equal(expectOk(await one.folders.owns(accountId, id)), true)
  t.equal(expectOk(await other.folders.erase(accountId, id, noonMicros)), true)
  t.match(expectErr(await one.secrets.insert(make.secret(folder), make.note())), { code: 'folder_not_found' })
  await Promise.all([one.close(), other.close()])
  t.match(expectErr(await one.folders.owns(accountId, id)), { reason: 'closed' })
})
