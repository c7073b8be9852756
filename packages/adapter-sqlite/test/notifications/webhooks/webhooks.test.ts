import { expectOk, noonMicros } from '@sotto/test-kit'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { open, temporaryDir, wrongIn } from '../../support/helpers.ts'
import { openQueue } from '../../support/queue.ts'

/** Secrets, with as many messages about each as no batch is a multiple of. */
const secrets = 200
const messages = 11

/** How many messages to the webhook are left, and of how many secrets the first message that waits is not the one to be sent next. */
const stateSql = `
  SELECT (SELECT count(*) FROM deliveries),
    (SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE dead_at IS NULL GROUP BY secret_id
      HAVING sum(is_head) <> 1 OR min(iif(is_head, event_at, NULL)) <> min(event_at)))`

test('a webhook with many messages is erased in small transactions that leave every secret’s messages in order', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { make, accountId, add } = await openQueue(database)
  const webhook = make.webhook(accountId)
  expectOk(await database.webhooks.insert(webhook, 5))
  const target = { kind: 'webhook', accountId, webhookId: webhook.id } as const
  for (let secret = 0; secret < secrets; secret += 1) {
    const secretId = make.uuid()
    const about = Array.from({ length: messages }, (_, at) =>
      make.delivery(make.event(accountId, { secretId, createdAtMicros: noonMicros + at }), { target }),
    )
    await add(...about)
  }
  const file = new Sqlite(join(dir, 'sotto.sqlite'), { readonly: true })
  const state = file.prepare<[], [left: number, outOfOrder: number]>(stateSql).raw()
  t.same(state.get(), [secrets * messages, 0])

  const erasing = { isDone: false }
  const erased = database.webhooks.erase(accountId, webhook.id).then((result) => {
    erasing.isDone = true
    return expectOk(result)
  })
  const seen = [secrets * messages]
  while (!erasing.isDone) {
    expectOk(await database.upkeep.canWrite())
    const [left, outOfOrder] = state.get()!
    seen.push(left)
    t.equal(outOfOrder, 0)
  }
  t.equal(await erased, true)
  const most = Math.max(...seen.slice(1).map((count, at) => seen[at]! - count))
  t.ok(most <= 1_000, `another write waits for the erasure of ${most} messages at most`)
  for (const table of ['webhooks', 'targets', 'deliveries'])
    t.equal(file.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), 0, table)
  file.close()
  t.same(await wrongIn(database), [])
  t.equal(expectOk(await database.webhooks.erase(accountId, webhook.id)), false)
  await database.close()
})
