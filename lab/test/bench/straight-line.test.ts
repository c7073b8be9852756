import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createBody } from '../../bench/load/requests.ts'
import { startServer, startStraightLine, type Server } from '../../bench/processes/servers.ts'
import { makeStore, type Store } from '../../bench/stores/store.ts'
import { startPostgres, type CampaignDatabase } from '../../campaigns/support/postgres.ts'

const program = resolve(import.meta.dirname, '../../../packages/server/src/main.ts')
const noToken = 'sotto_0123456789012345678901234567890123456789012345'

const database = await startPostgres()
t.after(() => database.stop())

for (const [name, of] of [
  ['SQLite', undefined],
  ['PostgreSQL', database],
] as const) {
  // What the bench compares is the same work.
  t.test(`the straight line on ${name} answers as the server on the same data does`, async (t) => {
    const { store, server, straight } = await startBoth(t, of)
    const [owner] = store.members
    const [link = ''] = store.links
    const create = (body: string): Request => ['POST', '/api/secret', owner?.token, body]
    const body = createBody(owner?.folderId ?? '')
    const requests: readonly Request[] = [
      ['GET', '/api/folders'],
      ['GET', '/api/folders', noToken],
      ['GET', '/api/folders', 'no-token'],
      ['GET', `/api/secret/${owner?.secretIds[0]}`, owner?.token],
      ['GET', `/api/secret/${owner?.folderId}`, owner?.token],
      create(body),
      create(body.replace('user: app', 'n'.repeat(5_000))),
      ['POST', `/${link}`],
      ['POST', `/${'A'.repeat(43)}`],
      ['POST', '/too-short'],
    ]
    for (const request of requests) {
      const [expected, given] = [await ask(server, request), await ask(straight, request)]
      t.strictSame(given, { ...expected, remaining: expected.remaining - 1 }, request.join(' '))
    }
    for (const subject of [server, straight]) await logged(subject, requests.length)
    t.strictSame(straight.lines(), server.lines())
    t.equal(requestLines(server), requests.length)
  })

  t.test(`on ${name} each opens what the other created, and both count one quota`, async (t) => {
    const { store, server, straight } = await startBoth(t, of)
    const [owner] = store.members
    const limited = createBody(owner?.folderId ?? '')
      .replace('"open_limit":0', '"open_limit":2')
      .replace('user: app', `user: app${' '.repeat(2_000)}`)
    for (const [maker, opener] of [
      [server, straight],
      [straight, server],
    ] as const) {
      const created = await fetchFrom(maker, ['POST', '/api/secret', owner?.token, limited])
      const { data } = (await created.json()) as { data: { id: string; link: { url: string } } }
      const path = new URL(data.link.url).pathname
      const read = await ask(opener, ['GET', `/api/secret/${data.id}`, owner?.token])
      t.equal(read.status, 200)
      const opens = [await ask(opener, ['POST', path]), await ask(maker, ['POST', path])]
      t.match(opens[0]?.body, /"note":"user: app.*"opens_left":1/)
      t.match(opens[1]?.body, /"opens_left":0/)
      t.equal((await ask(opener, ['POST', path])).status, 404)
    }
    const request = ['GET', `/api/secret/${owner?.secretIds[0]}`, owner?.token] as const
    let last = await ask(server, request)
    for (let nr = 0; last.status === 200; nr += 1) last = await ask(nr % 2 === 0 ? straight : server, request)
    const [expected, given, later] = [
      await ask(server, request),
      await ask(straight, request),
      await ask(server, request),
    ]
    t.equal(expected.status, 429)
    t.strictSame({ ...given, retryAfter: expected.retryAfter }, expected)
    // A second may pass between two of them.
    t.ok(expected.retryAfter >= given.retryAfter && given.retryAfter >= later.retryAfter)
  })
}

type Request = readonly [method: string, path: string, token?: string | undefined, body?: string]
type Subject = Server & { lines(): readonly string[] }

async function startBoth(
  t: Test,
  postgres: CampaignDatabase | undefined,
): Promise<{ store: Store; server: Subject; straight: Subject }> {
  const directory = mkdtempSync(join(tmpdir(), 'sotto-straight-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  const settings = (await postgres?.newSettings()) ?? {}
  const store = await makeStore({ directory, settings, secrets: 0, lists: [2] })
  const start = async (name: string, run: typeof startServer): Promise<Subject> => {
    const path = join(directory, `${name}.log`)
    const log = openSync(path, 'a')
    const server = await run({ directory, settings, log, freeOfQuota: false })
    t.teardown(() => server.stop())
    return { ...server, lines: () => readFileSync(path, 'utf8').split('\n').map(shapeOf).filter(isOfRequest) }
  }
  const server = await start('server', (options) => startServer({ ...options, program }))
  return { store, server, straight: await start('straight', startStraightLine) }
}

function requestLines(subject: Subject): number {
  return subject.lines().filter((line) => line.includes('"msg":"request"')).length
}

/** Waits for the lines of so many requests: they are written after the answers. */
async function logged(subject: Subject, count: number): Promise<void> {
  for (const end = Date.now() + 60_000; requestLines(subject) < count && Date.now() < end;) await pause(10)
}

function fetchFrom({ port }: Server, [method, path, token, body]: Request): Promise<Response> {
  const headers = {
    accept: 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  return fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: body ?? null })
}

/** An answer, in which everything that differs each time has its shape alone. */
async function ask(server: Server, request: Request) {
  const answer = await fetchFrom(server, request)
  const numberIn = (name: string): number => Number(answer.headers.get(name) ?? NaN)
  const counts = ['x-ratelimit-remaining', 'retry-after']
  const own = [...answer.headers].filter(([name]) => !counts.includes(name))
  const headers = own.toSorted().map(([name, value]) => `${name}: ${shapeOf(value)}`)
  return {
    status: answer.status,
    headers,
    body: shapeOf(await answer.text()),
    remaining: numberIn('x-ratelimit-remaining'),
    retryAfter: numberIn('retry-after'),
  }
}

function shapeOf(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-([47])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, 'UUID $1')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(\d+)Z/g, (_, digits: string) => `TIME ${digits.length}`)
    .replaceAll(/localhost:\d+\/[\w-]{43}/g, 'LINK')
    .replaceAll(/"(pid|millis)":[\d.]+/g, '$1')
    .replace(/^\w+, \d.* GMT$/, 'DATE')
}

function isOfRequest(line: string): boolean {
  return line.includes('"reqId"')
}
