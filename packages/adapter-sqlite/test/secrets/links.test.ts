import { join } from 'node:path'
import { expectErr, expectOk, linkRecordOf } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { err, ok } from 'neverthrow'
import { test } from 'tap'
import { open, reportNothing, temporaryDir } from '../support/helpers.ts'
import { startHelper } from '../support/processes.ts'
import { addLink } from '../support/rows.ts'

const limit = 60

test('processes that claim opens of one link at the same time get exactly as many as its limit', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { secret } = await addLink(database, { openLimit: limit })
  const lookup = Buffer.from(secret.link.lookup).toString('hex')
  const helpers = await Promise.all([startHelper(t), startHelper(t)])
  const claimed = await Promise.all(helpers.map((helper) => helper.run('claimOpens', dir, lookup)))
  t.equal(claimed[0]! + claimed[1]!, limit)
  t.equal((await linkRecordOf(database, secret.link.lookup))?.state.opens, limit)
  await database.close()
})

test('reading first and writing later claims too many, so the test above can fail', async (t) => {
  const dir = temporaryDir(t)
  const databases = [await open(dir), await open(dir)] as const
  const { secret } = await addLink(databases[0], { openLimit: 1 })
  const { lookup } = secret.link
  const read = await Promise.all(databases.map((database) => linkRecordOf(database, lookup)))
  for (const [at, database] of databases.entries()) {
    const opens = read[at]!.state.opens
    t.equal(opens, 0)
    expectOk(await database.links.update(lookup, undefined, () => ok({ opens: opens + 1 })))
  }
  t.equal((await linkRecordOf(databases[0], lookup))?.state.opens, 1, 'though two have opened it')
  for (const database of databases) await database.close()
})

test('a decision that throws changes nothing, and its message is not passed on', async (t) => {
  const database = await open(temporaryDir(t))
  const { secret } = await addLink(database)
  const { lookup } = secret.link
  const thrown = expectErr(
    await database.links.update(lookup, undefined, () => {
      throw new RangeError('a confidential text')
    }),
  )
  t.match(thrown, { code: 'storage_failed', detail: /^RangeError/ })
  t.notMatch(JSON.stringify(thrown), 'confidential')
  const refused = await database.links.update(lookup, undefined, () => err({ code: 'no' as const }))
  t.same(expectErr(refused), { code: 'no' })
  t.equal((await linkRecordOf(database, lookup))?.state.opens, 0)
  await database.close()
})

test('a change and its events are stored together or not at all', async (t) => {
  const database = await open(temporaryDir(t))
  const { make, secret } = await addLink(database)
  const { lookup } = secret.link
  const [first, second] = [make.event(secret.accountId), make.event(secret.accountId)]
  expectOk(await database.links.update(lookup, undefined, () => ok({ opens: 1, events: [first] })))
  t.same(expectOk(await database.outbox.page(undefined, 10)), [first])
  const repeated = { opens: 2, events: [second, first] }
  t.match(expectErr(await database.links.update(lookup, undefined, () => ok(repeated))), {
    code: 'storage_failed',
    detail: /^SQLITE_CONSTRAINT_PRIMARYKEY/,
  })
  t.equal((await linkRecordOf(database, lookup))?.state.opens, 1)
  t.same(expectOk(await database.outbox.page(undefined, 10)), [first])
  await database.close()
})

test('the forms of an expired secret are erased in small batches, and the secret with the last one', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { secret } = await addLink(database)
  const other = new Sqlite(join(dir, 'sotto.sqlite'))
  const add = other.prepare(
    'INSERT INTO opened_forms (nr, form_id) SELECT nr, randomblob(16) FROM secrets WHERE lookup = ?',
  )
  other.transaction(() => {
    for (let form = 0; form < 4_500; form += 1) add.run(secret.link.lookup)
  })()
  t.equal(expectOk(await database.secrets.eraseExpired(Number.MAX_SAFE_INTEGER, 50, reportNothing)), 1)
  t.equal(other.prepare('SELECT count(*) FROM opened_forms').pluck().get(), 0)
  other.close()
  await database.close()
})

test('every expired secret is erased, however long the notes are', async (t) => {
  const database = await open(temporaryDir(t))
  const { make, folder } = await addLink(database)
  for (let at = 0; at < 5; at += 1) {
    expectOk(await database.secrets.insert(make.secret(folder, at), make.note(600_000)))
  }
  t.equal(
    expectOk(
      await database.secrets.eraseExpired(make.secret(folder, 9).link.expiresAtMicros, 4, reportNothing),
    ),
    4,
  )
  t.equal(
    expectOk(
      await database.secrets.eraseExpired(make.secret(folder, 9).link.expiresAtMicros, 4, reportNothing),
    ),
    1,
  )
  t.equal(
    expectOk(
      await database.secrets.eraseExpired(make.secret(folder, 9).link.expiresAtMicros, 4, reportNothing),
    ),
    0,
  )
  await database.close()
})
