import { ResultAsync } from 'neverthrow'
import t from 'tap'
import { quotaOf, startApi, type Api } from '../../support/api.ts'
import { answersIn, head, listen, open, sendRaw } from '../../support/raw.ts'

const shown = (headers: Readonly<Record<string, unknown>>) => quotaOf({ headers: headers as never })

/** Sends bytes that the parser rejects, and checks the one answer against the document. */
async function refused(api: Api, port: number, bytes: string) {
  const answers = answersIn(await sendRaw(port, bytes))
  t.equal(answers.length, 1, 'one answer')
  api.conformance('GET', '/api/unknown', answers[0]!)
  t.equal(answers[0]!.headers['connection'], 'close')
  return answers[0]!
}

// Promise (The JSON API): x-ratelimit-limit and x-ratelimit-remaining on every response under /api
t.test('what is not HTTP is 400 in JSON, with the quota of the address, and is not counted', async (t) => {
  const api = await startApi(t)
  const port = await listen(api.app)
  await api.inject({ url: '/api/folders' })
  const requests = [
    'nonsense\r\n\r\n',
    head('FOO /api/folders HTTP/1.1', 'Host: a'),
    head('GET /api/folders HTTP/3.0', 'Host: a'),
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    head('GET /api/fol ders HTTP/1.1', 'Host: a'),
    head('GET /api/folders HTTP/1.1', 'Host: a', 'bad header'),
    head('GET /api/folders HTTP/1.1', 'Host: a', 'A\u0000: b'),
    head('POST /api/secret HTTP/1.1', 'Host: a', 'Content-Length: 1', 'Content-Length: 2'),
    head('POST /api/secret HTTP/1.1', 'Host: a', 'Content-Length: 1', 'Transfer-Encoding: chunked'),
    head('POST /api/secret HTTP/1.1', 'Host: a', 'Content-Length: x'),
  ]
  for (const request of requests) {
    const answer = await refused(api, port, request)
    t.equal(answer.status, 400, JSON.stringify(request).slice(0, 60))
    t.same(shown(answer.headers), ['60', '59'])
    t.equal(answer.headers['cache-control'], 'no-store')
  }
})

// Promise (The JSON API): A HEAD gets no body, not even with the answers of the parser
t.test('the answer to a HEAD has no body', async (t) => {
  const api = await startApi(t)
  const port = await listen(api.app)
  const long = `/api/${'x'.repeat(20_000)}`
  for (const [target, ...more] of [[long], ['/api/folders', 'bad header'], ['/api/folders', `A: ${long}`]]) {
    const status = async (method: string) => {
      const text = await sendRaw(port, head(`${method} ${target} HTTP/1.1`, 'Host: a', ...more))
      const [start = '', body] = text.split('\r\n\r\n')
      return [/^HTTP\/1.1 \d+/.exec(start)?.[0], /content-length: (\d+)/.exec(start)?.[1], body]
    }
    const [get, length, body = ''] = await status('GET')
    t.equal(length, String(body.length))
    t.same(await status('HEAD'), [get, length, ''], 'the same head')
  }
})

t.test('these answers too say that browsers must stay with https, if the API is there', async (t) => {
  const baseUrl = 'https://api.example.org'
  for (const [given, expected] of [
    [{ baseUrl }, 'max-age=31536000'],
    [{ baseUrl: 'http://api.example.org' }, undefined],
    [{}, undefined],
  ] as const) {
    for (const [status, bytes] of [
      [400, 'nonsense\r\n\r\n'],
      [400, head('CONNECT example.org:443 HTTP/1.1', 'Host: a')],
      [408, 'GET /api/folders HTTP/1.1\r\nHost: a\r\n'],
      [431, head('GET /api/folders HTTP/1.1', 'Host: a', `A: ${'x'.repeat(100_000)}`)],
    ] as const) {
      const timeouts = status === 408 ? { headersMillis: 400 } : {}
      const api = await startApi(t, { server: { ...given, timeouts } })
      const answer = await refused(api, await listen(api.app), bytes)
      t.equal(answer.status, status)
      t.equal(answer.headers['strict-transport-security'], expected)
    }
  }
})

// Promise (The JSON API): A slow client: 408
t.test('a client that sends its headers too slowly is 408', async (t) => {
  const api = await startApi(t, { server: { timeouts: { headersMillis: 400 } } })
  const answer = await refused(api, await listen(api.app), 'GET /api/folders HTTP/1.1\r\nHost: a\r\n')
  t.equal(answer.status, 408)
  t.same(shown(answer.headers), ['60', '60'])
})

t.test('a client that sends its body too slowly is 408, with the quota of its account', async (t) => {
  const api = await startApi(t, { server: { timeouts: { requestMillis: 60_000 } } })
  const { server } = api.app
  t.equal(server.requestTimeout, 60_000)
  // Its time is over once the request is known.
  server.once('request', () => Object.assign(server, { headersTimeout: 1, requestTimeout: 1 }))
  const lines = [
    'Host: a',
    `Authorization: Bearer ${api.token}`,
    'Content-Type: application/json',
    'Content-Length: 100',
  ]
  const answer = await refused(
    api,
    await listen(api.app),
    `${head('POST /api/secret HTTP/1.1', ...lines)}{"label":`,
  )
  t.equal(answer.status, 408)
  t.same(shown(answer.headers), ['60', '59'])
})

t.test('a body that stops being HTTP is 400, once', async (t) => {
  const api = await startApi(t)
  const lines = [
    'Host: a',
    `Authorization: Bearer ${api.token}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ]
  const answer = await refused(
    api,
    await listen(api.app),
    `${head('POST /api/secret HTTP/1.1', ...lines)}5\r\n{"lab\r\nnonsense\r\n`,
  )
  t.equal(answer.status, 400)
})

t.test('an error after a request that is still being answered waits for that answer', async (t) => {
  const { promise: held, resolve: release } = Promise.withResolvers<undefined>()
  const api = await startApi(t, {
    replace: ({ folders }) => ({
      folders: {
        ...folders,
        page: (...given) => ResultAsync.fromSafePromise(held).andThen(() => folders.page(...given)),
      },
    }),
  })
  const connection = await open(await listen(api.app))
  const clientError = new Promise((resolve) => api.app.server.once('clientError', resolve))
  connection.socket.write(
    `${head('GET /api/folders HTTP/1.1', 'Host: a', `Authorization: Bearer ${api.token}`)}nonsense\r\n\r\n`,
  )
  await clientError
  release(undefined)
  t.same(
    answersIn(await connection.closed).map(({ status }) => status),
    [200, 400],
  )
})

t.test('what comes after an error is not answered', async (t) => {
  let peeks = 0
  const { promise: held, resolve: release } = Promise.withResolvers<undefined>()
  const api = await startApi(t, {
    replace: ({ quota }) => ({
      quota: {
        ...quota,
        peek: (...given) => {
          peeks += 1
          return ResultAsync.fromSafePromise(held).andThen(() => quota.peek(...given))
        },
      },
    }),
  })
  const connection = await open(await listen(api.app))
  for (let error = 0; error < 2; error += 1) {
    const clientError = new Promise((resolve) => api.app.server.once('clientError', resolve))
    connection.socket.write('nonsense\r\n\r\n')
    await clientError
  }
  release(undefined)
  t.same(
    answersIn(await connection.closed).map(({ status }) => status),
    [400],
  )
  t.equal(peeks, 1)
})

t.test('a client that disconnects in the middle of its body is no error of the server', async (t) => {
  const api = await startApi(t)
  const connection = await open(await listen(api.app))
  const lines = [
    'Host: a',
    `Authorization: Bearer ${api.token}`,
    'Content-Type: application/json',
    'Content-Length: 100',
  ]
  connection.socket.write(`${head('POST /api/secret HTTP/1.1', ...lines)}{"label":`)
  const taken = new Promise((resolve) =>
    api.app.server.once('request', (request) => request.once('close', resolve)),
  )
  connection.socket.end()
  await connection.closed
  connection.socket.destroy()
  await taken
  t.notMatch(api.logLines.join(''), /"level":(50|60)/)
})
