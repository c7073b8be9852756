import { findFreePort } from '@sotto/system'
import { connect } from 'node:net'
import { once } from 'node:events'
import { expectErr, expectOk } from '@sotto/test-kit'
import { errAsync } from 'neverthrow'
import t, { type Test } from 'tap'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { startMetricsServer } from '../../src/serving/metrics-server.ts'
import { addDraft, addOwner, addSecret, openIn } from '../support/installation.ts'
import { namesIn, seriesOf, startMeasuredServer } from '../support/metrics.ts'
import { source } from '../support/program.ts'
import { spawnServer } from '../support/spawned.ts'

type Measured = Awaited<ReturnType<typeof startMeasuredServer>>

const json = { 'content-type': 'application/json' }

async function valueOf(server: Measured, series: string): Promise<number | undefined> {
  return seriesOf(await server.scrape()).get(series)
}

/** Sends a request as it stands, and reads until the server closes the connection. */
async function sendRaw(port: number, bytes: string): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port })
  socket.on('error', () => undefined).resume()
  socket.write(bytes)
  await once(socket, 'close')
}

// Promise (Installing and operating): /metrics counts creates, opens, refusals, quota refusals, and answers by route and status
t.test('creates, opens, refusals and answers are counted', async (t) => {
  const env = { SOTTO_LIMIT_PER_MINUTE: '4' }
  const server = await startMeasuredServer(t, { env })
  const { installation, origin } = server
  const owner = await addOwner(installation)
  const authorization = `Bearer ${owner.token}`
  const body = JSON.stringify({ label: 'l', note: 'n', folder_id: owner.folderId })
  const headers = { ...json, authorization }
  const create = (more = {}) =>
    fetch(`${origin}/api/secret`, { method: 'POST', headers: { ...headers, ...more }, body })
  t.equal((await create()).status, 201)
  for (const _ of [1, 2]) t.equal((await create({ 'idempotency-key': 'k' })).status, 201)
  t.equal((await create({ authorization: 'Bearer x' })).status, 401)
  const locked = await addSecret(installation, owner, { password: 'right' })
  const path = `${origin}/${locked.link.token}`
  const open = (password: string) =>
    fetch(path, { method: 'POST', headers: json, body: JSON.stringify({ password }) })
  t.same([(await open('wrong')).status, (await open('right')).status], [401, 200])
  for (const status of [201, 429]) t.equal((await create()).status, status)

  const series = seriesOf(await server.scrape())
  const expected = {
    'sotto_secrets_created_total{by="create"}': 4,
    sotto_opens_total: 1,
    'sotto_refusals_total{reason="password_wrong"}': 1,
    'sotto_refusals_total{reason="token_invalid"}': 1,
    'sotto_refusals_total{reason="link_locked"}': 0,
    'sotto_quota_refusals_total{quota="account"}': 1,
    'sotto_http_requests_total{method="POST",route="/api/secret",status="201"}': 4,
    'sotto_http_requests_total{method="POST",route="/api/secret",status="429"}': 1,
    'sotto_http_requests_total{method="POST",route="/:token",status="401"}': 1,
    'sotto_http_request_duration_seconds_count{method="POST",route="/:token"}': 2,
  }
  for (const [name, value] of Object.entries(expected)) t.equal(series.get(name), value, name)
  t.ok((series.get('sotto_hash_wait_seconds_count{queue="open"}') ?? 0) >= 2)
})

// Promise (Installing and operating): /metrics counts creates, opens, refusals, quota refusals, and answers by route and status: queues,
// waits, batches, checkpoints, the log, rows, the sweep and the process
t.test('queues, waits, batches, the log, rows, the sweep and the process are measured', async (t) => {
  const server = await startMeasuredServer(t)
  const { installation } = server
  const owner = await addOwner(installation)
  await addSecret(installation, owner, { notify: true })
  await addDraft(installation, owner, {})
  expectOk(await installation.storage.upkeep.recordSweep(1_760_000_000_000_000))
  t.ok(installation.storage.erasure.finish())
  await addSecret(installation, owner, {})
  const series = seriesOf(await server.scrape())
  for (const name of [
    'sotto_commit_wait_seconds_count{part="data"}',
    'sotto_commit_batch_writes_sum{part="data"}',
    'sotto_checkpoint_seconds_count{part="data"}',
    'sotto_wal_bytes{part="data"}',
    'nodejs_heap_size_used_bytes',
    'process_resident_memory_bytes',
  ])
    t.ok((series.get(name) ?? 0) > 0, name)
  for (const name of [
    'sotto_commit_queue_length{part="data"}',
    'sotto_commit_queue_length{part="quota"}',
    'sotto_hash_queue_length{part="all"}',
    'sotto_hashes_running{part="all"}',
    'sotto_outbox_length{state="waiting"}',
    'sotto_outbox_oldest_seconds',
    'sotto_erasure_pending_seconds',
    'nodejs_eventloop_lag_p99_seconds',
  ])
    t.ok((series.get(name) ?? -1) >= 0, name)
  t.equal(series.get('sotto_last_sweep_timestamp_seconds'), 1_760_000_000)
  t.equal(series.get('sotto_rows{table="secrets"}'), 2)
  t.equal(series.get('sotto_rows{table="drafts"}'), 1)
})

t.test('rows are counted every five minutes at most, the rest is read every five seconds', async (t) => {
  const opened = await openIn(t.testdir())
  t.teardown(() => opened.close())
  const metrics = createMetrics()
  let nowMicros = 1_760_000_000_000_000
  const asked: string[] = []
  const upkeep = {
    ...opened.storage.upkeep,
    countRows: () => {
      asked.push('rows')
      return opened.storage.upkeep.countRows()
    },
    lastSweep: () => {
      asked.push('sweep')
      return opened.storage.upkeep.lastSweep()
    },
  }
  const installation = {
    storage: { ...opened.storage, upkeep },
    ports: { ...opened.ports, clock: { nowMicros: () => nowMicros } },
  }
  for (const seconds of [0, 1, 4, 5, 290]) {
    nowMicros += seconds * 1_000_000
    await metrics.text(installation)
  }
  t.same(asked, ['rows', 'sweep', 'sweep', 'sweep', 'rows', 'sweep'])
})

t.test('a storage that cannot be read is counted, and the page is there', async (t) => {
  const opened = await openIn(t.testdir())
  t.teardown(() => opened.close())
  const metrics = createMetrics()
  const failed = () => errAsync({ code: 'storage_failed', detail: 'canary' } as const)
  const upkeep = { ...opened.storage.upkeep, countRows: failed, lastSweep: failed }
  const text = await metrics.text({ storage: { ...opened.storage, upkeep }, ports: opened.ports })
  t.equal(seriesOf(text).get('sotto_unreadable_total'), 2)
  t.notMatch(text, 'canary')
})

/** Requests with everything in them that a client can choose. */
async function sendGarbage({ origin, port }: Measured, salt: string): Promise<void> {
  const paths = [
    '/',
    `/${salt}`,
    `/${salt}/x`,
    `/api/${salt}`,
    `/api/secret/${salt}`,
    `/login?${salt}`,
    `/drafts/${salt}`,
  ]
  for (const path of paths) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PROPFIND'])
      await fetch(origin + path, {
        method,
        redirect: 'manual',
        headers: { 'user-agent': salt, 'x-request-id': salt },
      })
  }
  for (const line of [
    `GET /x HTTP/1.1\r\nHost: ${salt}`,
    `${salt} / HTTP/1.1\r\nHost: a`,
    `PURGE /${salt} HTTP/1.1\r\nHost: a`,
  ])
    await sendRaw(port, `${line}\r\nConnection: close\r\n\r\n`)
}

// Promise (Installing and operating): /metrics counts creates, opens, refusals, quota refusals, and answers by route and status: and no
// label comes from a caller
t.test('no label comes from a caller: whatever is sent, there are no further series', async (t) => {
  const server = await startMeasuredServer(t)
  for (const salt of ['Aone', 'Azero%20']) await sendGarbage(server, salt)
  const before = [...seriesOf(await server.scrape()).keys()].filter((name) => name.startsWith('sotto_'))
  for (const salt of ['Btwo', 'C'.repeat(43), 'Dfour%20', 'Efive.php']) await sendGarbage(server, salt)
  const after = [...seriesOf(await server.scrape()).keys()].filter((name) => name.startsWith('sotto_'))
  t.same(after, before)
  t.notMatch(after.join('\n'), /Aone|Btwo|CCC|Dfour|Efive/)
  const others = 'sotto_http_requests_total{method="other",route="/:token",status="405"}'
  t.ok(((await valueOf(server, others)) ?? 0) > 0, 'the methods are counted')
})

// Promise (Installing and operating): Neither metrics nor log hold anything confidential
t.test('neither the page nor the log holds anything confidential', async (t) => {
  const server = await startMeasuredServer(t, { env: { SOTTO_LOG_LEVEL: 'trace' } })
  const { installation, origin } = server
  const owner = await addOwner(installation, {
    email: 'canary@example.org',
    folder: 'canary folder',
    token: 'canary token',
  })
  const secret = await addSecret(installation, owner, {
    label: 'canary label',
    note: 'canary note',
    password: 'canary password',
  })
  const { token } = secret.link
  for (const password of ['canary guess', 'canary password'])
    await fetch(`${origin}/${token}?q=canary`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ password }),
    })
  await fetch(`${origin}/${token}/canary`)
  const headers = { authorization: `Bearer ${owner.token}`, 'x-request-id': 'canary', 'user-agent': 'canary' }
  await fetch(`${origin}/api/secret/${secret.id}?canary=canary`, { headers })
  const everything = (await server.scrape()) + server.log.join('')
  for (const hidden of ['canary', token, owner.token]) t.notMatch(everything, hidden)
  t.notMatch(await server.scrape(), owner.accountId, 'the page has no ids either')
})

// Promise (Installing and operating): It is on a port of its own
t.test('the page is on a port of its own only', async (t) => {
  const { origin, metricsOrigin } = await startMeasuredServer(t)
  t.equal((await fetch(`${origin}/metrics`)).status, 404)
  const page = await fetch(`${metricsOrigin}/metrics`)
  t.equal(page.status, 200)
  t.equal(page.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  for (const path of ['/', '/metrics/x', '/api/folders', '/healthz'])
    t.equal((await fetch(metricsOrigin + path)).status, 404, path)
  t.equal((await fetch(`${metricsOrigin}/metrics`, { method: 'POST' })).status, 404)
})

t.test('a port that is in use is an error that names the setting', async (t) => {
  const { installation, port } = await startMeasuredServer(t)
  const started = await startMetricsServer(installation, { metrics: createMetrics(), port })
  const error = { code: 'not_listening', reason: 'EADDRINUSE', port, setting: 'SOTTO_METRICS_PORT' }
  t.match(expectErr(started), error)
})

/** The modules that a server has loaded, by the report of Node.js. */
async function hasLoaded(
  t: Test,
  env: NodeJS.ProcessEnv,
): Promise<{ loaded: boolean; scrape: string | undefined }> {
  const server = await spawnServer(t, {
    cwd: t.testdir(),
    file: source,
    env: { ...env, NODE_DEBUG: 'module' },
  })
  const port = env['SOTTO_METRICS_PORT']
  const scrape =
    port === undefined ? undefined : await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  server.child.kill('SIGTERM')
  await server.ended
  return { loaded: server.stderr().includes('prom-client'), scrape }
}

// Promise (Installing and operating): It is on a port of its own: and costs nothing where that is not set
t.test('nothing of it is loaded unless the port is set', async (t) => {
  t.same(await hasLoaded(t, {}), { loaded: false, scrape: undefined })
  const { installation } = await startMeasuredServer(t)
  t.ok(installation.settings.metricsPort)
  const port = String(await findFreePort())
  const on = await hasLoaded(t, { SOTTO_METRICS_PORT: port })
  t.equal(on.loaded, true, 'the check can see it')
  t.ok(namesIn(on.scrape ?? '').has('sotto_opens_total'), 'serve serves it')
})

t.test('the page says whether the storage can be written', async (t) => {
  const opened = await openIn(t.testdir())
  t.teardown(() => opened.close())
  const metrics = createMetrics()
  let nowMicros = 1_760_000_000_000_000
  let isFull = false
  const canWrite: typeof opened.storage.upkeep.canWrite = () =>
    isFull ? errAsync({ code: 'storage_unavailable', reason: 'full' }) : opened.storage.upkeep.canWrite()
  const installation = {
    storage: { ...opened.storage, upkeep: { ...opened.storage.upkeep, canWrite } },
    ports: { ...opened.ports, clock: { nowMicros: () => nowMicros } },
  }
  for (const [full, expected] of [
    [false, 1],
    [true, 0],
    [false, 1],
  ] as const) {
    isFull = full
    nowMicros += 5_000_000
    t.equal(seriesOf(await metrics.text(installation)).get('sotto_storage_writable'), expected)
  }
})

// Promise (Installing and operating): The names on /metrics say what is a counter, as Prometheus' own checks want it
t.test('counters end in _total and nothing else does, and every metric says what it is', async (t) => {
  const server = await startMeasuredServer(t)
  const text = await server.scrape()
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({
    name,
    type,
  }))
  t.ok(types.length > 50)
  for (const { name, type } of types) {
    t.equal(name.endsWith('_total'), type === 'counter', `${name} is a ${type}`)
    t.notMatch(
      name,
      /_(?:count|sum|bucket|info_total)$|[A-Z]|:|__|_(?:gauge|counter|histogram|summary)(?:_|$)/,
    )
    t.match(text, new RegExp(`^# HELP ${name} \\S`, 'm'), name)
  }
})
