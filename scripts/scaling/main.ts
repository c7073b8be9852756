// Measures what docs/scaling.md computes with, on PostgreSQL, and simulates how processes compete for one row. Prints Markdown.
//
//     npm run simulate:scaling -- [--rows N] [--millis N]
import { cpus } from 'node:os'
import { startChild, type Child } from '../campaigns/support/child.ts'
import { numbersFrom } from '../campaigns/support/command.ts'
import { makePlace, openPlace, type Place } from '../campaigns/support/place.ts'
import { startPostgres } from '../campaigns/support/postgres.ts'
import { rowsOf } from '../../packages/adapter-postgres/test/support/server.ts'
import type { Installation } from '../../packages/server/src/index.ts'
import { expectOk } from '../../packages/test-kit/src/index.ts'
import type { LoadAnswer, LoadRequest } from './process.ts'
import { simulate, type Costs } from './simulate.ts'

const { rows, millis } = numbersFrom({ rows: 20_000, millis: 2_000 })
const inFlight = 64
const fewInFlight = 16
const database = await startPostgres()
const settings = await database.newSettings()
const url = settings['SOTTO_DATABASE_URL'] ?? ''
const place = makePlace(undefined, settings)
try {
  const installation = await openPlace(place)
  const token = await measureRows(installation)
  await installation.close()
  await compare('opens of one link', { kind: 'open', target: token, inFlight, millis })
  await compare('calls of one account', { kind: 'take', target: 'account', inFlight, millis })
} finally {
  place.remove()
  await database.stop()
}

/** Creates secrets and prints the bytes of each in every relation, and in the write-ahead log. Returns the token of a link. */
async function measureRows({ sotto }: Installation): Promise<string> {
  const { id: accountId } = expectOk(await sotto.createAccount({ email: 'ann@example.org' }))
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'Doors' }))
  const note = 'user: app\npassword: correct horse battery staple'
  const create = () => sotto.createSecret({ accountId, folderId, label: 'Database, staging', note })
  const [before = ''] = (await rowsOf(url, 'SELECT pg_current_wal_insert_lsn()'))[0] ?? []
  for (let made = 0; made < rows; made += 500)
    for (const created of await Promise.all(Array.from({ length: 500 }, create))) expectOk(created)
  const [wal = 0] =
    (await rowsOf(url, `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '${before}')`))[0] ?? []
  console.log(`${rows} secrets with a note of ${note.length} bytes\n\n| bytes a secret | |\n| --- | ---: |`)
  const relations = await rowsOf(
    url,
    `SELECT c.relname, pg_relation_size(c.oid) FROM pg_class c WHERE c.relname = 'secrets'
     OR c.oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'secrets'::regclass) ORDER BY c.relname`,
  )
  for (const [name = '', bytes = 0] of relations)
    console.log(`| ${name} | ${Math.round(Number(bytes) / rows)} |`)
  const [total = 0] = (await rowsOf(url, `SELECT pg_total_relation_size('secrets')`))[0] ?? []
  console.log(`| together | ${Math.round(Number(total) / rows)} |`)
  console.log(`| write-ahead log | ${Math.round(Number(wal) / rows)} |\n`)
  return expectOk(await create()).link.token
}

/** Measures 1, 2 and 4 processes, and simulates them with the costs of one. */
async function compare(title: string, request: LoadRequest): Promise<void> {
  const few = await measure(place, { ...request, inFlight: fewInFlight }, 1)
  const measured = []
  for (const processes of [1, 2, 4])
    measured.push({ processes, ...(await measure(place, request, processes)) })
  const costs = costsOf(request, few, measured[0] ?? few)
  console.log(
    `| ${title} | measured a second | simulated | writes lost, simulated |\n| ---: | ---: | ---: | ---: |`,
  )
  for (const processes of [1, 2, 4, 8, 16, 64]) {
    const { rate, lost } = simulate(costs, { processes, inFlight, millis: 4_000 })
    const real = measured.find((each) => each.processes === processes)?.rate
    const cells = [
      processes,
      real === undefined ? '' : Math.round(real),
      Math.round(rate),
      `${Math.round(lost * 100)} %`,
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
  console.log(`\n${JSON.stringify(costs)}\n`)
}

interface Measured {
  /** Calls a second. */
  readonly rate: number
  /** The share of the machine's processors that were busy, with whatever else ran. */
  readonly busy: number
}

/** From one process with few calls in flight and with many: a batch takes a time of its own, and one for each call. */
function costsOf({ kind }: LoadRequest, few: Measured, many: Measured): Costs {
  const batchMillis = ({ rate }: Measured, calls: number): number => (calls / rate) * 1_000
  const [short, long] = [batchMillis(few, fewInFlight), batchMillis(many, inFlight)]
  const perCall = Math.max(0, (long - short) / (inFlight - fewInFlight))
  const isCompareAndSet = kind === 'open'
  const shares = isCompareAndSet ? { readShare: 0.1, writeShare: 0.2 } : { readShare: 0, writeShare: 0.5 }
  return {
    perBatch: Math.max(0, long - inFlight * perCall),
    perCall,
    ...shares,
    isCompareAndSet,
    capacity: 1 / many.busy,
  }
}

async function measure(
  { directory, env }: Place,
  request: LoadRequest,
  processes: number,
): Promise<Measured> {
  const program = new URL('./process.ts', import.meta.url)
  const children: Child[] = Array.from({ length: processes }, () =>
    startChild({ program, args: [directory], env }),
  )
  await Promise.all(children.map((child) => child.line()))
  const before = processorTimes()
  const answers = await Promise.all(
    children.map(async (child) => {
      child.send({ ...request, inFlight: Math.floor(request.inFlight / processes) })
      return JSON.parse(await child.line()) as LoadAnswer
    }),
  )
  const after = processorTimes()
  await Promise.all(children.map((child) => child.end()))
  const calls = answers.reduce((sum, answer) => sum + answer.calls, 0)
  const busy = 1 - (after.idle - before.idle) / (after.all - before.all)
  return { rate: (calls / request.millis) * 1_000, busy }
}

function processorTimes(): { readonly idle: number; readonly all: number } {
  const times = cpus().map((cpu) => cpu.times)
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  return {
    idle: sum(times.map(({ idle }) => idle)),
    all: sum(times.flatMap((each) => Object.values<number>(each))),
  }
}
