import Sqlite from 'better-sqlite3'
import { join } from 'node:path'
import { err, ok } from 'neverthrow'
import { test } from 'tap'
import { errOf, okOf, open, temporaryDir } from './helpers.ts'
import { startHelper } from './processes.ts'
import { addLink } from './rows.ts'

const limit = 60

test('processes that claim opens of one link at once get exactly as many as there are', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { secret } = await addLink(database)
  const lookup = Buffer.from(secret.link.lookup).toString('hex')
  const helpers = await Promise.all([startHelper(t), startHelper(t)])
  const claimed = await Promise.all(helpers.map((helper) => helper.run('claimOpens', dir, lookup, limit)))
  t.equal(claimed[0]! + claimed[1]!, limit)
  t.equal((await okOf(database.links.find(secret.link.lookup)))?.state.opens, limit)
  await database.close()
})

test('reading first and writing later delivers too often, so the test above can fail', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { secret } = await addLink(database)
  const lookup = Buffer.from(secret.link.lookup).toString('hex')
  const helpers = await Promise.all([startHelper(t), startHelper(t)])
  const claimed = await Promise.all(
    helpers.map((helper) => helper.run('claimOpensByReading', dir, lookup, limit)),
  )
  t.ok(claimed[0]! + claimed[1]! > limit, `${claimed.join(' and ')} of ${limit} were delivered`)
  await database.close()
})

test('a decision that fails after the fact changes nothing, and what it quoted is not told', async (t) => {
  const database = await open(temporaryDir(t))
  const { secret } = await addLink(database)
  const { lookup } = secret.link
  const thrown = await errOf(
    database.links.update(lookup, undefined, () => {
      throw new RangeError('a confided text')
    }),
  )
  t.match(thrown, { code: 'storage_failed', detail: /^RangeError/ })
  t.notMatch(JSON.stringify(thrown), 'confided')
  t.same(await errOf(database.links.update(lookup, undefined, () => err({ code: 'no' as const }))), {
    code: 'no',
  })
  t.equal((await okOf(database.links.find(lookup)))?.state.opens, 0)
  await database.close()
})

test('more opens than the limit cannot be written, whoever decides so', async (t) => {
  const database = await open(temporaryDir(t))
  const { make, folder } = await addLink(database)
  const secret = make.secret(folder, undefined, { openLimit: 2 })
  await okOf(database.secrets.insert(secret, make.note()))
  const { lookup } = secret.link
  await okOf(database.links.update(lookup, undefined, () => ok({ opens: 2 })))
  t.match(await errOf(database.links.update(lookup, undefined, () => ok({ opens: 3 }))), {
    code: 'storage_failed',
    detail: /^SQLITE_CONSTRAINT_CHECK/,
  })
  t.equal((await okOf(database.links.find(lookup)))?.state.opens, 2)
  await database.close()
})

test('the forms of an expired secret go in small bites, and with them the secret', async (t) => {
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
  t.equal(await okOf(database.secrets.eraseExpired(Number.MAX_SAFE_INTEGER, 50)), 1)
  t.equal(other.prepare('SELECT count(*) FROM opened_forms').pluck().get(), 0)
  other.close()
  await database.close()
})

test('erasing takes every expired secret, however long the notes are', async (t) => {
  const database = await open(temporaryDir(t))
  const { make, folder } = await addLink(database)
  for (let at = 0; at < 5; at += 1) {
    await okOf(database.secrets.insert(make.secret(folder, at), make.note(600_000)))
  }
  t.equal(await okOf(database.secrets.eraseExpired(make.secret(folder, 9).link.expiresAtMicros, 4)), 4)
  t.equal(await okOf(database.secrets.eraseExpired(make.secret(folder, 9).link.expiresAtMicros, 4)), 1)
  t.equal(await okOf(database.secrets.eraseExpired(make.secret(folder, 9).link.expiresAtMicros, 4)), 0)
  await database.close()
})
