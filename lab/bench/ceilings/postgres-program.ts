// The ceilings on PostgreSQL: what Fastify, pg and the server allow when nothing else is done. Small and without checks on purpose.
// Usage: node postgres-program.ts URL PORT
import { randomBytes, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { answer } from './answer.ts'
import { connectTo } from './postgres-client.ts'

interface Body {
  readonly note: string
}

const [url = '', port = '0'] = process.argv.slice(2)
const app = Fastify()

const clients = await Promise.all(Array.from({ length: 3 }, () => connectTo(url)))
const [writer] = clients
const linkCount = 500
await writer?.query({
  text: `CREATE TABLE ceiling_secrets (id uuid PRIMARY KEY, lookup bytea NOT NULL UNIQUE, body bytea NOT NULL);
    CREATE TABLE ceiling_links (id bigint PRIMARY KEY, version bigint NOT NULL, opens bigint NOT NULL) WITH (fillfactor = 70)`,
})
const ids = Array.from({ length: linkCount }, (_, id) => id)
await writer?.query({
  text: 'INSERT INTO ceiling_links SELECT id, 1, 0 FROM unnest($1::bigint[]) AS l (id)',
  values: [ids],
})

/** Runs the jobs that arrive together as one, on the connections that are free. */
function group<Job>(
  sizeMax: number,
  free: NonNullable<typeof writer>[],
  run: (client: NonNullable<typeof writer>, jobs: readonly Job[]) => Promise<unknown>,
): (job: Job) => Promise<void> {
  const waiting: { readonly job: Job; readonly done: () => void }[] = []
  const flush = async (): Promise<void> => {
    const client = waiting.length === 0 ? undefined : free.pop()
    if (client === undefined) return
    const batch = waiting.splice(0, 2 ** Math.floor(Math.log2(Math.min(waiting.length, sizeMax))))
    void flush()
    const jobs = batch.map(({ job }) => job)
    await run(client, jobs)
    free.push(client)
    for (const { done } of batch) done()
    void flush()
  }
  return (job) =>
    new Promise((done) => {
      if (waiting.push({ job, done }) === 1) setImmediate(() => void flush())
    })
}

const insert = group<Buffer>(64, [...clients], (client, bodies) => {
  const places = bodies.map((_, at) => `($${3 * at + 1}, $${3 * at + 2}, $${3 * at + 3})`)
  return client.query({
    name: `insert_${bodies.length}`,
    text: `INSERT INTO ceiling_secrets (id, lookup, body) VALUES ${places.join(', ')}`,
    values: bodies.flatMap((body) => [randomUUID(), randomBytes(32), body]),
  })
})

app.post<{ Body: Body }>('/grouped', async (request, reply) => {
  await insert(Buffer.from(request.body.note))
  return reply.code(201).send(answer)
})

// Read the versions, count in memory, write where the version is unchanged. With one group at a time it always is.
const open = group<number>(256, clients.slice(0, 1), async (client, opened) => {
  const { rows } = await client.query({
    name: 'read',
    text: 'SELECT id, version, opens FROM ceiling_links WHERE id = ANY($1::bigint[])',
    values: [[...new Set(opened)]],
    rowMode: 'array',
  })
  const counts = rows.map(
    ([id, , opens]) => Number(opens) + opened.filter((one) => one === Number(id)).length,
  )
  await client.query({
    name: 'write',
    text: `UPDATE ceiling_links l SET version = l.version + 1, opens = v.opens
      FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS v (id, version, opens)
      WHERE l.id = v.id AND l.version = v.version`,
    values: [rows.map(([id]) => id), rows.map(([, version]) => version), counts],
  })
})

let next = 0
app.post('/open', async (_request, reply) => {
  next = (next + 1) % linkCount
  await open(next)
  return reply.send(answer)
})
app.post('/hot', async (_request, reply) => {
  await open(0)
  return reply.send(answer)
})
app.get('/bare', () => answer)

await app.listen({ host: '127.0.0.1', port: Number(port) })
console.log('ready')
process.on('SIGTERM', () => process.exit(0))
