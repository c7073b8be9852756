// Measures what the layers cost: the processor time of a request of the built server, and of a program without layers that gives the
// same answers with the same promises (ceilings/straight-line), at 64 connections. Fails before it measures when the answers, or the lines of
// the log, are not the same.
//
//   npm run bench straight                    less than four minutes
//   npm run bench straight -- --postgres      the same on PostgreSQL, without the time of PostgreSQL itself
//   npm run bench straight -- --smoke         a few seconds: only checks that everything runs
//   npm run bench straight -- --also SOTTO.JS another built server in the same rounds, to measure a change
//
//   --write (into lab/performance.md, and the plot of docs/performance.md)
//   --processes N   --rounds N   --millis N   --warm N (milliseconds of each process)   --only NAME[,NAME…]   --noBuild
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { hasFlag, optionsFrom } from '../campaigns/support/command.ts'
import { packagedPrograms, startServer as startPostgres } from '../../packages/adapter-postgres/test/support/server.ts' // prettier-ignore
import { startGenerator } from './load/load.ts'
import { garbageSettings, measureGarbage } from './measure/garbage.ts'
import { measureStraight, straightKinds, type StraightSubject } from './measure/straight.ts'
import { ensureSameAnswers } from './measure/same-answers.ts'
import { buildServer } from './processes/build.ts'
import { startServer, startStraightLine } from './processes/servers.ts'
import { say } from './report/options.ts'
import { machine } from './report/machine.ts'
import { straightReportOf } from './report/straight-tables.ts'
import { writeStraightReport } from './report/write.ts'
import { makeStore } from './stores/store.ts'

const smoke = hasFlag('smoke')
const { processes, rounds, millis, warm, only, also, postgres, noBuild, write } = optionsFrom({
  smoke,
  processes: smoke ? 1 : 3,
  rounds: smoke ? 1 : 5,
  millis: smoke ? 60 : 1_000,
  warm: smoke ? 80 : 8_000,
  only: straightKinds.join(),
  also: '',
  postgres: false,
  noBuild: false,
  write: false,
})

const kinds = straightKinds.filter((kind) => only.split(',').includes(kind))
if (!noBuild) buildServer()
const before = loadavg()[0] ?? NaN
const directory = mkdtempSync(join(tmpdir(), 'sotto-bench-straight-'))
const database = postgres ? await startPostgres(packagedPrograms(), ['shared_buffers=512MB']) : undefined
const generator = startGenerator()
try {
  say('comparing the answers')
  const newSettings = async () =>
    database === undefined ? {} : { SOTTO_DATABASE_URL: await database.newDatabase() }
  await ensureSameAnswers(join(directory, 'compared'), await newSettings())
  say('making the store')
  const origin = join(directory, 'store')
  const settings = await newSettings()
  const store = await makeStore({ directory: origin, settings, secrets: 0, lists: [0, smoke ? 50 : 1_000] })
  const started = async (title: string, start: (directory: string) => ReturnType<typeof startServer>) => {
    const own = join(directory, title.replaceAll('/', ' '))
    // Each subject has a copy of the same data on SQLite; on PostgreSQL they take turns on one database.
    if (database === undefined) cpSync(origin, own, { recursive: true })
    const { port, pid, stop } = await start(database === undefined ? own : origin)
    return { title, port, pid, stop } satisfies StraightSubject & { stop: unknown }
  }
  const startAll = async (more: Readonly<Record<string, string>> = {}) => {
    const options = { freeOfQuota: true, settings: { ...settings, ...more } }
    const subjects = [
      await started('Sotto', (own) => startServer({ ...options, directory: own })),
      await started('straight line', (own) => startStraightLine({ ...options, directory: own })),
    ]
    if (also === '') return subjects
    const program = resolve(also)
    return [...subjects, await started(also, (own) => startServer({ ...options, directory: own, program }))]
  }
  const stopAll = async (subjects: Awaited<ReturnType<typeof startAll>>) => {
    await Promise.all(subjects.map(({ stop }) => stop()))
    for (const { title } of subjects)
      rmSync(join(directory, title.replaceAll('/', ' ')), { recursive: true, force: true })
  }
  const samples = []
  for (let nr = 1; nr <= processes; nr += 1) {
    const subjects = await startAll()
    say(`process ${nr} of ${processes} each: warming up`)
    try {
      samples.push(...(await measureStraight(subjects, { generator, store, kinds, rounds, millis, warm })))
    } finally {
      await stopAll(subjects)
    }
  }
  say('adding up the garbage')
  const garbage = []
  const metered = garbageSettings(directory)
  const subjects = await startAll(metered)
  const file = metered.BENCH_GARBAGE
  for (const kind of kinds)
    for (const subject of subjects) {
      const kib = await measureGarbage(subject, { generator, store, kind, millis: smoke ? 200 : 1_000, file })
      garbage.push({ title: subject.title, kind, kib })
    }
  await stopAll(subjects)
  if (smoke) say('everything runs')
  else {
    const date = new Date().toISOString().slice(0, 10)
    const loads = [before, loadavg()[0] ?? NaN] as const
    const run = { machine: machine(), date, rounds, millis, warm, loads, samples, garbage }
    if (write) writeStraightReport(run, postgres ? 'PostgreSQL' : 'SQLite')
    else console.log(straightReportOf(run))
  }
} finally {
  generator.stop()
  await database?.stop()
  rmSync(directory, { recursive: true, force: true })
}
