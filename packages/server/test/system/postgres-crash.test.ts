import { once } from 'node:events'
import t from 'tap'
import { startOwnPostgres, startPostgres } from '../support/postgres.ts'
import { callApi, callerOf, createSecret, openLink, untilStatus } from '../support/requests.ts'
import { spawnServer } from '../support/spawned.ts'

const many = { SOTTO_LIMIT_PER_MINUTE: '1000000', SOTTO_LIMIT_PER_DAY: '1000000' }

// Promise (On PostgreSQL): A crash of PostgreSQL loses nothing acknowledged
t.test('PostgreSQL crashes under load: all is answered, nothing acknowledged is lost', async (t) => {
  const postgres = await startOwnPostgres(t)
  const server = await spawnServer(t, { cwd: t.testdir(), env: { ...postgres.env, ...many } })
  const caller = callerOf(server)
  const statuses: number[] = []
  const acknowledged: string[] = []
  let isDown = false
  const keepCreating = async (): Promise<void> => {
    while (!isDown) {
      const fields = { label: `nr ${statuses.length}`, note: 'b', folder_id: caller.folderId }
      const answer = await callApi(caller, '/api/secret', fields)
      const { data } = (await answer.json()) as { data?: { link: { url: string } } }
      statuses.push(answer.status)
      if (answer.status === 201) acknowledged.push(new URL(data?.link.url ?? '').pathname)
    }
  }
  const creating = Array.from({ length: 24 }, keepCreating)
  while (acknowledged.length < 100) await new Promise(setImmediate)
  await postgres.crash()
  while (!statuses.includes(503)) await new Promise(setImmediate)
  isDown = true
  await Promise.all(creating)
  t.same([...new Set(statuses)].sort(), [201, 503])

  await postgres.restart()
  await untilStatus(`${server.baseUrl}/readyz`, 200)
  for (const path of acknowledged) t.equal((await openLink(server.baseUrl, path)).status, 200)
})

// Promise (On PostgreSQL): A crash of PostgreSQL loses nothing acknowledged: and gives no open twice
t.test('PostgreSQL crashes while one link is opened: no open is given twice', async (t) => {
  const postgres = await startOwnPostgres(t)
  const server = await spawnServer(t, { cwd: t.testdir(), env: { ...postgres.env, ...many } })
  const openLimit = 400
  const { path } = await createSecret(callerOf(server), { open_limit: openLimit })
  const count = new Map<number, number>()
  const open = async (): Promise<number> => {
    const { status } = await openLink(server.baseUrl, path)
    count.set(status, (count.get(status) ?? 0) + 1)
    return status
  }
  let isDown = false
  const keepOpening = async (): Promise<void> => {
    while (!isDown) await open()
  }
  const opening = Array.from({ length: 8 }, keepOpening)
  while ((count.get(200) ?? 0) < 40) await new Promise(setImmediate)
  await postgres.crash()
  while (!count.has(503)) await new Promise(setImmediate)
  isDown = true
  await Promise.all(opening)
  await postgres.restart()
  await untilStatus(`${server.baseUrl}/readyz`, 200)
  while ((await open()) === 200);
  const delivered = count.get(200) ?? 0
  t.ok(delivered <= openLimit, `${delivered} of ${openLimit}`)
  // A crash may cost the opens that were under way, one for each of the eight at most.
  t.ok(delivered >= openLimit - 8, `${delivered} of ${openLimit}`)
  t.same([...count.keys()].sort(), [200, 404, 503])
})

t.test(
  'SIGTERM lets requests that are under way on PostgreSQL end, and closes its connections',
  async (t) => {
    const postgres = await startPostgres()
    const server = await spawnServer(t, { cwd: t.testdir(), env: { ...postgres.env, ...many } })
    const caller = callerOf(server)
    const creating = Array.from({ length: 30 }, (_, at) =>
      callApi(caller, '/api/secret', { label: `nr ${at}`, note: 'b', folder_id: caller.folderId }),
    )
    await Promise.race(creating)
    server.child.kill('SIGTERM')
    const answers = await Promise.allSettled(creating)
    // A connection that the server has not yet accepted is refused; what it has accepted is answered.
    const statuses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.status] : []))
    t.ok(statuses.length > 0)
    t.same(
      [...new Set(statuses)].filter((status) => status !== 201 && status !== 503),
      [],
    )
    t.equal(await server.ended, 0)
    if (server.child.exitCode === null) await once(server.child, 'exit')
    t.notMatch(server.stderr(), /"level":(?:50|60)/)
  },
)

// Promise (On PostgreSQL): A server works again by itself once PostgreSQL does
t.test('/readyz is red while PostgreSQL is down, and green again without a restart', async (t) => {
  const postgres = await startOwnPostgres(t)
  const server = await spawnServer(t, { cwd: t.testdir(), env: postgres.env })
  const caller = callerOf(server)
  const secret = await createSecret(caller)
  t.equal((await fetch(`${server.baseUrl}/readyz`)).status, 200)
  await postgres.crash()
  await untilStatus(`${server.baseUrl}/readyz`, 503)
  t.equal((await fetch(`${server.baseUrl}/healthz`)).status, 200)
  const refused = await callApi(caller, '/api/secret', { label: 'a', note: 'b', folder_id: caller.folderId })
  t.equal(refused.status, 503)
  t.match(refused.headers.get('retry-after'), /^[1-9]/)
  await postgres.restart()
  await untilStatus(`${server.baseUrl}/readyz`, 200)
  t.equal((await openLink(server.baseUrl, secret.path)).status, 200)
  t.equal(server.child.exitCode, null)
})

// Promise (On PostgreSQL): /readyz is 503 while no standby confirms commits and while the server is read-only, and 200 again afterwards
t.test('/readyz is red while no standby confirms commits, and while the server is read-only', async (t) => {
  const postgres = await startOwnPostgres(t)
  const server = await spawnServer(t, { cwd: t.testdir(), env: postgres.env })
  const ready = `${server.baseUrl}/readyz`
  const set = async (setting: string): Promise<void> => {
    await postgres.query(`ALTER SYSTEM SET ${setting}`)
    await postgres.query('SELECT pg_reload_conf()')
  }
  await untilStatus(ready, 200)
  for (const [fault, mended] of [
    [`synchronous_standby_names = 'nobody'`, `synchronous_standby_names = ''`],
    ['default_transaction_read_only = on', 'default_transaction_read_only = off'],
  ] as const) {
    await set(fault)
    await untilStatus(ready, 503)
    await set(mended)
    await untilStatus(ready, 200)
  }
  t.equal(server.child.exitCode, null)
  await server.logged(/"msg":"the database: no standby receives its log/)
  t.pass('the log says what a failover loses')
})
