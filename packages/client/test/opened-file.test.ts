import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { fileNameError } from '@sotto/core'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { openLink, type OpenedFile } from '../src/index.ts'
import { isFileName } from '../src/opened-file.ts'
import { hastyClient, problem, startAnything } from './support/service.ts'

// The files of an open, against servers that send them whole, in parts, or not at all.

const content = Buffer.from('0123456789')
const etag = '"one"'
type Answer = (answer: ServerResponse, request: IncomingMessage) => void

/** All from where the request asks for it, or only so many bytes before the connection breaks. */
const part =
  (length = Infinity, headers: object = { etag }): Answer =>
  (answer, { headers: { range } }) => {
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
    const ofRest = { 'content-range': `bytes ${from}-9/10`, 'content-length': 10 - from }
    answer.writeHead(range === undefined ? 200 : 206, { ...(range !== undefined && ofRest), ...headers })
    answer.write(content.subarray(from, from + length), () => {
      if (length === Infinity) answer.end()
      else answer.destroy()
    })
  }
const text =
  (body: string, status = 200, headers: object = {}): Answer =>
  (answer) =>
    answer.writeHead(status, { ...headers }).end(body)

/** A link with one file, for which the server answers in turn; the last answer is for all further requests. */
async function startLink(t: Test, answers: readonly Answer[], file: object = {}) {
  const requests: IncomingMessage[] = []
  const origin = await startAnything(t, (request, answer) => {
    if (request.method === 'GET') {
      const next = answers[Math.min(requests.length, answers.length - 1)]
      requests.push(request)
      return next?.(answer, request)
    }
    const given = { name: 'a b.txt', size: 10, type: 'text/plain', url: `${origin}/f/ticket/1`, ...file }
    const data = { label: 'L', note: 'n', opens_left: 0, expires_at: '2026', files: [given] }
    answer.setHeader('content-type', 'application/json')
    return request
      .resume()
      .on('end', () => answer.end(JSON.stringify({ success: true, version: '1.0', data })))
  })
  const fetched: unknown[] = []
  const { client, waits } = hastyClient({
    baseUrl: origin,
    fetch: (url, options) => {
      fetched.push(url)
      return fetch(url, options)
    },
  })
  const { files } = await client.openLink(`${origin}/token`)
  const [opened] = files as [OpenedFile]
  const read = (options?: Parameters<OpenedFile['stream']>[0]) => new Response(opened.stream(options)).text()
  const asked = () => requests.map(({ headers }) => headers.range)
  return { origin, file: opened, read, requests, asked, waits, fetched }
}

t.test('a file has its name, size, type and address, and is asked for when it is read', async (t) => {
  const { origin, file, read, requests, fetched } = await startLink(t, [part()])
  t.match(file, { name: 'a b.txt', size: 10, type: 'text/plain', url: `${origin}/f/ticket/1` })
  const stream = file.stream()
  await setImmediate()
  t.strictSame(fetched, [`${origin}/token`])
  t.equal(await new Response(stream).text(), '0123456789')
  t.equal(await read(), '0123456789', 'and again, without another open')
  t.match(requests, [{ url: '/f/ticket/1', method: 'GET' }, {}])
  t.equal(
    requests[0]?.headers.accept,
    'application/octet-stream, application/json;q=0.9',
    'refusals are no pages',
  )
  t.notOk(requests.some(({ headers }) => 'authorization' in headers || 'range' in headers))
  t.equal((await openLink(`${origin}/token`)).files.length, 1)
})

t.test('an open without files has none', async (t) => {
  const data = { label: 'L', note: 'n', opens_left: 0, expires_at: '2026' }
  const json = { 'content-type': 'application/json' }
  for (const files of [undefined, []]) {
    const body = JSON.stringify({ success: true, data: { ...data, files } })
    const fetch = async () => new Response(body, { headers: json })
    t.strictSame((await openLink('http://x/t', { fetch })).files, [])
  }
  for (const files of [null, {}, [null], [{ name: 'n', size: '1', type: 't', url: 'u' }]]) {
    const body = JSON.stringify({ success: true, data: { ...data, files } })
    const fetch = async () => new Response(body, { headers: json })
    await t.rejects(openLink('http://x/t', { fetch }), { code: 'malformed_answer' })
  }
})

// Promise (Clients): An interrupted download of a file goes on from where it stopped, and ends with all of its bytes or an error
t.test('an interrupted download goes on from where it stopped', async (t) => {
  const { read, requests, asked, waits } = await startLink(t, [part(4), part(0), part(5), part()])
  t.equal(await read(), '0123456789')
  t.strictSame(asked(), [undefined, 'bytes=4-', 'bytes=4-', 'bytes=9-'])
  t.strictSame(
    requests.map(({ headers }) => headers['if-range']),
    [undefined, etag, etag, etag],
  )
  t.strictSame(waits, [0.5, 1, 0.5])
})

t.test('only a strong validator is sent with a range', async (t) => {
  for (const headers of [{}, { etag: 'W/"one"' }]) {
    const { read, requests } = await startLink(t, [part(4, headers), part()])
    t.equal(await read(), '0123456789')
    t.equal(requests[1]?.headers['if-range'], undefined)
  }
})

t.test('it goes on a bounded number of times, and ends with an error', async (t) => {
  const silent = await startLink(t, [part(3), part(0)])
  await t.rejects(silent.read(), { code: 'network_failure' })
  t.strictSame(silent.asked(), [undefined, 'bytes=3-', 'bytes=3-', 'bytes=3-'].slice(0, 3))
  const drop: Answer = (answer, request) => {
    const from = Number(/\d+/.exec(request.headers.range ?? '0')?.[0])
    const headers = { 'content-range': `bytes ${from}-99/100`, 'content-length': 100 - from }
    answer.writeHead(from === 0 ? 200 : 206, headers).write('.', () => answer.destroy())
  }
  const dripping = await startLink(t, [drop], { size: 100 })
  await t.rejects(dripping.read(), { code: 'network_failure' })
  t.equal(dripping.requests.length, 21)
})

t.test('a busy service is asked again after the time that it says', async (t) => {
  const busy = text(problem('Busy.'), 503, { 'retry-after': '3' })
  const { read, waits } = await startLink(t, [busy, part(4), busy, part()])
  t.equal(await read(), '0123456789')
  t.strictSame(waits, [3, 0.5, 3])
})

// Promise (Clients): An interrupted download of a file goes on from where it stopped, and ends with all of its bytes or an error: also
// when the service sends less or more than it said
t.test('a file that is shorter or longer than its size is an error', async (t) => {
  const unsatisfiable = text('', 416, { 'content-range': 'bytes */9' })
  const short = await startLink(t, [text('012345678'), unsatisfiable])
  await t.rejects(short.read(), { code: 'malformed_answer' })
  t.strictSame(short.asked(), [undefined, 'bytes=9-'])
  const long = await startLink(t, [text('0123456789A')])
  await t.rejects(long.read(), { code: 'malformed_answer', message: /longer/ })
  const longRest = await startLink(t, [
    part(4),
    text('456789A', 206, { 'content-range': 'bytes 4-9/10', etag }),
  ])
  await t.rejects(longRest.read(), { code: 'malformed_answer', message: /longer/ })
})

t.test('what is not the rest of the file is not put behind its beginning', async (t) => {
  for (const [status, range] of [
    [200, undefined],
    [206, 'bytes 3-9/10'],
    [206, 'bytes 4-9/11'],
    [206, 'bytes 4-8/10'],
    [206, undefined],
  ] as const) {
    const answer = text('456789', status, { ...(range !== undefined && { 'content-range': range }) })
    const { read } = await startLink(t, [part(4), answer])
    await t.rejects(read(), { code: 'malformed_answer', message: /rest/ }, `${status} ${range}`)
  }
  const { read } = await startLink(t, [text('0123', 206, { 'content-range': 'bytes 0-3/10' })])
  await t.rejects(read(), { code: 'malformed_answer' }, 'a part that nobody asked for')
})

t.test('a connection that breaks behind the last byte, and an empty file', async (t) => {
  const whole: Answer = (answer) =>
    answer.writeHead(200, { 'content-length': 11 }).write(content, () => answer.destroy())
  const { read, requests } = await startLink(t, [whole])
  t.equal(await read(), '0123456789')
  t.equal(requests.length, 1)
  const empty = await startLink(t, [text('')], { size: 0 })
  t.equal(await empty.read(), '')
})

t.test('a ticket that has ended is not found, at once', async (t) => {
  const { read, waits } = await startLink(t, [part(4), text(problem('Gone.'), 404)])
  await t.rejects(read(), { code: 'not_found', status: 404 })
  t.strictSame(waits, [0.5])
})

// Promise (Clients): A file is fetched from the origin of its link and from nowhere else
t.test('no other origin than the link’s is asked for a file, and no redirect is followed', async (t) => {
  const elsewhere: IncomingMessage[] = []
  const other = await startAnything(t, (request, answer) => {
    elsewhere.push(request)
    answer.end(content)
  })
  for (const url of [`${other}/f/ticket/1`, '/f/ticket/1', '', 'file:///etc/passwd', 'data:,0123456789']) {
    const { read, requests } = await startLink(t, [part()], { url })
    await t.rejects(read(), { code: 'malformed_answer', message: /another address/ }, url)
    t.equal(requests.length, 0)
  }
  const { read } = await startLink(t, [text('', 307, { location: other })])
  await t.rejects(read(), { code: 'redirected' })
  t.equal(elsewhere.length, 0)
})

t.test('a download is aborted by its signal, also while it waits', async (t) => {
  const reason = new Error('enough')
  const abort = new AbortController()
  const hanging: Answer = (answer) => {
    answer.on('close', () => closed.resolve(undefined))
    answer.writeHead(200, { 'content-length': 10 }).write('0123', () => abort.abort(reason))
  }
  const closed = Promise.withResolvers<unknown>()
  const { read, requests } = await startLink(t, [hanging])
  await t.rejects(read({ signal: abort.signal }), reason)
  await closed.promise
  await t.rejects(read({ signal: abort.signal }), reason, 'aborted before')
  t.equal(requests.length, 1)
})

t.test('a reader that leaves closes the connection', async (t) => {
  const closed = Promise.withResolvers<unknown>()
  const hanging: Answer = (answer) => {
    answer.on('close', () => closed.resolve(undefined))
    answer.writeHead(200, { 'content-length': 10 }).write('0123')
  }
  const { file, requests } = await startLink(t, [hanging])
  for await (const piece of file.stream()) {
    t.equal(Buffer.from(piece).toString(), '0123')
    break
  }
  await closed.promise
  const reader = file.stream().getReader()
  await reader.read()
  const waiting = reader.read()
  await reader.cancel()
  t.strictSame(await waiting, { done: true, value: undefined }, 'also while it waits for more')
  t.equal(requests.length, 2)
})

// Promise (Clients): The name of a file leaves no directory and controls no terminal
t.test('a name that could leave a directory or control a terminal becomes another one', async (t) => {
  for (const name of [
    '',
    '.',
    '..',
    '/etc/passwd',
    'a/b',
    'a\\b',
    '../a',
    'a\0',
    'a\u001b[2J',
    'a\u009b',
    'a\nb',
  ]) {
    t.notOk(isFileName(name), JSON.stringify(name))
    t.equal((await startLink(t, [part()], { name })).file.name, 'file-1')
  }
  for (const name of ['a\u202egpj.exe', 'a\u2066', 'a\u061c', 'a\u2028', ' ', '\u200b', '\u3164', '\ud800'])
    t.notOk(isFileName(name), encodeURIComponent(name.toWellFormed()))
  for (const name of ['x'.repeat(256), 'ü'.repeat(128)]) t.notOk(isFileName(name), 'too long')
  for (const name of [
    'a',
    '.env',
    '...',
    'a b.tar.gz',
    'paß.pdf',
    'x'.repeat(255),
    '履歴書 🔑.pdf',
    'a:b',
    '-rf',
  ])
    t.ok(isFileName(name), JSON.stringify(name))
})

t.test('every name that the core accepts is kept', async (t) => {
  const parts = fc.constantFrom(
    'a',
    '.',
    '/',
    '\\',
    '\0',
    '\n',
    '\u0085',
    '\u2028',
    '\u202e',
    '\u200d',
    '\ud83d',
    '\udd11',
    'ü',
    '🔑',
  )
  const names = fc.oneof(
    fc.array(parts, { maxLength: 4 }),
    fc.tuple(parts, fc.constantFrom('x'.repeat(252), 'x'.repeat(254))),
  )
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(names, (name) => isFileName(name.join('')) || fileNameError(name.join('')) !== undefined),
      { numRuns: 2_000 },
    ),
  )
})
