import { setImmediate as nextTurn } from 'node:timers/promises'
import { listPageSize, uuidToFind, type Pages, type StoredShareableSecret } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import Fastify, { type FastifyInstance } from 'fastify'
import { err, errAsync, ok, okAsync } from 'neverthrow'
import t, { type Test } from 'tap'
import { sendList, type ListScheduler } from '../../../src/api/lists/lists.ts'
import type { ListPermit } from '../../../src/api/lists/list-semaphore.ts'
import { startApi, type Api } from '../../support/api.ts'
import { firstAnswer, head, listen, open, sendRaw } from '../../support/raw.ts'

/** An API whose list of secrets repeats one row: `pages` pages of {@link listPageSize}. */
async function endless(t: Parameters<typeof startApi>[0], { pages = Infinity, failAt = Infinity }) {
  const seen = { read: 0, list: [] as readonly StoredShareableSecret[] }
  const api = await startApi(t, {
    perMinute: 1_000,
    replace: ({ secrets }) => ({
      secrets: {
        ...secrets,
        page: (...given) => {
          seen.read += 1
          if (seen.read >= failAt) return errAsync({ code: 'storage_failed', detail: 'torn page' })
          if (seen.read > pages) return okAsync([])
          return secrets
            .page(given[0], undefined, given[2])
            .map(([row]) => new Array(given[2]).fill(row) as never)
        },
      },
    }),
  })
  await api.makeSecret(api.accountId, api.folderId)
  return { api, seen }
}

const get = ({ token }: Api, method = 'GET', connection = 'close') =>
  head(
    `${method} /api/secrets HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    `Connection: ${connection}`,
  )

t.test('a list of one page is sent immediately, with its length', async (t) => {
  const api = await startApi(t)
  for (let count = 0; count < listPageSize; count += 1) await api.makeSecret(api.accountId, api.folderId)
  const answer = firstAnswer(await sendRaw(await listen(api.app), get(api)))
  t.equal(answer.headers['content-length'], String(answer.body.length))
  t.notOk(answer.headers['transfer-encoding'])
  t.equal((JSON.parse(answer.body) as { data: unknown[] }).data.length, listPageSize)
})

t.test(
  'corrupted rows are left out of a list of any length and logged, and what is left is valid JSON',
  async (t) => {
    const corruptedUntil = { id: '' }
    const api = await startApi(t, {
      perMinute: 1_000,
      replace: ({ secretCipher }) => ({
        secretCipher: {
          ...secretCipher,
          decryptHead: (secret) =>
            secret.id >= corruptedUntil.id
              ? err({ code: 'data_damaged', what: 'secret.head', id: secret.id })
              : secretCipher.decryptHead(secret),
        },
      }),
    })
    const ids: string[] = []
    corruptedUntil.id = 'x'
    for (let count = 0; count < 2 * listPageSize + 5; count += 1) {
      ids.push((await api.makeSecret(api.accountId, api.folderId)).id)
    }
    // The clock stands still, so the list is in the order of the ids.
    ids.sort().reverse()
    for (const corrupted of [
      1,
      listPageSize,
      listPageSize + 1,
      2 * listPageSize,
      2 * listPageSize + 1,
      ids.length,
    ]) {
      corruptedUntil.id = ids[corrupted - 1]!
      api.logLines.length = 0
      const answer = await api.call('GET', '/api/secrets')
      t.equal(answer.statusCode, 200)
      t.same(
        answer.json<{ data: { id: string }[] }>().data.map(({ id }) => id),
        ids.slice(corrupted),
      )
      const errors = api.logLines.filter((line) => line.includes('"level":50'))
      t.equal(errors.length, corrupted)
      t.match(errors[0], /data_damaged.*a corrupted row is left out of a list/)
    }
  },
)

// Promise (The JSON API): Lists are complete, newest first, sent page by page
t.test('a list of many pages is complete, in order and valid JSON', async (t) => {
  const api = await startApi(t)
  for (const total of [listPageSize + 1, 2 * listPageSize, 3 * listPageSize + 1]) {
    while ((await count(api)) < total) await api.makeSecret(api.accountId, api.folderId)
    const answer = await api.call('GET', '/api/secrets')
    const ids = answer.json<{ data: { id: string }[] }>().data.map(({ id }) => id)
    t.equal(new Set(ids).size, total)
    t.same(ids, ids.toSorted().reverse())
    t.notOk(answer.headers['content-length'])
  }
})

t.test('an error in the first two pages is a complete 500', async (t) => {
  for (const failAt of [1, 2]) {
    const { api } = await endless(t, { failAt })
    const answer = await api.call('GET', '/api/secrets')
    t.equal(answer.statusCode, 500)
    t.same(answer.json(), { success: false, version: '1.0', message: 'Server error.' })
  }
})

// Promise (The JSON API): An error in a list that is being sent destroys the connection
t.test('a later error destroys the connection, leaves the JSON open and is logged', async (t) => {
  const { api } = await endless(t, { failAt: 4 })
  const received = await sendRaw(await listen(api.app), get(api))
  const { status, headers } = firstAnswer(received)
  t.equal(status, 200)
  t.equal(headers['transfer-encoding'], 'chunked')
  t.notMatch(received, /\]\}/, 'the list is not closed')
  t.notMatch(received, /\r\n0\r\n\r\n$/, 'the last chunk is missing')
  t.equal(api.logLines.filter((line) => line.includes('torn page')).length, 1)
})

t.test('HEAD has the headers of GET and no body, and reads no more than it must', async (t) => {
  for (const pages of [0, 1, 50]) {
    const { api, seen } = await endless(t, { pages })
    const port = await listen(api.app)
    const of = async (method: string) => {
      const { status, headers, body } = firstAnswer(await sendRaw(port, get(api, method)))
      const { date: _, 'x-ratelimit-remaining': __, 'x-request-id': ___, ...rest } = headers
      return { status, headers: rest, body }
    }
    const { body, ...getHead } = await of('GET')
    seen.read = 0
    t.same(await of('HEAD'), { ...getHead, body: '' })
    t.ok(seen.read <= 2, `${seen.read} pages for HEAD`)
    t.not(body, '')
  }
})

t.test('a client that does not read stops the reading of the list', async (t) => {
  const { api, seen } = await endless(t, {})
  const connection = await open(await listen(api.app))
  connection.socket.pause()
  connection.socket.write(get(api))
  // Pages are read until the buffers of socket and kernel are full.
  for (let still = 0; still < 500 && seen.read <= 800;) {
    const before = seen.read
    await nextTurn()
    still = before > 1 && seen.read === before ? still + 1 : 0
  }
  t.ok(seen.read <= 800, `${seen.read} pages were read ahead`)
  connection.socket.destroy()
})

t.test('a client that disconnects ends the reading of the list', async (t) => {
  const { api, seen } = await endless(t, {})
  const connection = await open(await listen(api.app))
  connection.socket.write(get(api))
  await connection.received('"success":true')
  connection.socket.destroy()
  await connection.closed
  while ((await connectionsOf(api)) > 0) await nextTurn()
  await nextTurn()
  const read = seen.read
  for (let turn = 0; turn < 50; turn += 1) await nextTurn()
  t.equal(seen.read, read)
})

t.test('a long list that gets no permit is answered with 503 before anything is sent', async (t) => {
  let turns = 0
  const busy: ListScheduler = {
    firstTurn: () => Promise.resolve(),
    turn: () => Promise.resolve(void (turns += 1)),
    isBusy: () => true,
    isFull: () => false,
    tryAcquire: () => undefined,
    acquire: () => Promise.resolve(undefined),
  }
  const app = listsWith(t, busy)
  const long = await app.inject({ url: `/${listPageSize}` })
  t.equal(long.statusCode, 503)
  t.match(long.headers['retry-after'], /^[1-9]/)
  t.same(long.json(), {
    success: false,
    version: '1.0',
    message: 'The service is busy. Try again later.',
  })
  t.equal((await app.inject({ url: `/${listPageSize - 1}` })).statusCode, 200, 'short lists need no permit')
  t.equal(turns, 0, 'and take no turn')
})

t.test('an HTTP/1.0 client gets a long list without chunks', async (t) => {
  const { api } = await endless(t, { pages: 3 })
  const request = head('GET /api/secrets HTTP/1.0', 'Host: localhost', `Authorization: Bearer ${api.token}`)
  const answer = firstAnswer(await sendRaw(await listen(api.app), request))
  t.notOk(answer.headers['transfer-encoding'])
  t.equal((JSON.parse(answer.body) as { data: unknown[] }).data.length, 3 * listPageSize)
})

t.test('a list that waits for its permit keeps no page, and is then complete', async (t) => {
  const events: string[] = []
  const app = listsWith(
    t,
    {
      ...scheduler,
      tryAcquire: () => undefined,
      acquire: () => Promise.resolve(void events.push('acquired')).then(() => permit),
    },
    events,
  )
  const answer = await app.inject({ url: `/${listPageSize}` })
  t.equal(answer.json<{ data: unknown[] }>().data.length, listPageSize)
  t.same(events, ['page', 'end', 'acquired', 'page', 'end'])
})

t.test('a list that would only be refused waits for no turn', async (t) => {
  const firstTurn = () => Promise.reject(new Error('it waits'))
  const app = listsWith(t, { ...scheduler, isFull: () => true, firstTurn })
  const { statusCode, headers } = await app.inject({ url: '/500' })
  t.equal(statusCode, 503)
  t.match(headers['retry-after'], /^[1-9]/)
})

t.test(
  'a list that would only be refused after its turn is refused before a page of it is read',
  async (t) => {
    const events: string[] = []
    let full = false
    const firstTurn = () => Promise.resolve(void (full = true))
    const app = listsWith(t, { ...scheduler, isFull: () => full, firstTurn }, events)
    t.equal((await app.inject({ url: '/500' })).statusCode, 503)
    t.same(events, [])
  },
)

t.test('a list is cut off when too many pause, and frees its permit', async (t) => {
  const seen = { isFree: false }
  const paused: ListPermit = {
    release: () => (seen.isFree = true),
    pause: (cutOff) => setImmediate(cutOff),
    resume: () => Promise.resolve(true),
  }
  const app = listsWith(t, { ...scheduler, tryAcquire: () => paused })
  const received = await sendRaw(await listen(app), head('GET /5000 HTTP/1.1', 'Host: localhost'))
  t.notMatch(received, /\]\}/)
  while (!seen.isFree) await nextTurn()
})

/** A permit that is never lost. */
const permit: ListPermit = {
  release: () => undefined,
  pause: () => undefined,
  resume: () => Promise.resolve(true),
}

/** A scheduler that lets every list read immediately. */
const scheduler: ListScheduler = {
  firstTurn: () => Promise.resolve(),
  turn: () => nextTurn(),
  isBusy: () => false,
  isFull: () => false,
  tryAcquire: () => permit,
  acquire: () => Promise.resolve(permit),
}

const accountId = uuidToFind('')

/** Answers each path with a list of as many rows as it says. `events` are what happens to its pages. */
function listsWith(t: Test, given: ListScheduler, events: string[] = []): FastifyInstance {
  const app = Fastify()
  t.teardown(() => app.close())
  app.get('/:rows', (request, reply) => {
    const rows = Number((request.params as { rows: string }).rows)
    return sendList(reply, { accountId, read: () => pagesWith(rows, events), toWire: (row) => row }, given)
  })
  return app
}

async function* pagesWith(rows: number, events: string[]): Pages<number, never> {
  try {
    for (let left = rows; left > 0; left -= listPageSize) {
      events.push('page')
      const items = new Array<number>(Math.min(left, listPageSize)).fill(0)
      yield await Promise.resolve(ok({ items, corrupted: [] }))
    }
  } finally {
    events.push('end')
  }
}

async function count(api: Api): Promise<number> {
  const filter = { accountId: api.accountId, folderId: undefined, nowMicros: 0 }
  return expectOk(await api.memory.secrets.page(filter, undefined, 10_000)).length
}

function connectionsOf(api: Api): Promise<number> {
  return new Promise((resolve) => api.app.server.getConnections((_error, total) => resolve(total)))
}

t.test('at most two long lists of an account are read together, and short ones do not wait', async (t) => {
  const { api } = await endless(t, {})
  const port = await listen(api.app)
  const connections = []
  // Endless lists that are read no further than the buffers reach.
  for (let list = 0; list < 2; list += 1) {
    const connection = await open(port)
    connection.socket.write(get(api))
    await connection.received('"success":true')
    connection.socket.pause()
    connections.push(connection)
  }
  const third = await open(port)
  third.socket.write(get(api))
  const short = await api.call('GET', '/api/folders')
  t.equal(short.statusCode, 200)
  for (let turn = 0; turn < 100; turn += 1) await nextTurn()
  t.equal(third.socket.bytesRead, 0, 'the third waits')
  connections[0]?.socket.destroy()
  await third.received('"success":true')
  t.pass('until one of the two has ended')
  for (const { socket } of [...connections, third]) socket.destroy()
})

t.test('a list that gets no permit again after a pause is cut off, with its JSON open', async (t) => {
  const resumed = { ...permit, resume: () => Promise.resolve(false) }
  const app = listsWith(t, { ...scheduler, tryAcquire: () => resumed })
  const received = await sendRaw(await listen(app), head('GET /500 HTTP/1.1', 'Host: localhost'))
  t.match(received, /^HTTP\/1\.1 200/)
  t.notMatch(received, /\]\}/)
  t.notMatch(received, /\r\n0\r\n\r\n$/, 'the last chunk is missing')
})
