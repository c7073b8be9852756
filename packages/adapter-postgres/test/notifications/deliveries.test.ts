import type { FullOpenStorage } from '@sotto/identity'
import { expectOk, noonMicros } from '@sotto/test-kit'
import pg from 'pg'
import { after, test, type Test } from 'tap'
import { besideTransaction } from '../support/blocking.ts'
import { openStorage, startDatabases } from '../support/databases.ts'
import { addSampleFolder } from '../support/sample-folder.ts'
import { query } from '../support/server.ts'

const databases = await startDatabases()
after(() => databases.stop())

const idOf = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

/** A webhook's target with one delivery that was given up. */
const targetWithDead = (number: number, deadAt: number): readonly string[] => [
  `INSERT INTO targets (kind, id, account_id) VALUES ('webhook', '${idOf(number)}', '${idOf(1)}')`,
  `INSERT INTO deliveries (id, target_kind, target_id, event_id, event_type, account_id, secret_id, folder_id, event_at, opens,
    expires_at, joins, due_at, dead_at) VALUES ('${idOf(number)}', 'webhook', '${idOf(number)}', '${idOf(number)}', 'secret.opened',
    '${idOf(1)}', '${idOf(1)}', '${idOf(1)}', 1, 1, 2, false, 1, ${deadAt})`,
]

async function targetsWithoutDeliveries(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const found = await client.query(
      'SELECT FROM targets t WHERE NOT EXISTS (SELECT FROM deliveries d WHERE d.target_id = t.id)',
    )
    return found.rowCount ?? 0
  } finally {
    await client.end()
  }
}

async function open(t: Test): Promise<{ url: string; storage: FullOpenStorage }> {
  const { url, giveBack } = await databases.take()
  const storage = await openStorage(url)
  t.teardown(async () => {
    await storage.close()
    giveBack()
  })
  return { url, storage }
}

test('a target whose last dead delivery is erased goes, also when another process erased the oldest first', async (t) => {
  const { url, storage } = await open(t)
  await query(url, [...targetWithDead(11, 1), ...targetWithDead(12, 2)].join('; '))
  const eraseFirst = [
    `SELECT 1 FROM targets WHERE id = '${idOf(11)}' FOR UPDATE`,
    `DELETE FROM targets WHERE id = '${idOf(11)}'`,
  ]
  expectOk(await besideTransaction(url, eraseFirst, () => storage.deliveries.eraseDead(10, 1)))
  t.equal(await targetsWithoutDeliveries(url), 0)
  expectOk(await storage.deliveries.eraseDead(10, 1))
  t.same(expectOk(await storage.deliveries.state()).dead, 0)
  t.equal(await targetsWithoutDeliveries(url), 0)
})

/** Adds an account. `add` puts an event of it into the outbox; `distribute` puts a delivery in its place. */
async function addAccount(url: string, storage: FullOpenStorage) {
  const { make, folder } = await addSampleFolder(storage)
  const add = async () => {
    const delivery = make.delivery(make.event(folder.accountId))
    const { event } = delivery
    await query(
      url,
      `INSERT INTO outbox (event_id, event_type, account_id, secret_id, folder_id, event_at, opens, expires_at)
       VALUES ('${event.id}', '${event.type}', '${event.accountId}', '${event.secretId}', '${event.folderId}', 1, 1, 2)`,
    )
    return {
      delivery,
      distribute: () => storage.outbox.distribute([{ eventId: event.id, deliveries: [delivery] }]),
    }
  }
  return { make, accountId: folder.accountId, add }
}

test('deliveries to an account whose erasure is beginning are not added', async (t) => {
  const { url, storage } = await open(t)
  const { accountId, add } = await addAccount(url, storage)
  const { distribute } = await add()
  const begin = `UPDATE accounts SET name_index = NULL WHERE id = '${accountId}'`
  t.equal(expectOk(await besideTransaction(url, [begin], distribute)), 1)
  t.match(expectOk(await storage.deliveries.state()), { events: 0, waiting: 0 })
})

const lockTargets = 'SELECT 1 FROM targets FOR UPDATE'

test('distributing to a target, and settling a delivery of it, wait for whoever has locked it; leasing does not', async (t) => {
  const { url, storage } = await open(t)
  const { make, add } = await addAccount(url, storage)
  const first = await add()
  expectOk(await first.distribute())
  const { kind } = first.delivery.target
  const nowMicros = Math.max(noonMicros, first.delivery.dueAtMicros)
  const lease = (id: string) =>
    storage.deliveries.lease({
      kind,
      ids: [id],
      nowMicros,
      untilMicros: nowMicros + 1_000_000,
      latestMicros: nowMicros + 3_600_000_000,
      perTarget: 5,
    })
  const second = await add()
  t.equal(expectOk(await besideTransaction(url, [lockTargets], second.distribute)), 1)

  const locker = new pg.Client({ connectionString: url })
  await locker.connect()
  await locker.query(`BEGIN; ${lockTargets}`)
  t.same(expectOk(await lease(make.uuid())), [], 'what is locked is left out')
  await locker.query('COMMIT')
  await locker.end()

  const [leased] = expectOk(await lease(make.uuid()))
  if (leased === undefined) throw new Error('nothing was leased')
  const settled = await besideTransaction(url, [lockTargets], () =>
    storage.deliveries.settle(leased, first.delivery.id, { outcome: 'done' }),
  )
  t.equal(expectOk(settled), true)
})
