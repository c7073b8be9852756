import { execFile } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createReadStream, openAsBlob, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { exampleSecret, hastyClient, problem, startAnything } from './support/service.ts'

// Creating a secret with files, against servers that look at what arrives.

const newSecret = { label: 'L', note: 'n', folderId: exampleSecret.folder_id, openLimit: 1 }
const created = JSON.stringify({ success: true, version: '1.0', data: exampleSecret })
const sentFields = { label: 'L', note: 'n', folder_id: exampleSecret.folder_id, open_limit: 1 }

interface Part {
  readonly head: string
  readonly body: string
}

/** The parts of a form, as RFC 7578 has them. */
function partsOf({ headers }: IncomingMessage, bytes: Buffer): readonly Part[] {
  const [, boundary = ''] =
    /^multipart\/form-data; ?boundary=(\S+)$/.exec(headers['content-type'] ?? '') ?? []
  const parts = bytes.toString('latin1').split(`--${boundary}`)
  return parts.slice(1, -1).map((part) => {
    const end = part.indexOf('\r\n\r\n')
    return { head: Buffer.from(part.slice(2, end), 'latin1').toString(), body: part.slice(end + 4, -2) }
  })
}

/** A server that answers when all of a request has arrived. */
function startReceiver(
  t: Test,
  answerTo: (request: IncomingMessage, bytes: Buffer, answer: ServerResponse) => void,
): Promise<string> {
  return startAnything(t, (request, answer) => {
    const answerNow = (bytes: Buffer): void => answerTo(request, bytes, answer)
    buffer(request).then(answerNow, () => answer.destroy())
  })
}

t.test('files follow the secret as parts of a form, byte for byte', async (t) => {
  const path = join(t.testdir({ 'photo.jpg': Buffer.from([0, 255, 13, 10, 45, 45]) }), 'photo.jpg')
  let seen: readonly Part[] = []
  let request: IncomingMessage | undefined
  const origin = await startReceiver(t, (incoming, bytes, answer) => {
    request = incoming
    seen = partsOf(incoming, bytes)
    answer.writeHead(201, { 'content-type': 'application/json' }).end(created)
  })
  const { client } = hastyClient({ baseUrl: origin })
  const files = [
    new File([await openAsBlob(path)], 'Paß 🔑.jpg', { type: 'image/jpeg' }),
    new File(['text'], 'a\\b "c".txt'),
    new File([], 'empty'),
  ]
  const secret = await client.createSecret({ ...newSecret, files }, { idempotencyKey: 'k' })
  t.equal(secret.id, exampleSecret.id)
  const [first, ...rest] = seen
  t.equal(first?.head, 'Content-Disposition: form-data; name="secret"\r\nContent-Type: application/json')
  t.strictSame(JSON.parse(first?.body ?? ''), sentFields)
  t.match(rest, [
    {
      head: /^Content-Disposition: form-data; name="file"; filename="Paß 🔑.jpg"\r\nContent-Type: image\/jpeg$/,
    },
    {
      head: /name="file"; filename="a\\b %22c%22.txt"\r\nContent-Type: application\/octet-stream$/,
      body: 'text',
    },
    { head: /name="file"; filename="empty"/, body: '' },
  ])
  t.equal(rest[0]?.body, '\0\u00ff\r\n--')
  t.match(request?.headers, {
    'idempotency-key': 'k',
    authorization: 'Bearer sotto_any',
    'content-length': /^\d+$/,
  })
})

t.test('a file alone is sent without a note', async (t) => {
  const seen: unknown[] = []
  const origin = await startReceiver(t, (incoming, bytes, answer) => {
    seen.push(JSON.parse(partsOf(incoming, bytes)[0]?.body ?? ''))
    answer.writeHead(201, { 'content-type': 'application/json' }).end(created)
  })
  const { client } = hastyClient({ baseUrl: origin })
  const { note: _, ...fields } = newSecret
  await client.createSecret({ ...fields, files: [new File(['text'], 'a')] })
  const { note: __, ...sent } = sentFields
  t.strictSame(seen, [sent])
})

t.test('without files JSON is sent, as before', async (t) => {
  for (const files of [undefined, []]) {
    const origin = await startReceiver(t, (request, bytes, answer) => {
      t.equal(request.headers['content-type'], 'application/json')
      t.strictSame(JSON.parse(String(bytes)), sentFields)
      answer.writeHead(201, { 'content-type': 'application/json' }).end(created)
    })
    await hastyClient({ baseUrl: origin }).client.createSecret({ ...newSecret, files })
  }
  t.plan(4)
})

t.test('files are sent again with the same key, and never without one', async (t) => {
  const bodies: string[] = []
  const origin = await startReceiver(t, (request, bytes, answer) => {
    bodies.push((partsOf(request, bytes)[1] ?? { body: '' }).body)
    if (bodies.length % 2 === 1) answer.destroy()
    else answer.writeHead(201, { 'content-type': 'application/json' }).end(created)
  })
  const { client } = hastyClient({ baseUrl: origin })
  const files = [new File(['again'], 'a')]
  await client.createSecret({ ...newSecret, files }, { idempotencyKey: 'k' })
  t.strictSame(bodies, ['again', 'again'])
  await t.rejects(client.createSecret({ ...newSecret, files }), { code: 'network_failure' })
  t.equal(bodies.length, 3)
})

t.test('a file that changed since is no secret', async (t) => {
  const path = join(t.testdir({ a: 'before' }), 'a')
  const origin = await startAnything(t, (request) => request.resume())
  const files = [new File([await openAsBlob(path)], 'a')]
  writeFileSync(path, 'changed since')
  const { client, waits } = hastyClient({ baseUrl: origin })
  const call = client.createSecret({ ...newSecret, files }, { idempotencyKey: 'k' })
  await t.rejects(call, { code: 'file_unreadable', status: undefined })
  t.strictSame(waits, [], 'it is not tried again')
})

t.test('a redirect is not followed with files', async (t) => {
  let isFollowed = false
  const target = await startAnything(t, () => void (isFollowed = true))
  const origin = await startAnything(t, (request, answer) => {
    request.resume().on('end', () => answer.writeHead(307, { location: target }).end())
  })
  const { client } = hastyClient({ baseUrl: origin })
  const files = [new File(['a'], 'a')]
  await t.rejects(client.createSecret({ ...newSecret, files }), { code: 'redirected', status: undefined })
  t.notOk(isFollowed)
})

t.test('a refusal that comes before all files are sent is that refusal', async (t) => {
  const path = join(t.testdir({ a: '' }), 'a')
  truncateSync(path, 30_000_000)
  const origin = await startAnything(t, (request, answer) => {
    request.once('data', () => {
      answer.writeHead(413, { 'content-type': 'application/json', connection: 'close' })
      answer.end(problem('A file is larger than 26214400 bytes.'))
      request.resume()
    })
  })
  const { client } = hastyClient({ baseUrl: origin })
  const files = [new File([await openAsBlob(path)], 'a')]
  const refused = { code: 'too_large', status: 413, message: 'A file is larger than 26214400 bytes.' }
  await t.rejects(client.createSecret({ ...newSecret, files }), refused)
})

t.test('what a proxy refuses because of its length is too large, not another service', async (t) => {
  const html = { 'content-type': 'text/html' }
  const origin = await startAnything(t, (request, answer) => {
    request.resume().on('end', () => answer.writeHead(413, html).end('<h1>413 Request Entity Too Large</h1>'))
  })
  const { client } = hastyClient({ baseUrl: origin })
  const files = [new File(['a'], 'a')]
  await t.rejects(client.createSecret({ ...newSecret, files }), { code: 'too_large', status: undefined })
})

// Promise (Clients): A file that is sent or fetched is never in memory as a whole
t.test('a file of 300 MB is sent and fetched in a fraction of its size', async (t) => {
  const size = 300_000_000
  const path = join(t.testdir({ large: '' }), 'large')
  truncateSync(path, size)
  let sent = 0
  const origin = await startAnything(t, (request, answer) => {
    if (request.method === 'GET') return createReadStream(path).pipe(answer)
    const files = [{ name: 'large', size, type: 'a/b', url: `${origin}/f/ticket/1` }]
    const opened = { label: 'L', note: 'n', opens_left: 0, expires_at: '2026', files }
    const data = request.url === '/token' ? opened : exampleSecret
    answer.writeHead(200, { 'content-type': 'application/json' })
    request.on('data', (piece: Buffer) => (sent += piece.length))
    return request.on('end', () => answer.end(JSON.stringify({ success: true, version: '1.0', data })))
  })
  const transfer = join(import.meta.dirname, 'support', 'transfer.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [transfer, origin, path])
  const { received, grownBy } = JSON.parse(stdout) as { received: number; grownBy: number }
  t.ok(sent > size)
  t.equal(received, size)
  t.ok(grownBy < size / 2, `${Math.round(grownBy / 1e6)} MB`)
})
