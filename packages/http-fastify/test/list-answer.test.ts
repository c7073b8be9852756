import { setImmediate as nextTurn } from 'node:timers/promises'
import { sliceSize, type StoredShareableSecret } from '@sotto/core'
import { errAsync, okAsync } from 'neverthrow'
import t from 'tap'
import { startApi, type Api } from './support/api.ts'
import { firstAnswer, head, listen, open, sendRaw } from './support/raw.ts'

/** An API whose list of secrets is one row again and again, `slices` times {@link sliceSize} of them. */
async function endless(t: Parameters<typeof startApi>[0], { slices = Infinity, failAt = Infinity }) {
  const seen = { pulled: 0, list: [] as readonly StoredShareableSecret[] }
  const api = await startApi(t, {
    perMinute: 1_000,
    replace: ({ secrets }) => ({
      secrets: {
        ...secrets,
        slice: (...given) => {
          seen.pulled += 1
          if (seen.pulled >= failAt) return errAsync({ code: 'storage_failed', detail: 'torn page' })
          if (seen.pulled > slices) return okAsync([])
          return secrets
            .slice(...(given.with(2, undefined) as typeof given))
            .map(([row]) => new Array(sliceSize).fill(row) as never)
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

t.test('a list of one slice goes out in one piece with its length', async (t) => {
  const api = await startApi(t)
  for (let count = 0; count < sliceSize - 1; count += 1) await api.makeSecret(api.accountId, api.folderId)
  const answer = firstAnswer(await sendRaw(await listen(api.app), get(api)))
  t.equal(answer.headers['content-length'], String(answer.body.length))
  t.notOk(answer.headers['transfer-encoding'])
  t.equal((JSON.parse(answer.body) as { data: unknown[] }).data.length, sliceSize - 1)
})

t.test('a list of many slices is complete, in order and valid JSON', async (t) => {
  const api = await startApi(t)
  for (const total of [sliceSize, 2 * sliceSize + 1, 3 * sliceSize]) {
    while ((await count(api)) < total) await api.makeSecret(api.accountId, api.folderId)
    const answer = await api.call('GET', '/api/secrets')
    const ids = answer.json<{ data: { id: string }[] }>().data.map(({ id }) => id)
    t.equal(new Set(ids).size, total)
    t.same(ids, ids.toSorted().reverse())
    t.notOk(answer.headers['content-length'])
  }
})

t.test('a fault in the first slices is a clean 500', async (t) => {
  for (const failAt of [1, 2]) {
    const { api } = await endless(t, { failAt })
    const answer = await api.call('GET', '/api/secrets')
    t.equal(answer.statusCode, 500)
    t.same(answer.json(), { success: false, version: '1.0', message: 'Server error.' })
  }
})

t.test('a later fault breaks the connection, leaves the JSON open and is logged', async (t) => {
  const { api } = await endless(t, { failAt: 4 })
  const received = await sendRaw(await listen(api.app), get(api))
  const { status, headers } = firstAnswer(received)
  t.equal(status, 200)
  t.equal(headers['transfer-encoding'], 'chunked')
  t.notMatch(received, /\]\}/, 'the list is not closed')
  t.notMatch(received, /\r\n0\r\n\r\n$/, 'the last chunk is missing')
  t.equal(api.logLines.filter((line) => line.includes('torn page')).length, 1)
})

t.test('HEAD has the headers of GET, no body, and reads no more than it must', async (t) => {
  for (const slices of [0, 1, 50]) {
    const { api, seen } = await endless(t, { slices })
    const port = await listen(api.app)
    const of = async (method: string) => {
      const { status, headers, body } = firstAnswer(await sendRaw(port, get(api, method)))
      const { date: _, 'x-ratelimit-remaining': __, ...rest } = headers
      return { status, headers: rest, body }
    }
    const { body, ...getHead } = await of('GET')
    seen.pulled = 0
    t.same(await of('HEAD'), { ...getHead, body: '' })
    t.ok(seen.pulled <= 2, `${seen.pulled} slices for HEAD`)
    t.not(body, '')
  }
})

t.test('a connection serves on behind the HEAD of a long list', async (t) => {
  const { api } = await endless(t, { slices: 5 })
  const received = await sendRaw(await listen(api.app), get(api, 'HEAD', 'keep-alive'), get(api, 'HEAD'))
  t.equal(received.match(/HTTP\/1\.1 200/g)?.length, 2)
  t.notMatch(received, /success/)
})

t.test('a reader that does not read holds the list back', async (t) => {
  const { api, seen } = await endless(t, {})
  const connection = await open(await listen(api.app))
  connection.socket.pause()
  connection.socket.write(get(api))
  // Whatever the buffers of socket and kernel hold is read; then nothing more.
  for (let still = 0; still < 500 && seen.pulled <= 800;) {
    const before = seen.pulled
    await nextTurn()
    still = before > 1 && seen.pulled === before ? still + 1 : 0
  }
  t.ok(seen.pulled <= 800, `${seen.pulled} slices were read ahead`)
  connection.socket.destroy()
})

t.test('a reader that goes away ends the reading of the list', async (t) => {
  const { api, seen } = await endless(t, {})
  const connection = await open(await listen(api.app))
  connection.socket.write(get(api))
  await connection.received('"success":true')
  connection.socket.destroy()
  await connection.closed
  while ((await connectionsOf(api)) > 0) await nextTurn()
  await nextTurn()
  const pulled = seen.pulled
  for (let turn = 0; turn < 50; turn += 1) await nextTurn()
  t.equal(seen.pulled, pulled)
})

t.test('others get their turn between the slices of a long list', async (t) => {
  const { api } = await endless(t, { slices: 100 })
  const seen = { done: false, turns: 0 }
  const list = api.call('GET', '/api/secrets').finally(() => (seen.done = true))
  for (; !seen.done; seen.turns += 1) await nextTurn()
  t.equal((await list).statusCode, 200)
  t.ok(seen.turns > 90, `${seen.turns} turns`)
})

t.test('an HTTP/1.0 client gets a long list without chunks', async (t) => {
  const { api } = await endless(t, { slices: 3 })
  const request = head('GET /api/secrets HTTP/1.0', 'Host: localhost', `Authorization: Bearer ${api.token}`)
  const answer = firstAnswer(await sendRaw(await listen(api.app), request))
  t.notOk(answer.headers['transfer-encoding'])
  t.equal((JSON.parse(answer.body) as { data: unknown[] }).data.length, 3 * sliceSize)
})

async function count(api: Api): Promise<number> {
  return (await api.ports.secrets.slice(api.accountId, 0, undefined, 10_000))._unsafeUnwrap().length
}

function connectionsOf(api: Api): Promise<number> {
  return new Promise((resolve) => api.app.server.getConnections((_error, total) => resolve(total)))
}
