import assert from 'node:assert/strict'
import { mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createBody } from '../load/requests.ts'
import { startServer, startStraightLine, type Server } from '../processes/servers.ts'
import { makeStore, type Store } from '../stores/store.ts'

const noToken = 'sotto_0123456789012345678901234567890123456789012345'

type Request = readonly [method: string, path: string, token?: string | undefined, body?: string]
type Subject = Server & { lines(): readonly string[] }

/**
 * Rejects unless the straight line answers and logs as the server does, on one store that both work on: what the bench compares is the same
 * work.
 * @param directory an empty one
 */
export async function ensureSameAnswers(
  directory: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  mkdirSync(directory)
  const store = await makeStore({ directory, settings, secrets: 0, lists: [2] })
  const start = async (name: string, run: typeof startServer): Promise<Subject> => {
    const path = join(directory, `${name}.log`)
    const server = await run({ directory, settings, log: openSync(path, 'a'), freeOfQuota: false })
    return { ...server, lines: () => readFileSync(path, 'utf8').split('\n').map(shapeOf).filter(isOfRequest) }
  }
  const server = await start('server', startServer)
  const straight = await start('straight', startStraightLine)
  try {
    await compareAnswers(store, server, straight)
    for (const [maker, opener] of [
      [server, straight],
      [straight, server],
    ] as const)
      await openOfEachOther(store, maker, opener)
    await useUpQuota(store, server, straight)
  } finally {
    await Promise.all([server.stop(), straight.stop()])
  }
}

async function compareAnswers(store: Store, server: Subject, straight: Subject): Promise<void> {
  const [owner] = store.members
  const body = createBody(owner?.folderId ?? '')
  const create = (given: string): Request => ['POST', '/api/secret', owner?.token, given]
  const requests: readonly Request[] = [
    ['GET', '/api/folders'],
    ['GET', '/api/folders', noToken],
    ['GET', '/api/folders', 'no-token'],
    ['GET', `/api/secret/${owner?.secretIds[0]}`, owner?.token],
    ['GET', `/api/secret/${owner?.folderId}`, owner?.token],
    create(body),
    create(body.replace('user: app', 'n'.repeat(5_000))),
    ['POST', `/${store.links[0]}`],
    ['POST', `/${'A'.repeat(43)}`],
    ['POST', '/too-short'],
  ]
  for (const request of requests) {
    const [expected, given] = [await ask(server, request), await ask(straight, request)]
    assert.deepEqual(given, { ...expected, remaining: expected.remaining - 1 }, request.join(' '))
  }
  for (const subject of [server, straight]) await logged(subject, requests.length)
  assert.deepEqual(straight.lines(), server.lines())
}

async function openOfEachOther(store: Store, maker: Subject, opener: Subject): Promise<void> {
  const [owner] = store.members
  const limited = createBody(owner?.folderId ?? '')
    .replace('"open_limit":0', '"open_limit":2')
    .replace('user: app', `user: app${' '.repeat(2_000)}`)
  const created = await fetchFrom(maker, ['POST', '/api/secret', owner?.token, limited])
  const { data } = (await created.json()) as { data: { id: string; link: { url: string } } }
  const path = new URL(data.link.url).pathname
  assert.equal((await ask(opener, ['GET', `/api/secret/${data.id}`, owner?.token])).status, 200)
  const opens = [await ask(opener, ['POST', path]), await ask(maker, ['POST', path])]
  assert.match(opens[0]?.body ?? '', /"note":"user: app.*"opens_left":1/)
  assert.match(opens[1]?.body ?? '', /"opens_left":0/)
  assert.equal((await ask(opener, ['POST', path])).status, 404)
}

/** Both count one quota. */
async function useUpQuota({ members: [owner] }: Store, server: Subject, straight: Subject): Promise<void> {
  const request = ['GET', `/api/secret/${owner?.secretIds[0]}`, owner?.token] as const
  let last = await ask(server, request)
  for (let nr = 0; last.status === 200; nr += 1) last = await ask(nr % 2 === 0 ? straight : server, request)
  const [expected, given] = [await ask(server, request), await ask(straight, request)]
  assert.equal(expected.status, 429)
  assert.deepEqual({ ...given, retryAfter: expected.retryAfter }, expected)
  // A second may pass between two of them.
  const later = await ask(server, request)
  assert.ok(expected.retryAfter >= given.retryAfter && given.retryAfter >= later.retryAfter)
}

/** Waits for the lines of so many requests: they are written after the answers. */
async function logged(subject: Subject, count: number): Promise<void> {
  const lines = (): number => subject.lines().filter((line) => line.includes('"msg":"request"')).length
  for (const end = Date.now() + 60_000; lines() < count && Date.now() < end;) await pause(10)
  assert.equal(lines(), count)
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
  return {
    status: answer.status,
    headers: own.toSorted().map(([name, value]) => `${name}: ${shapeOf(value)}`),
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
