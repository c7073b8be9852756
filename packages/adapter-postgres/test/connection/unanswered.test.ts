import { setTimeout as pause } from 'node:timers/promises'
import { after, test } from 'tap'
import { createPool } from '../../src/connection/pool.ts'
import { poolOptions } from '../support/raw.ts'
import { query, rowsOf, startServer } from '../support/server.ts'

const server = await startServer()
after(() => server.stop())

// Promise (On PostgreSQL): While no standby confirms commits, attempts that are given up leave no backend behind
test('commits that wait for a standby and are given up leave no backend behind', async (t) => {
  const url = await server.newDatabase()
  await query(url, 'CREATE TABLE numbers (nr bigint)')
  const waiting = async () =>
    Number((await rowsOf(url, `SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`))[0]?.[0])
  const until = async (isReached: () => Promise<boolean>, text: string): Promise<void> => {
    const endMillis = performance.now() + 30_000
    while (!(await isReached())) {
      if (performance.now() > endMillis) return void t.fail(text)
      await pause(20)
    }
  }
  await query(url, `ALTER SYSTEM SET synchronous_standby_names = 'nobody'`)
  await query(url, 'SELECT pg_reload_conf()')
  await until(
    async () => (await rowsOf(url, 'SHOW synchronous_standby_names'))[0]?.[0] === 'nobody',
    'the setting is not read',
  )

  let reached = 0
  const commit = async (to: string, limitMillis: number) => {
    const pool = createPool({ ...poolOptions(to), onError: () => undefined })
    t.teardown(() => pool.close())
    return pool.withConnection(async (connection) => {
      await connection.command('BEGIN')
      await connection.changes({ name: 'insert', text: 'INSERT INTO numbers VALUES (1)' })
      const givenUp = new AbortController()
      const committed = connection.command('COMMIT', limitMillis)
      committed.catch(() => givenUp.abort())
      let isSeen = false
      while (!isSeen && !givenUp.signal.aborted) isSeen = (await waiting()) > 0
      if (isSeen) reached += 1
      return committed
    })
  }
  for (const to of [url, server.socketUrlOf(url)]) {
    reached = 0
    // On a busy machine a commit may be given up before it was seen to wait: then another one gets more time.
    for (let limitMillis = 500; reached < 2; limitMillis *= 2)
      await t.rejects(commit(to, limitMillis), /timeout/i)
    await until(async () => (await waiting()) === 0, 'a backend waits on')
  }
})
