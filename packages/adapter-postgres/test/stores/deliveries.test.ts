import { expectOk } from '@sotto/test-kit'
import pg from 'pg'
import { after, test } from 'tap'
import { besideTransaction } from '../support/blocking.ts'
import { openStorage, startDatabases } from '../support/databases.ts'
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

test('a target whose last dead delivery is erased goes, also when another process erased the oldest first', async (t) => {
  const { url, giveBack } = await databases.take()
  const storage = await openStorage(url)
  t.teardown(async () => {
    await storage.close()
    giveBack()
  })
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
