// Measures the built server on PostgreSQL with 1, 2 and 4 processes, and the straight line beside it, and writes the results into
// lab/performance.md.
//
//   npm run bench postgres               about six minutes
//   npm run bench postgres -- --smoke    a few seconds: only checks that everything runs, and writes nothing
//
//   --rounds N   --millis N   --print (the table instead of the page)
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  packagedPrograms,
  startServer as startPostgres,
} from '../../packages/adapter-postgres/test/support/server.ts'
import { optionsFrom } from '../campaigns/support/command.ts'
import { startGenerator } from './load/load.ts'
import { measurePostgres, postgresScenarios, type PostgresMeasured } from './measure/postgres.ts'
import { buildServer } from './processes/build.ts'
import { startServer, startStraightLine } from './processes/servers.ts'
import { loadOptions, say } from './report/options.ts'
import { postgresReportOf, type PostgresRun } from './report/postgres-tables.ts'
import { writePostgresReport } from './report/write.ts'
import { makeStore } from './stores/store.ts'

const { smoke, rounds, millis, print } = optionsFrom({ ...loadOptions(), print: false })

buildServer()
const run: PostgresRun = { rounds, millis, measured: await measureAll() }
if (smoke) say('everything runs on PostgreSQL')
else if (print) console.log(postgresReportOf(run))
else writePostgresReport(run)

async function measureAll(): Promise<PostgresMeasured[]> {
  const directory = mkdtempSync(join(tmpdir(), 'sotto-bench-'))
  const postgres = await startPostgres(packagedPrograms(), ['shared_buffers=512MB'])
  const generator = startGenerator()
  const stopped: (() => Promise<void>)[] = []
  try {
    const settings = { SOTTO_DATABASE_URL: await postgres.newDatabase() }
    say('making the store')
    const store = await makeStore({ directory, settings, secrets: 0, lists: [0, smoke ? 50 : 1000] })
    const server = { directory, freeOfQuota: true, settings }
    const servers = []
    const straights = []
    for (let nr = 0; nr < 4; nr += 1) {
      servers.push(await startServer(server))
      straights.push(await startStraightLine(server))
    }
    stopped.push(...[...servers, ...straights].map(({ stop }) => stop))
    const scenarios = postgresScenarios({ straights, servers, store })
    return await measurePostgres(scenarios, { generator, rounds, millis, say })
  } finally {
    generator.stop()
    await Promise.all(stopped.map((stop) => stop()))
    await postgres.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
