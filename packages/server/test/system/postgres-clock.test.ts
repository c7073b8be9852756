import { join } from 'node:path'
import { findFreePort } from '@sotto/system'
import t from 'tap'
import { seriesOf } from '../support/metrics.ts'
import { startPostgres } from '../support/postgres.ts'
import { callApi, callerOf, createSecret } from '../support/requests.ts'
import { runSotto, spawnServer } from '../support/spawned.ts'

/** Loaded before the program: the wall clock of the machine is ten minutes ahead. */
const ahead = `const { now } = Date
Date.now = () => now() + 600_000
`

// Promise (On PostgreSQL): The database's clock decides, whatever the clocks of the servers show: and an offset is logged, measured and
// reported
t.test(
  'a server whose clock is ten minutes ahead counts by the clock of the database, and says so',
  async (t) => {
    const { env: database } = await startPostgres()
    const cwd = t.testdir({ 'ahead.mjs': ahead })
    const metricsPort = await findFreePort()
    const env = { ...database, SOTTO_METRICS_PORT: String(metricsPort) }
    const nodeArgs = ['--import', join(cwd, 'ahead.mjs')]
    const server = await spawnServer(t, { cwd, env, nodeArgs })
    await server.logged(
      /"level":50.*the clock of this machine is (?:9|10) minutes ahead of that of the database/,
    )

    const isNow = (millis: number): boolean => Math.abs(millis - Date.now()) < 60_000
    const caller = callerOf(server)
    const { id } = await createSecret(caller, {})
    const found = await callApi(caller, `/api/secret/${id}`)
    const { data } = (await found.json()) as { data: { created_at: string } }
    t.ok(isNow(Date.parse(data.created_at)), data.created_at)

    const scraped = seriesOf(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text())
    t.ok(Math.abs((scraped.get('sotto_clock_offset_seconds') ?? 0) + 600) < 5)

    const doctor = await runSotto(t, ['doctor'], { cwd, env, nodeArgs })
    t.match(
      doctor.stdout,
      /✗ clock: the clock of this machine is (?:9|10) minutes ahead of that of the database/,
    )
    t.equal(doctor.code, 1)
    t.match(
      (await runSotto(t, ['doctor'], { cwd, env })).stdout,
      /✓ clock: the last write was \d+ seconds? ago/,
    )
  },
)
