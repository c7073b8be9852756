import type { FullPorts } from '@sotto/identity'
import { setImmediate } from 'node:timers/promises'
import { expectOk, failing } from '@sotto/test-kit'
import { ok } from 'neverthrow'
import t, { type Test } from 'tap'
import { allowedWhile } from '../../src/http/bodies/incoming-form.ts'
import { answerUploadsMax, limitsOf, longBodiesMax } from '../../src/http/bodies/server-limits.ts'
import { browserAccept, formIdOf, startLinks, type Links, type LinksOptions } from '../support/links.ts'
import {
  bytesOf,
  disposition,
  inPieces,
  multipartBody,
  multipartType,
  type SentPart,
} from '../support/multipart.ts'
import { firstAnswer, head, open } from '../support/raw.ts'
import { acquireAll } from '../support/semaphore.ts'

/** Room for twelve files, each of which counts 4,096 bytes and what the cipher adds to them. */
const files = { maxBytes: 1_000, accountMaxBytes: 12 * 4_128 }

const answerPart = (json: object = { note: 'note' }): SentPart => [
  [disposition('answer'), 'Content-Type: application/json'],
  JSON.stringify(json),
]
const file = (name: string, content: string | Uint8Array = name): SentPart => [
  [disposition('file', name), 'Content-Type: text/plain'],
  content,
]
const chosen = (name: string, content: string | Uint8Array = name): SentPart => [
  disposition('files', name),
  content,
]
const noFile: SentPart = [[disposition('files', ''), 'Content-Type: application/octet-stream'], '']

async function start(t: Test, options: LinksOptions = {}) {
  const links = await startLinks(t, { files, ...options })
  const asked = await links.ask({ takesFiles: true, answersAllowed: 2 })
  const send = (parts: readonly SentPart[], headers: Record<string, string> = {}, path = asked.path) =>
    links.request('POST', path, {
      headers: { 'content-type': multipartType, ...headers },
      body: multipartBody(parts),
    })
  /** As the form of the page sends it. */
  const submit = (
    fields: Record<string, string>,
    sent: readonly SentPart[] = [noFile],
    path = asked.path,
  ) => {
    const parts = Object.entries(fields).map(([name, value]): SentPart => [disposition(name), value])
    return send([...parts, ...sent], { accept: browserAccept, 'sec-fetch-site': 'same-origin' }, path)
  }
  return { ...links, links, ...asked, send, submit }
}

const counts = ({ memory }: Pick<Links, 'memory'>) => ({
  contents: memory.fileContents.contents.size,
  rows: memory.data.files.size,
  counted: memory.data.counted.size,
  drafts: memory.data.secrets.size,
})
const nothing = { contents: 0, rows: 0, counted: 0, drafts: 0 }

/** The drafts with their files, as the owner reads them. */
async function received({ sotto, memory }: Pick<Links, 'sotto' | 'memory'>) {
  const drafts = [...memory.data.secrets.values()].map(async ({ secret: { id, accountId } }) => {
    const { note, files } = expectOk(await sotto.getDraft({ accountId, id }))
    const texts = files.map(async ({ name }, at) => {
      const { read } = expectOk(await sotto.readDraftFile({ accountId, id, number: at + 1 }))
      return [name, (await bytesOf(read())).toString()]
    })
    return { note, files: Object.fromEntries(await Promise.all(texts)) as Record<string, string> }
  })
  return Promise.all(drafts)
}

// Promise (Requests): Where a request takes files, an answer carries some, and they belong to the draft that it becomes
t.test('a program sends the part answer first, then its files', async (t) => {
  const started = await start(t)
  const { send, visit, path, request } = started
  const preview = await started.links.request('GET', path, { headers: { accept: 'application/json' } })
  t.match(preview.json(), { data: { takes_files: true } })
  const sent = await send([answerPart(), file('ä.pdf', 'x\r\n--'), file('b', '')])
  t.equal(sent.statusCode, 201)
  t.match(sent.json(), { success: true, data: { received_at: /Z$/ } })
  t.same(await received(started), [{ note: 'note', files: { 'ä.pdf': 'x\r\n--', b: '' } }])
  const alone = await send([[disposition('answer'), '{}'], file('c')])
  t.equal(alone.statusCode, 201, 'the part needs no type, and no note beside a file')
  t.same((await received(started))[1], { note: '', files: { c: 'c' } })
  t.equal((await visit(path)).statusCode, 404)
  t.equal(request.takesFiles, true)
  t.notMatch(started.logLines.join(''), path.slice(3))
})

// Promise (Requests): The form with files works without script; sent twice it is one draft and one receipt
t.test('the form of the page takes text, files, or both, and is handed in once', async (t) => {
  const started = await start(t)
  const { submit, visit, path } = started
  const page = await visit(path)
  t.match(page.body, 'enctype="multipart/form-data"')
  t.match(page.body, /<input type="file" id="files" name="files" multiple/)
  t.match(page.body, 'at most 10, of up to 1,000 bytes each')
  t.notMatch(page.body, /<textarea[^>]* required/)
  const form_id = formIdOf(page)
  const sent = await submit({ form_id, note: 'one\r\ntwo' }, [chosen('a'), chosen('b')])
  t.equal(sent.statusCode, 201)
  t.match(sent.body, 'Your answer was received')
  const before = counts(started)
  const again = await submit({ form_id, note: 'one\r\ntwo' }, [chosen('a'), chosen('b')])
  t.equal(again.statusCode, 201)
  t.equal(again.body, sent.body)
  t.same(counts(started), before, 'the second upload leaves nothing')
  t.equal((await submit({ form_id: '0'.repeat(32), note: 'text' })).statusCode, 201, 'no file is chosen')
  t.equal((await submit({ form_id, note: '' }, [chosen('a')])).statusCode, 201, 'also when it is full')
  t.same(await received(started), [
    { note: 'one\ntwo', files: { a: 'a', b: 'b' } },
    { note: 'text', files: {} },
  ])
})

// Promise (Requests): Nothing that was typed is lost when an answer with files is refused
t.test('a refused form has what was typed, and says that files have to be chosen again', async (t) => {
  const started = await start(t)
  const { submit, links } = started
  const many = Array.from({ length: 11 }, (_, at) => chosen(`${at}`))
  const refusals: readonly [number, string, readonly SentPart[]][] = [
    [413, 'A file is larger than 1,000 bytes.', [chosen('a', 'x'.repeat(1_001))]],
    [413, 'There is no room for these files', [chosen('a', 'x'.repeat(900_000))]],
    [400, 'There are more than 10 files.', many],
    [400, 'Rename the file.', [chosen('a\u202eb')]],
    [400, 'Rename the file.', [chosen('a%0Ab')]],
    [400, 'did not arrive completely', [chosen('a'), [disposition('other', 'b'), 'x']]],
  ]
  for (const [status, words, parts] of refusals) {
    const { statusCode, body } = await submit({ form_id: '1'.repeat(32), note: 'kept text' }, parts)
    t.equal(statusCode, status, words)
    t.match(body, words)
    t.match(body, 'Choose the files again')
    t.match(body, 'kept text</textarea>')
    t.match(body, '1'.repeat(32), 'its id')
    t.match(body, /<input type="file"[^>]* aria-invalid="true" autofocus/)
  }
  const empty = await submit({ form_id: '1'.repeat(32), note: '' })
  t.match(empty, { statusCode: 400, body: /Please enter the text, or choose a file/ })
  const long = await submit({ note: 'x'.repeat(70_000) }, [chosen('a')])
  t.match(long, { statusCode: 400, body: /longer than this service takes/ })
  t.equal((await submit({ note: 'x'.repeat(500_000) }, [chosen('a')])).statusCode, 413)
  t.same(counts(started), nothing)
  const without = await links.ask()
  const notTaken = await submit({ note: 'kept text' }, [chosen('a')], without.path)
  t.match(notTaken, { statusCode: 415, body: /kept text<\/textarea>/ })
  t.match(notTaken.body, 'No files can be sent here any more')
  t.same(counts(started), nothing)
})

// Promise (Requests): Answers with files are refused in words that say nothing about the owner: neither how much room there is, nor whose
t.test('full room and a full disk are refused, and a stranger learns nothing of the owner', async (t) => {
  const started = await start(t, { files: { ...files, accountMaxBytes: 3 * 4_128 } })
  const { send, submit } = started
  t.equal((await send([answerPart(), file('a'), file('b')])).statusCode, 201)
  const before = counts(started)
  const full = await send([answerPart(), file('c'), file('d')])
  t.equal(full.statusCode, 413)
  const words =
    'There is no room for these files. Nothing was handed in: send fewer or smaller ones, or none.'
  t.same(full.json(), { success: false, version: '1.0', message: words })
  const page = await submit({ note: 'kept text' }, [chosen('c'), chosen('d')])
  t.match(page, { statusCode: 413, body: /kept text<\/textarea>/ })
  t.notMatch(page.body, /12,\d|12\.|MB|KB|owner/)
  t.same(counts(started), before)
  const disk = await start(t, {
    replace: ({ fileContents }: FullPorts) => ({
      fileContents: failing(fileContents, { append: { code: 'storage_unavailable', reason: 'full' } }),
    }),
  })
  t.equal((await disk.send([answerPart(), file('c')])).statusCode, 507)
  t.match(await disk.submit({ note: 'kept text' }, [chosen('c')]), {
    statusCode: 507,
    body: /kept text<\/textarea>/,
  })
  t.same(counts(disk), nothing)
})

// Promise (Requests): An answer with files is checked in one order: another site, a dead link, the address, size, media type, fields
t.test('the order of refusals, none of which stores anything', async (t) => {
  const started = await start(t)
  const { send, links, path } = started
  const dead = `/r/${'A'.repeat(43)}`
  t.equal((await send([answerPart()], { 'sec-fetch-site': 'cross-site' }, dead)).statusCode, 403)
  t.equal((await send([answerPart(), file('a')], {}, dead)).statusCode, 404)
  const without = await links.ask()
  t.equal((await send([answerPart(), file('a')], {}, without.path)).statusCode, 415)
  t.equal((await send([answerPart(), file('a', 'x'.repeat(1_100_000))])).statusCode, 413)
  const huge = { 'content-length': String(2 ** 40), expect: '100-continue' }
  t.equal((await send([answerPart()], huge)).statusCode, 413)
  const bad: readonly (readonly SentPart[])[] = [
    [],
    [file('a'), answerPart()],
    [answerPart(), answerPart()],
    [answerPart({ note: 'x', more: 1 }), file('a')],
    [answerPart({ note: 1 }), file('a')],
    [answerPart({ note: 'x\0' }), file('a')],
    [answerPart({})],
    [answerPart({ note: '' })],
    [[[disposition('answer'), 'Content-Type: text/plain'], '{"note":"x"}'], file('a')],
    [[disposition('answer', 'a.json'), '{"note":"x"}'], file('a')],
    [[disposition('answer'), '{"note":"x","note":"y"}'], file('a')],
    [answerPart(), [disposition('files', 'a'), 'x']],
    [answerPart(), [disposition('file'), 'x']],
    [answerPart(), file('a'), [disposition('file', ''), 'x']],
    [answerPart(), file('a'), [disposition('answer'), '{}']],
    [answerPart(), file('../a')],
    [answerPart(), file('a\\\\b')],
    [answerPart(), ...Array.from({ length: 11 }, (_, at) => file(`${at}`))],
    [[disposition('note'), 'x'], [disposition('note'), 'y'], chosen('a')],
    [[disposition('note'), 'x'], [disposition('form_id'), 'y'], chosen('a')],
    [[disposition('note'), 'x'], [disposition('other'), 'y'], chosen('a')],
    [[disposition('note'), 'x'], file('a')],
    [
      [disposition('note'), 'x'],
      [[disposition('form_id'), `X: ${'y'.repeat(5_000)}`], 'z'],
    ],
  ]
  for (const parts of bad) t.equal((await send(parts)).statusCode, 400, JSON.stringify(parts).slice(0, 200))
  t.match((await send([answerPart(), [disposition('files', 'a'), 'x']])).json(), {
    message: 'Every part after answer must be named file, and have a filename.',
  })
  const whole = multipartBody([answerPart(), file('a'), file('b')])
  for (let length = 0; length < whole.length - 2; length += 30) {
    const cut = { headers: { 'content-type': multipartType }, body: whole.subarray(0, length) }
    t.equal((await links.request('POST', path, cut)).statusCode, 400, `${length} bytes`)
  }
  const noBoundary = { headers: { 'content-type': 'multipart/form-data' }, body: whole }
  t.equal((await links.request('POST', path, noBoundary)).statusCode, 400)
  t.same(counts(started), nothing)
  t.ok(acquireAll(limitsOf(started.app.server).longBodies, longBodiesMax), 'all permits are free')
})

/** Sends the head of an upload, its answer and the first of its files. Gives the rest. */
async function begin({ path }: Awaited<ReturnType<typeof start>>, port: number) {
  const connection = await open(port)
  const whole = multipartBody([answerPart(), file('a'), file('b')])
  const begun = multipartBody([answerPart(), file('a')], '')
  const lines = ['Host: localhost:3000', `Content-Type: ${multipartType}`, `Content-Length: ${whole.length}`]
  connection.socket.write(head(`POST ${path} HTTP/1.1`, ...lines))
  connection.socket.write(begun)
  return { ...connection, rest: whole.subarray(begun.length) }
}

// Promise (Requests): An answer whose request ends while its files arrive is refused, and leaves nothing behind
t.test('a client that leaves, or whose request is closed meanwhile, leaves nothing', async (t) => {
  const started = await start(t)
  const { memory, sotto, request, links } = started
  const port = await links.listen()
  const left = await begin(started, port)
  while (memory.fileContents.contents.size < 1) await setImmediate()
  t.equal(memory.data.counted.size, 1, 'room is reserved while it arrives')
  left.socket.destroy()
  await left.closed
  while (memory.data.counted.size > 0) await setImmediate()
  t.same(counts(started), nothing)

  const late = await begin(started, port)
  while (memory.fileContents.contents.size < 1) await setImmediate()
  const { accountId } = [...memory.data.requests.values()][0]!.request
  expectOk(await sotto.closeRequest({ accountId, id: request.id }))
  late.socket.write(late.rest)
  await late.received('HTTP/1.1 404')
  while (memory.data.counted.size > 0) await setImmediate()
  t.same(counts(started), nothing)
})

t.test('while files arrive it is asked again every ten seconds whether they may', async (t) => {
  const content = inPieces(Buffer.from('abcdef'), [1, 1, 1, 1, 1])
  async function* one() {
    yield await Promise.resolve(ok({ name: 'a', content }))
  }
  const times = [0, 9_999, 10_000, 19_999, 20_001, 30_001]
  let asked = 0
  const isAllowed = () => Promise.resolve((asked += 1) < 2)
  const seen: string[] = []
  for await (const next of allowedWhile(one(), isAllowed, () => times.shift() ?? 30_001))
    for await (const piece of expectOk(next).content)
      seen.push(piece.isOk() ? Buffer.from(piece.value).toString() : piece.error.code)
  t.strictSame(seen.at(-1), 'upload_broken')
  t.equal(asked, 2)
})

// Promise (Requests): Strangers have a quarter of all uploads, and a request no more than it can take answers, and one
t.test('answers have a quarter of the places for uploads, and a request what it needs', async (t) => {
  const started = await start(t)
  const { send, submit, request, app } = started
  const { answerUploads, longBodies } = limitsOf(app.server)
  for (let permit = 0; permit < 2; permit += 1) t.ok(answerUploads.tryAcquire(request.id, `other ${permit}`))
  t.equal((await send([answerPart(), file('a')])).statusCode, 201, 'one more than answers are left')
  const refused = await send([answerPart(), file('b')])
  t.match(refused, { statusCode: 503, headers: { 'retry-after': '5' } })
  t.match(await submit({ note: 'kept text' }, [chosen('b')]), {
    statusCode: 503,
    body: /kept text<\/textarea>/,
  })
  answerUploads.release(request.id, 'other 0')
  answerUploads.release(request.id, 'other 1')
  const release = acquireAll(answerUploads, answerUploadsMax)
  t.ok(release)
  t.equal((await send([answerPart(), file('b')])).statusCode, 503)
  t.ok(acquireAll(longBodies, longBodiesMax - answerUploadsMax), 'owners have the rest')
  release?.()
  t.equal((await send([answerPart(), file('b')])).statusCode, 201)
})

// Promise (Requests): Of answers with files at the same time exactly as many are taken as the request allows, and the others leave nothing
t.test('of answers at once as many are taken as the request allows', async (t) => {
  const started = await start(t)
  const all = Array.from({ length: 3 }, (_, at) => started.send([answerPart(), file(`${at}`)]))
  const statuses = (await Promise.all(all)).map(({ statusCode }) => statusCode)
  t.strictSame(statuses.toSorted(), [201, 201, 404])
  t.same(counts(started), { contents: 2, rows: 2, counted: 2, drafts: 2 })
})

t.test('a client that waits gets the refusal instead of 100 Continue', async (t) => {
  const started = await start(t)
  const port = await started.links.listen()
  const { socket, closed } = await open(port)
  const lines = ['Host: localhost:3000', `Content-Type: ${multipartType}`, 'Expect: 100-continue']
  socket.write(head(`POST /r/${'A'.repeat(43)} HTTP/1.1`, ...lines, 'Content-Length: 30000000'))
  t.equal(firstAnswer(await closed).status, 404)
  const waiting = await open(port)
  const body = multipartBody([answerPart(), file('a')])
  waiting.socket.write(head(`POST ${started.path} HTTP/1.1`, ...lines, `Content-Length: ${body.length}`))
  await waiting.received('100 Continue')
  waiting.socket.write(body)
  await waiting.received('201 Created')
  waiting.socket.destroy()
})
