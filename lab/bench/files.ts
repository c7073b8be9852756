// Measures files: uploads by form and downloads of the built server, beside the same bytes through bare Fastify to a file (ceilings/bare-files.ts),
// gets meanwhile, and memory.
//
//   npm run bench files                about two minutes
//   npm run bench files -- --postgres  the same on PostgreSQL, without the processor time of PostgreSQL itself
//   npm run bench files -- --smoke     a few seconds: only checks that everything runs
//
//   --write (into lab/performance.md)   --rounds N   --bytes N (of each file)   --millis N (of gets)   --noBuild
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '@sotto/system'
import { hasFlag, optionsFrom } from '../campaigns/support/command.ts'
import { packagedPrograms, startServer as startPostgres } from '../../packages/adapter-postgres/test/support/server.ts' // prettier-ignore
import { startGenerator } from './load/load.ts'
import { bareSubject, measureGets, measureTransfers, measureUploadMemory, sottoSubject, type UploadMemory } from './measure/files.ts' // prettier-ignore
import { buildServer } from './processes/build.ts'
import { canPin, startProgram } from './processes/program.ts'
import { startServer } from './processes/servers.ts'
import { filesReportOf } from './report/files-tables.ts'
import { machine } from './report/machine.ts'
import { say } from './report/options.ts'
import { writeFilesReport } from './report/write.ts'
import { makeStore } from './stores/store.ts'

const smoke = hasFlag('smoke')
const { rounds, bytes, millis, postgres, noBuild, write } = optionsFrom({
  smoke,
  rounds: smoke ? 1 : 3,
  bytes: smoke ? 1_000_000 : 100_000_000,
  millis: smoke ? 60 : 5_000,
  postgres: false,
  noBuild: false,
  write: false,
})
/** How many uploads there are at once while memory is measured, of which share of a file each. */
const memoryLoads = [[1, 0.1], [10, 0.1], [100, 0.1], [4, 1]] as const // prettier-ignore

if (!noBuild) buildServer()
// This process sends and receives the files. It runs on the processor that the servers do not use.
if (canPin) spawnSync('taskset', ['-acp', '1', String(process.pid)])
const before = loadavg()[0] ?? NaN
const directory = mkdtempSync(join(tmpdir(), 'sotto-bench-files-'))
const database = postgres ? await startPostgres(packagedPrograms(), ['shared_buffers=512MB']) : undefined
const generator = startGenerator()
try {
  say('making the store')
  const settings = {
    SOTTO_FILE_MAX_BYTES: '1000000000',
    SOTTO_FILES_MAX_BYTES: '100000000000',
    ...(database && { SOTTO_DATABASE_URL: await database.newDatabase() }),
  }
  // Once half of the places of uploads are taken, an account has six at most.
  const store = await makeStore({ directory, settings, secrets: 0, lists: [50], creators: 20 })
  const start = () => startServer({ directory, freeOfQuota: true, settings })
  const port = await findFreePort()
  const program = join(import.meta.dirname, 'ceilings/bare-files.ts')
  const args = [program, String(port), join(directory, 'bare')]
  const [server, bare] = [await start(), await startProgram({ args, processor: 0 })]
  const sotto = sottoSubject(server, store)
  say('transfers')
  const transfers = await measureTransfers([sotto, bareSubject({ ...bare, port })], { bytes, rounds })
  await bare.stop()
  say('gets beside uploads')
  const gets = await measureGets(sotto, { generator, store, millis, bytes, atOnce: 4 })
  await server.stop()
  const memory: UploadMemory[] = []
  for (const [atOnce, share] of memoryLoads) {
    say(`memory of ${atOnce} uploads`)
    const fresh = await start()
    memory.push(await measureUploadMemory(sottoSubject(fresh, store), { atOnce, bytes: bytes * share }))
    await fresh.stop()
  }
  const date = new Date().toISOString().slice(0, 10)
  const loads = [before, loadavg()[0] ?? NaN] as const
  const run = { machine: machine(), date, rounds, bytes, loads, transfers, gets, memory }
  if (smoke) say('everything runs')
  else if (write) writeFilesReport(run, postgres ? 'PostgreSQL' : 'SQLite')
  else console.log(filesReportOf(run))
} finally {
  generator.stop()
  await database?.stop()
  rmSync(directory, { recursive: true, force: true })
}
