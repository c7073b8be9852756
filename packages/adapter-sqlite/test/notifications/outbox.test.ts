import { expectErr, expectOk, noonMicros } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { ok } from 'neverthrow'
import { join } from 'node:path'
import { test } from 'tap'
import { copyAsCrashed, open, temporaryDir } from '../support/helpers.ts'
import { openQueue } from '../support/queue.ts'
import { addLink } from '../support/rows.ts'

test('an event is in the files as soon as its change is acknowledged', async (t) => {
  const [dir, copy] = [temporaryDir(t), temporaryDir(t)]
  const database = await open(dir)
  const { make, secret } = await addLink(database)
  const event = make.event(secret.accountId, { opensLeft: 0 })
  const change = () => ok({ opens: 1, events: [event] })
  expectOk(await database.links.update(secret.link.lookup, undefined, change))
  copyAsCrashed(dir, copy, 'sotto.sqlite')
  await database.close()
  const after = await open(copy)
  t.same(expectOk(await after.outbox.page(undefined, 10)), [event])
  await after.close()
})

test('an open writes one row more with an event, and runs one statement more', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { make, secret } = await addLink(database, { notify: true })
  const { lookup } = secret.link
  const runs = await countRuns(async () => {
    expectOk(await database.links.update(lookup, undefined, () => ok({ opens: 1 })))
  })
  const events = [make.event(secret.accountId)]
  const runsWithEvent = await countRuns(async () => {
    expectOk(await database.links.update(lookup, undefined, () => ok({ opens: 2, events })))
  })
  t.equal(runsWithEvent - runs, 1)
  const none = await countRuns(async () => {
    expectOk(await database.links.update(lookup, undefined, () => ok({ opens: 3, events: [] })))
  })
  t.equal(none, runs)
  await database.close()
})

test('events whose deliveries cannot be stored stay where they are', async (t) => {
  const database = await open(temporaryDir(t))
  const { make, accountId, put, add, all } = await openQueue(database)
  const before = make.delivery(make.event(accountId))
  await add(before)
  const events = [make.event(accountId), make.event(accountId)] as const
  await put(...events)
  const deliveries = [make.delivery(events[0]), make.delivery(events[1], { id: before.id })]
  const distributed = events.map(({ id }, at) => ({ eventId: id, deliveries: [deliveries[at]!] }))
  t.match(expectErr(await database.outbox.distribute(distributed)), { code: 'storage_failed' })
  t.same(expectOk(await database.outbox.page(undefined, 10)), events)
  t.match(await all(), [before])
  await database.close()
})

test('rows of events and deliveries hold what was queued and nothing else', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { make, accountId, put, add } = await openQueue(database)
  const webhookId = make.uuid()
  const event = make.event(accountId, { opens: 3, opensLeft: 2, createdAtMicros: noonMicros })
  const target = { kind: 'webhook', accountId, webhookId } as const
  await add(make.delivery(event, { target, dueAtMicros: noonMicros + 5 }))
  await put(event)
  await database.close()
  const db = new Sqlite(join(dir, 'sotto.sqlite'))
  const bytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')
  const ids = {
    event_id: event.id,
    account_id: accountId,
    secret_id: event.secretId,
    folder_id: event.folderId,
  }
  const row = {
    ...Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, bytes(id)])),
    event_type: 'secret.opened',
    event_at: noonMicros,
    opens: 3,
    opens_left: 2,
    expires_at: event.expiresAtMicros,
  }
  t.same(db.prepare('SELECT * FROM outbox').all(), [row])
  const fresh = {
    count: 1,
    attempts: 0,
    last_failure: null,
    dead_at: null,
    is_head: 1,
    was_leased: 0,
    joins: 0,
  }
  t.match(db.prepare('SELECT * FROM deliveries').all(), [{ ...row, ...fresh, due_at: noonMicros + 5 }])
  t.same(db.prepare('SELECT kind, id, account_id, due_at, lease_id, leased_until FROM targets').all(), [
    {
      ...{ kind: 'webhook', id: bytes(webhookId), account_id: bytes(accountId) },
      ...{ due_at: noonMicros + 5, lease_id: null, leased_until: null },
    },
  ])
  db.close()
})

/** How many prepared statements are executed while `run` runs. */
async function countRuns(run: () => Promise<void>): Promise<number> {
  let runs = 0
  const statement = Object.getPrototypeOf(new Sqlite(':memory:').prepare('SELECT 1')) as Sqlite.Statement
  const methods = { run: statement.run, get: statement.get, all: statement.all }
  for (const [name, method] of Object.entries(methods))
    Object.assign(statement, {
      [name](this: Sqlite.Statement, ...parameters: unknown[]) {
        runs += 1
        return method.apply(this, parameters)
      },
    })
  try {
    await run()
  } finally {
    Object.assign(statement, methods)
  }
  return runs
}
