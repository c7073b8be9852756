import { subjectOf, type SecretEvent, type StoredShareableSecret } from '@sotto/core'
import { expectOk, noonMicros, type Samples } from '@sotto/test-kit'
import { ok } from 'neverthrow'
import pg from 'pg'
import { after, test } from 'tap'
import { run } from '../../src/engine/engine.ts'
import { eraseSecrets } from '../../src/secrets/erase-secrets.ts'
import { openStorage, startDatabases } from '../support/databases.ts'
import { createRecorder } from '../support/recorder.ts'
import { openDatabase } from '../support/raw.ts'
import { addSampleFolder } from '../support/sample-folder.ts'

const databases = await startDatabases()
after(() => databases.stop())

/** A storage with this many secrets that expired unopened, and a connection of another process. */
async function expiredSecrets(count: number) {
  const { url, giveBack } = await databases.take()
  const storage = await openStorage(url)
  const { make, folder } = await addSampleFolder(storage)
  const secrets = Array.from({ length: count }, (_, at) => make.secret(folder, at, { notify: true }))
  for (const secret of secrets) expectOk(await storage.secrets.insert(secret, make.note()))
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  const end = async (): Promise<void> => {
    await other.end()
    await storage.close()
    giveBack()
  }
  return { url, storage, make, secrets, other, end }
}

test('a secret that is opened while expired ones are erased is erased as well, and not reported as unopened', async (t) => {
  const { storage, make, secrets, other, end } = await expiredSecrets(5)
  const opened = secrets[2]!.id
  await other.query('BEGIN')
  await other.query('UPDATE secrets SET opens = 1, version = version + 1 WHERE id = $1', [opened])
  const reported: string[] = []
  const erased = storage.secrets.eraseExpired(noonMicros, 100, (secret) => {
    reported.push(secret.id)
    return eventOf(make, secret)
  })
  await untilWaiting(other)
  await other.query('COMMIT')
  t.same(expectOk(await erased), 5, 'all are erased')
  const unopened = secrets.map(({ id }) => id).filter((id) => id !== opened)
  t.same(reported.toSorted(), unopened.toSorted(), 'the unopened ones are reported')
  const events = expectOk(await storage.outbox.page(undefined, 10))
  t.same(events.map(subjectOf).toSorted(), unopened.toSorted(), 'and are in the outbox')
  await end()
})

test('eraseExpired erases all that it can before it waits for a secret that another process holds', async (t) => {
  const { storage, make, secrets, other, end } = await expiredSecrets(5)
  await other.query('BEGIN')
  await other.query('SELECT 1 FROM secrets WHERE id = $1 FOR UPDATE', [secrets[0]!.id])
  const erased = storage.secrets.eraseExpired(noonMicros, 100, (secret) => eventOf(make, secret))
  await untilWaiting(other)
  const { rows } = await other.query<{ id: string }>('SELECT id FROM secrets')
  t.same(rows, [{ id: secrets[0]!.id }], 'only the held one is left')
  await other.query('COMMIT')
  t.same(expectOk(await erased), 5)
  await end()
})

test('more expired secrets than one transaction erases are erased by one call, each reported once', async (t) => {
  const { storage, make, secrets, end } = await expiredSecrets(230)
  const reported: string[] = []
  const erased = await storage.secrets.eraseExpired(noonMicros, 225, (secret) => {
    reported.push(secret.id)
    return eventOf(make, secret)
  })
  t.same(expectOk(erased), 225)
  t.same(reported.length, new Set(reported).size)
  t.same(
    reported.toSorted(),
    secrets.slice(0, 225).map(({ id }) => id),
    'the oldest',
  )
  await end()
})

test('a secret that was opened more often than one transaction erases is erased with all forms and tickets', async (t) => {
  const { storage, secrets, other, end } = await expiredSecrets(2)
  const [{ accountId, id }, kept] = [secrets[0]!, secrets[1]!]
  for (const add of [addForms, addTickets]) {
    await add(other, id, 25_000)
    await add(other, kept.id, 3)
  }
  t.same(expectOk(await storage.secrets.erase(accountId, id)), true)
  for (const table of ['opened_forms', 'file_tickets']) {
    const { rows } = await other.query(`SELECT secret_id FROM ${table}`)
    t.same(rows, Array(3).fill({ secret_id: kept.id }), table)
  }
  await end()
})

test('while forms remain, the note is destroyed and the secret stays', async (t) => {
  const { sql, statements } = createRecorder(10_000)
  t.same(await run(sql, eraseSecrets(['an id'])), false)
  t.same(
    statements.map(({ text }) => text.slice(0, 24)),
    ['DELETE FROM opened_forms', 'UPDATE secrets SET wrap '],
  )
})

test('while tickets remain, the note is destroyed and the secret stays', async (t) => {
  const { url, storage, secrets, other, end } = await expiredSecrets(1)
  const { id } = secrets[0]!
  await addTickets(other, id, 10_001)
  const db = openDatabase(url)
  const erase = async () =>
    expectOk(await db.transaction(async (sql) => ok(await run(sql, eraseSecrets([id])))))
  t.same(await erase(), false)
  const left = 'SELECT note IS NULL AS bare, (SELECT count(*)::int FROM file_tickets) AS tickets FROM secrets'
  t.same((await other.query(left)).rows, [{ bare: true, tickets: 1 }])
  t.same(await erase(), true)
  t.same((await other.query(left)).rows, [])
  t.same(expectOk(await storage.upkeep.countRows()).secrets, 0)
  await db.close()
  await end()
})

function eventOf(make: Samples, { accountId, id, folderId, link }: StoredShareableSecret): SecretEvent {
  const { expiresAtMicros } = link
  const about = { secretId: id, folderId, opens: 0, createdAtMicros: expiresAtMicros, expiresAtMicros }
  return make.event(accountId, { type: 'secret.expired_unopened', ...about })
}

async function addForms(client: pg.Client, secretId: string, count: number): Promise<void> {
  await client.query(
    `INSERT INTO opened_forms SELECT $1::uuid, ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid
     FROM generate_series(1, $2::int) n`,
    [secretId, count],
  )
}

async function addTickets(client: pg.Client, secretId: string, count: number): Promise<void> {
  await client.query(
    `INSERT INTO file_tickets (digest, secret_id, account_id, expires_at, sealed)
     SELECT sha256(($1::text || n)::bytea), $1::uuid, $1::uuid, 1, '' FROM generate_series(1, $2::int) n`,
    [secretId, count],
  )
}

/** Until a statement waits for a row that `other` holds. */
async function untilWaiting(other: pg.Client): Promise<void> {
  const waiting = `SELECT 1 FROM pg_stat_activity
    WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid)) AND datname = current_database()`
  while ((await other.query(waiting)).rowCount === 0) continue
}
