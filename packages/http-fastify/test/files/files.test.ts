import type { FullPorts } from '@sotto/identity'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expectOk } from '@sotto/test-kit'
import { err, ok, ResultAsync } from 'neverthrow'
import t, { type Test } from 'tap'
import { downloadsMax, limitsOf } from '../../src/http/bodies/server-limits.ts'
import { boundFile } from '../../src/files/routes.ts'
import { acquireAll } from '../support/semaphore.ts'
import { firstAnswer, head, open } from '../support/raw.ts'
import { comparableHeaders, startLinks, type Links, type LinksOptions } from '../support/links.ts'

const chunk = 65_536
const files = { maxBytes: 10 * chunk, accountMaxBytes: 100 * chunk }
const digits = Buffer.from('0123456789')

const start = (t: Test, options: LinksOptions = {}) => startLinks(t, { files, ...options })

interface Opened {
  readonly data: { readonly files?: readonly { readonly url: string }[] }
}

/** Opens a link. @returns the paths of its files */
async function openFiles({ openJson }: Links, path: string): Promise<string[]> {
  const opened = (await openJson(path)).json<Opened>()
  return (opened.data.files ?? []).map(({ url }) => new URL(url).pathname)
}

/** One file with ten bytes, and its path. */
async function startDigits(t: Test, options?: LinksOptions) {
  const links = await start(t, options)
  const { secret, path } = await links.shareFiles({ 'digits.txt': digits }, { openLimit: 1 })
  const [url = ''] = await openFiles(links, path)
  const get = (headers: Record<string, string> = {}, method = 'GET') =>
    links.request(method, url, { headers: { accept: 'application/json', ...headers } })
  return { links, secret, url, get }
}

// Promise (Files): The answer of an open lists the files, each with an address from which it is saved for one hour
t.test('an open lists the files, and each is fetched from its address', async (t) => {
  const links = await start(t)
  const long = Buffer.alloc(3 * chunk + 7, 'long')
  const { path } = await links.shareFiles({ 'Ünï.txt': long, empty: Buffer.alloc(0) }, { openLimit: 1 })
  const opened = (await links.openJson(path)).json<Opened>()
  t.match(opened.data.files, [
    {
      name: 'Ünï.txt',
      size: long.length,
      type: 'text/plain',
      url: /^http:\/\/localhost:3000\/f\/[\w-]{43}\/1$/,
    },
    { name: 'empty', size: 0, type: 'text/plain', url: /^http:\/\/localhost:3000\/f\/[\w-]{43}\/2$/ },
  ])
  const [first = '', second = ''] = (opened.data.files ?? []).map(({ url }) => new URL(url).pathname)
  for (let time = 0; time < 2; time += 1) {
    const got = await links.request('GET', first)
    t.equal(got.statusCode, 200)
    t.ok(got.rawPayload.equals(long))
    t.equal((await links.request('GET', second)).rawPayload.length, 0)
  }
  const without = await links.share()
  t.notOk('files' in (await links.openJson(without.path)).json<Opened>().data)
})

// Promise (Files): A file is always saved and never shown, whatever its type
t.test('a file is saved, never shown, cached or sniffed', async (t) => {
  const { get } = await startDigits(t)
  const { statusCode, headers } = await get()
  const { date: _, connection: __, etag, ...rest } = headers
  t.equal(statusCode, 200)
  t.match(etag, /^"[0-9a-f]{64}"$/)
  t.strictSame(rest, {
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
    'content-disposition': 'attachment; filename="digits.txt"',
    'content-length': '10',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'content-type': 'application/octet-stream',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    vary: 'Accept, Accept-Language',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow, noarchive',
  })
  const only = await get({}, 'HEAD')
  t.equal(only.body, '')
  t.strictSame(comparableHeaders(only), comparableHeaders(await get()))
})

// Promise (Files): A download that broke off at any byte is continued, and costs no further open
t.test('a download is continued from any byte', async (t) => {
  const links = await start(t)
  const content = Buffer.from(Array.from({ length: 2 * chunk + 3 }, (_, at) => at % 251))
  const { secret, path } = await links.shareFiles({ a: content }, { openLimit: 1 })
  const [url = ''] = await openFiles(links, path)
  const etag = String((await links.request('HEAD', url)).headers.etag)
  for (const at of [1, chunk - 1, chunk, chunk + 1, 2 * chunk, content.length - 1]) {
    const range = { range: `bytes=${at}-`, 'if-range': etag }
    const rest = await links.request('GET', url, { headers: range })
    t.equal(rest.statusCode, 206)
    t.equal(rest.headers['content-range'], `bytes ${at}-${content.length - 1}/${content.length}`)
    t.ok(rest.rawPayload.equals(content.subarray(at)), `from ${at}`)
  }
  t.equal(links.opens(secret), 1)
})

t.test('a part is sent when one is asked for that is there', async (t) => {
  const { get } = await startDigits(t)
  const cases: readonly (readonly [Record<string, string>, number, string, string?])[] = [
    [{ range: 'bytes=0-0' }, 206, '0', 'bytes 0-0/10'],
    [{ range: 'bytes=2-5' }, 206, '2345', 'bytes 2-5/10'],
    [{ range: 'bytes=8-99' }, 206, '89', 'bytes 8-9/10'],
    [{ range: 'bytes=-3' }, 206, '789', 'bytes 7-9/10'],
    [{ range: 'bytes=0-1,4-5' }, 200, '0123456789'],
    [{ range: 'items=0-1' }, 200, '0123456789'],
    [{ range: 'bytes=2-5', 'if-range': '"another"' }, 200, '0123456789'],
    [{ range: 'bytes=2-5', 'if-range': 'Thu, 26 Nov 2026 12:00:00 GMT' }, 200, '0123456789'],
  ]
  for (const [headers, status, body, contentRange] of cases) {
    const got = await get(headers)
    const what = JSON.stringify(headers)
    t.equal(got.statusCode, status, what)
    t.equal(got.body, body, what)
    t.equal(got.headers['content-range'], contentRange, what)
    t.equal(got.headers['content-length'], String(body.length), what)
  }
  t.match(await get({ range: 'bytes=2-5' }, 'HEAD'), { statusCode: 200, headers: { 'content-length': '10' } })
  const beyond = await get({ range: 'bytes=10-' })
  t.match(beyond, { statusCode: 416, headers: { 'content-range': 'bytes */10' } })
  t.match(beyond.json(), { success: false, message: 'The file has no such range.' })
})

t.test('conditions that name the file are kept', async (t) => {
  const { get } = await startDigits(t)
  const etag = String((await get()).headers.etag)
  const known = await get({ 'if-none-match': etag })
  t.match(known, { statusCode: 304, body: '', headers: { etag } })
  t.equal((await get({ 'if-match': '"another"', range: 'bytes=2-' })).statusCode, 412)
  t.equal((await get({ 'if-match': etag, range: 'bytes=8-' })).body, '89')
})

// Promise (Files): An unknown, an ended and a destroyed ticket are the same 404
t.test('unknown, ended and destroyed tickets, and numbers that are none, are identical', async (t) => {
  const { links, secret, url, get } = await startDigits(t)
  const base = url.slice(0, -1)
  const nonexistent = ['0', '2', '11', '01', '1.0', '-1', 'x', '%31x', '1%2F'].map((number) => base + number)
  const others = [
    `/f/${'A'.repeat(43)}/1`,
    '/f/x/1',
    '/f/x',
    '/f/',
    `${url}/x`,
    `/f/${secret.link.token}/1`,
    `${url.slice(0, -3)}/1`,
  ]
  for (const [accept, says] of [
    ['application/json', 'There is no such file.'],
    ['text/html', 'The files can no longer be saved here.'],
  ] as const) {
    const expected = await links.request('GET', '/f/unknown/1', { headers: { accept } })
    t.equal(expected.statusCode, 404)
    t.match(expected.body, says)
    for (const path of [...nonexistent, ...others]) {
      const got = await links.request('GET', path, { headers: { accept } })
      t.strictSame(comparableHeaders(got), comparableHeaders(expected), path)
      t.equal(got.body, expected.body, path)
    }
  }
  const ended = await startDigits(t)
  ended.links.clock.advance(3_600_000_000 - 1)
  t.equal((await ended.get()).statusCode, 200)
  ended.links.clock.advance(1)
  t.equal((await ended.get()).statusCode, 404)
  t.equal((await get()).statusCode, 200)
  expectOk(await links.sotto.destroySecret({ accountId: accountOf(links), id: secret.id }))
  t.equal((await get()).statusCode, 404)
})

const accountOf = ({ memory }: Links): string => [...memory.data.accounts.keys()][0] ?? ''

t.test('a file is only read', async (t) => {
  const { get } = await startDigits(t)
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
    t.match(await get({}, method), { statusCode: 405, headers: { allow: 'GET, HEAD' } })
})

t.test('without the use-case of files, links have none', async (t) => {
  const { url } = await startDigits(t)
  const other = await startLinks(t)
  t.equal((await other.request('GET', url)).statusCode, 404)
})

/** A store whose contents are read as the test says. */
const reading = (read: FullPorts['fileContents']['read']) => ({
  replace: ({ fileContents }: FullPorts) => ({ fileContents: { ...fileContents, read } }),
})

// Promise (Files): A damaged or missing file is an error, never a shorter one
t.test('what is damaged or missing at the first byte is 500 or 503, and logged', async (t) => {
  for (const [error, status] of [
    [{ code: 'file_missing', id: 'id' }, 500],
    [{ code: 'storage_failed', detail: 'detail' }, 500],
    [{ code: 'storage_unavailable', reason: 'busy' }, 503],
  ] as const) {
    const { links, get } = await startDigits(
      t,
      reading(async function* () {
        yield await Promise.resolve(err(error))
      }),
    )
    const got = await get()
    t.equal(got.statusCode, status)
    t.match(got.json(), { success: false })
    t.notOk('content-disposition' in got.headers)
    t.match(links.logLines.join(''), error.code)
    t.equal((await get({}, 'HEAD')).statusCode, 200)
  }
  const { links, get } = await startDigits(t)
  for (const content of links.memory.fileContents.contents.values())
    content.bytes[40] = 1 + (content.bytes[40] ?? 0)
  t.equal((await get()).statusCode, 500)
  t.match(links.logLines.join(''), 'data_damaged')
})

t.test('a file that turns out damaged is cut off: the client sees that bytes are missing', async (t) => {
  const links = await start(t, {
    replace: ({ fileCipher }) => ({
      fileCipher: {
        ...fileCipher,
        decryptFile: async function* () {
          yield await Promise.resolve(ok(Buffer.from('01234')))
          yield err({ code: 'data_damaged', what: 'file', id: 'id' } as const)
        },
      },
    }),
  })
  const { path } = await links.shareFiles({ 'digits.txt': digits })
  const [url = ''] = await openFiles(links, path)
  const { socket, closed } = await open(await links.listen())
  socket.write(head(`GET ${url} HTTP/1.1`, 'Host: localhost:3000'))
  const answer = firstAnswer(await closed)
  t.match(answer, { status: 200, headers: { 'content-length': '10' } })
  t.ok('01234'.startsWith(answer.body))
  t.match(links.logLines.join(''), 'data_damaged')
})

/** A service whose files have no end. */
function startEndless(t: Test, onOver: () => void = () => undefined): Promise<Links> {
  return start(t, {
    replace: ({ fileCipher }) => ({
      fileCipher: {
        ...fileCipher,
        decryptFile: async function* () {
          try {
            for (;;) yield await Promise.resolve(ok(Buffer.alloc(chunk)))
          } finally {
            onOver()
          }
        },
      },
    }),
  })
}

t.test('when the client leaves, its file is read no further', async (t) => {
  const state = { isOver: false }
  const links = await startEndless(t, () => (state.isOver = true))
  const { path } = await links.shareFiles({ 'digits.txt': digits })
  const [url = ''] = await openFiles(links, path)
  const { socket, received } = await open(await links.listen())
  socket.write(head(`GET ${url} HTTP/1.1`, 'Host: localhost:3000'))
  await received('200 OK')
  socket.destroy()
  while (!state.isOver || !acquireAll(limitsOf(links.app.server).downloads, downloadsMax))
    await setImmediate()
  t.notMatch(links.logLines.join(''), /"level":(?:40|50|60)/)
})

// Promise (Files): 128 files are fetched at the same time in a process: then 503
t.test('beyond 128 downloads at the same time the answer is 503', async (t) => {
  const { links, get } = await startDigits(t)
  t.ok(acquireAll(limitsOf(links.app.server).downloads, downloadsMax))
  t.match(await get(), { statusCode: 503, headers: { 'retry-after': '5' } })
  t.equal((await get({}, 'HEAD')).statusCode, 200)
  limitsOf(links.app.server).downloads.release('other 0')
  t.equal((await get()).statusCode, 200)
  t.equal((await get()).statusCode, 200)
})

// Promise (Files): Whoever has one link, or one address, cannot keep everybody else from their files
t.test('once half of the permits are taken, a link and an address have six at most', async (t) => {
  const links = await startEndless(t)
  const [one = '', other = ''] = await openFiles(
    links,
    (await links.shareFiles({ 'one.txt': digits, 'other.txt': digits })).path,
  )
  const [third = ''] = await openFiles(links, (await links.shareFiles({ 'third.txt': digits })).path)
  const { downloads } = limitsOf(links.app.server)
  t.ok(acquireAll(downloads, downloadsMax / 2 - 1))
  const port = await links.listen()
  const fetch = async (url: string, localAddress: string, status: string) => {
    const { socket, received } = await open(port, { localAddress })
    socket.write(head(`GET ${url} HTTP/1.1`, 'Host: localhost:3000'))
    await received(status)
    socket.pause()
    return socket
  }
  const [busy, begun] = ['503 Service Unavailable', '200 OK']
  const sockets = []
  for (let permit = 0; permit < 6; permit += 1)
    sockets.push(await fetch(permit % 2 === 0 ? one : other, `127.0.0.${permit < 3 ? 1 : 2}`, begun))
  sockets.push(await fetch(one, '127.0.0.3', busy), await fetch(other, '127.0.0.3', busy))
  for (let permit = 0; permit < 3; permit += 1) sockets.push(await fetch(third, '127.0.0.1', begun))
  sockets.push(await fetch(third, '127.0.0.1', busy), await fetch(third, '127.0.0.3', begun))
  for (const socket of sockets) socket.destroy()
  while (!acquireAll(downloads, downloadsMax / 2 + 1)) await setImmediate()
})

// Promise (Files): A reader that takes little cannot hold a place for longer than an hour
t.test('a file is cut off after an hour, and a large one when it could have been there at 64 KiB/s', (t) => {
  const cutAfter = (bytes: number): readonly number[] => {
    const longest: number[] = []
    const answer = Object.assign(new PassThrough(), { socket: null })
    const cut = (): number => longest.push(millis)
    let millis = 0
    boundFile(answer, bytes, cut, (after, callBack) => {
      millis = after
      if (after > 60_000) callBack()
      return () => undefined
    })
    return longest
  }
  t.same(cutAfter(1), [3_600_000])
  t.same(cutAfter(225 * 1024 * 1024), [3_600_000])
  t.same(cutAfter(1024 * 1024 * 1024), [16_384_000])
  t.same(cutAfter(2 ** 40), [2 ** 31 - 1], 'no timer waits longer')
  t.end()
})

// Promise (Files): A client that has left before its download begins takes none of the 128 places
t.test('a client that leaves while its ticket is looked up takes no permit', async (t) => {
  const begun = Promise.withResolvers<undefined>()
  const gate = Promise.withResolvers<undefined>()
  const answered = Promise.withResolvers<undefined>()
  const links = await start(t, {
    replace: ({ secretFiles }) => ({
      secretFiles: {
        ...secretFiles,
        findTicket(...given) {
          begun.resolve(undefined)
          return new ResultAsync(gate.promise.then(async () => secretFiles.findTicket(...given)))
        },
      },
    }),
    prepare: (app) =>
      app.addHook('onSend', ({ url }, _reply, _payload, done) => {
        if (url.startsWith('/f/')) answered.resolve(undefined)
        done()
      }),
  })
  const { path } = await links.shareFiles({ 'digits.txt': digits })
  const [url = ''] = await openFiles(links, path)
  const { socket } = await open(await links.listen())
  const asked = once(links.app.server, 'request') as Promise<[unknown, ServerResponse]>
  socket.write(head(`GET ${url} HTTP/1.1`, 'Host: localhost:3000'))
  await begun.promise
  const [, answer] = await asked
  const left = once(answer, 'close')
  socket.destroy()
  await left
  gate.resolve(undefined)
  await answered.promise
  t.ok(acquireAll(limitsOf(links.app.server).downloads, downloadsMax), 'all are free')
})

// Promise (Files): Logs never hold a ticket
t.test('no log line contains any part of a ticket or the name of a file', async (t) => {
  for (const withFastifyDefaults of [false, true]) {
    const { links, url, get } = await startDigits(t, { withFastifyDefaults })
    for (const method of ['GET', 'HEAD', 'POST', 'PUT']) {
      await get({}, method)
      for (const path of [`${url}0`, `${url}/x`, `${url}?a=b`, url.slice(0, -1)])
        await links.request(method, path, { headers: { range: 'bytes=99-' } })
    }
    links.memory.fileContents.contents.clear()
    await get()
    const log = links.logLines.join('')
    t.match(log, 'file_missing')
    t.notMatch(log, url.slice(3, 20))
    t.notMatch(log, 'digits')
  }
})
