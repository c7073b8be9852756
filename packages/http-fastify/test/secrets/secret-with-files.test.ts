import type { FullPorts } from '@sotto/identity'
import { setImmediate } from 'node:timers/promises'
import { expectOk, failing } from '@sotto/test-kit'
import { errAsync, okAsync, ResultAsync } from 'neverthrow'
import t, { type Test } from 'tap'
import {
  limitsOf,
  longBodiesMax,
  restsMaxBytes,
  startBytes,
  startsMaxBytes,
  uploadTextsMaxBytes,
} from '../../src/http/bodies/server-limits.ts'
import { startApi, type Api, type ApiOptions } from '../support/api.ts'
import type { Answer } from '../support/conformance.ts'
import {
  boundary,
  bytesOf,
  disposition,
  multipartBody,
  multipartType,
  type SentPart,
} from '../support/multipart.ts'
import { acquireAll } from '../support/semaphore.ts'
import { firstAnswer, head, listen, open } from '../support/raw.ts'

/** Room for twelve files, each of which counts 4,096 bytes and what the cipher adds to them. */
const files = { maxBytes: 1_000, accountMaxBytes: 12 * 4_128 }
/** Room for three. */
const few = { files: { ...files, accountMaxBytes: 3 * 4_128 } }
const start = (t: Test, options: ApiOptions = {}) => startApi(t, { files, ...options })

const secretPart = ({ folderId }: Api, change: object = {}): SentPart => [
  [disposition('secret'), 'Content-Type: application/json'],
  JSON.stringify({ label: 'Label', note: 'note', folder_id: folderId, ...change }),
]
const file = (name: string, content: string | Uint8Array = name): SentPart => [
  [disposition('file', name), 'Content-Type: text/plain'],
  content,
]
const post = (api: Api, parts: readonly SentPart[], headers: Record<string, string> = {}) =>
  api.call('POST', '/api/secret', multipartBody(parts), { 'content-type': multipartType, ...headers })

/** How many contents and rows of files there are, and how many secrets. */
const counts = ({ memory }: Api) => ({
  contents: memory.fileContents.contents.size,
  rows: memory.data.files.size,
  secrets: memory.data.secrets.size,
})
const nothing = { contents: 0, rows: 0, secrets: 0 }

/** The files that a recipient gets. */
async function fetched({ sotto }: Api, body: string) {
  const { url } = (JSON.parse(body) as { data: { link: { url: string } } }).data.link
  const { note, attached } = expectOk(await sotto.openSecret({ token: url.slice(-43) }))
  const read = (attached?.files ?? []).map(async ({ name, size, type }, at) => {
    const { read } = expectOk(await sotto.readTicket({ ticket: attached?.ticket ?? '', number: at + 1 }))
    return { name, size, type, content: (await bytesOf(read())).toString() }
  })
  return { note, files: await Promise.all(read) }
}

// Promise (Files): POST /api/secret takes multipart/form-data: the part secret first, then parts file
t.test('a secret is created with the files of a form', async (t) => {
  const api = await start(t)
  const created = await post(api, [secretPart(api), file('ä.txt', 'x\r\n--'), file('empty', ''), file('b')])
  t.equal(created.statusCode, 201)
  t.match(created.headers.location, /^\/api\/secret\/[0-9a-f-]{36}$/)
  t.same(await fetched(api, created.body), {
    note: 'note',
    files: [
      { name: 'ä.txt', size: 5, type: 'text/plain', content: 'x\r\n--' },
      { name: 'empty', size: 0, type: 'text/plain', content: '' },
      { name: 'b', size: 1, type: 'text/plain', content: 'b' },
    ],
  })
  const without = await post(api, [[disposition('secret'), secretPart(api)[1]]])
  t.equal(without.statusCode, 201, 'the part needs no type, and files are optional')
  t.same(await fetched(api, without.body), { note: 'note', files: [] })
})

// Promise (Files): A file alone can be sent, and no secret is without both text and file
t.test('the text may be empty or absent where there is a file, and only there', async (t) => {
  const api = await start(t)
  for (const note of ['', undefined]) {
    const created = await post(api, [secretPart(api, { note }), file('a')])
    t.equal(created.statusCode, 201, created.body)
    t.match(await fetched(api, created.body), { note: '', files: [{ name: 'a', content: 'a' }] })
    const before = counts(api)
    const refused = await post(api, [secretPart(api, { note })])
    t.equal(refused.statusCode, 400)
    t.match(JSON.parse(refused.body), { errors: { note: ['must not be empty'] } })
    const [, body] = secretPart(api, { note })
    const json = await api.call('POST', '/api/secret', String(body), { 'content-type': 'application/json' })
    t.equal(json.statusCode, 400, 'JSON needs a text')
    t.match(Object.keys((JSON.parse(json.body) as { errors: object }).errors), ['note'])
    t.same(counts(api), before)
  }
  const wrong = await post(api, [secretPart(api, { note: null, label: '' }), file('a')])
  t.match(JSON.parse(wrong.body), { errors: { note: [/./], label: [/./] } })
})

// Promise (Files): What is wrong with the secret is answered before its files are sent
t.test('everything else is checked before the first file is read', async (t) => {
  const api = await start(t)
  const port = await listen(api.app)
  const wrong: readonly (readonly [string, SentPart, Record<string, string>, RegExp])[] = [
    ['a field', secretPart(api, { label: '' }), {}, /"errors":\{"label"/],
    [
      'an unknown field',
      secretPart(api, { files: [] }),
      {},
      /"errors":\{"files":\["is not a known field"\]\}/,
    ],
    ['the folder', secretPart(api, { folder_id: api.accountId }), {}, /"errors":\{"folder_id"/],
    ['the key', secretPart(api), { 'Idempotency-Key': 'a b' }, /"errors":\{"idempotency_key"/],
    ['its JSON', [disposition('secret'), '{"label":1,"label":2}'], {}, /not valid JSON/],
    ['its type', [[disposition('secret'), 'Content-Type: text/plain'], '{}'], {}, /must be secret/],
    ['its place', file('a'), {}, /must be secret/],
  ]
  for (const [what, part, headers, expected] of wrong) {
    const answer = await answerTo(api, port, [part], headers)
    t.equal(answer.status, 400, what)
    t.match(answer.body, expected, what)
  }
  t.same(counts(api), nothing)
})

/** The answer to the beginning of a form, of which more is announced. */
async function answerTo(
  api: Api,
  port: number,
  parts: readonly SentPart[],
  { length = 3_000, ...headers }: { readonly length?: number } & Record<string, string | number> = {},
): Promise<Answer> {
  const { socket, closed, received } = await open(port)
  const all = {
    Host: 'localhost:3000',
    Authorization: `Bearer ${api.token}`,
    'Content-Type': multipartType,
    ...headers,
  }
  const lines = Object.entries(all).map((pair) => pair.join(': '))
  socket.write(head('POST /api/secret HTTP/1.1', ...lines, `Content-Length: ${length}`))
  socket.write(multipartBody(parts, `--${boundary}\r\n`))
  await received('"success":false')
  socket.destroy()
  return firstAnswer(await closed)
}

// Promise (Files): A file that is too large is 413 as soon as that is known, and the answer names the bound
t.test('a file that is too large is 413 before its end, and the answer names the bound', async (t) => {
  const api = await start(t)
  const port = await listen(api.app)
  const tooLarge = 'is too large. It may have at most 1,000 bytes.'
  const answer = await answerTo(api, port, [secretPart(api), file('a', 'x'.repeat(1_001))])
  t.equal(answer.status, 413)
  t.match(answer.body, `File 1 ${tooLarge}`)
  const second = await answerTo(api, port, [secretPart(api), file('b', 'x'), file('a', 'x'.repeat(1_001))])
  t.match(second.body, `File 2 ${tooLarge}`)
  const announced = await answerTo(api, port, [], { length: 100_000_000 })
  t.equal(announced.status, 413)
  t.match(announced.body, 'The files of the account would be too large. They may have at most 48.4 KiB')
  const large = await start(t, { files: { maxBytes: 1_000, accountMaxBytes: 100_000_000 } })
  const tenAnnounced = await answerTo(large, await listen(large.app), [], { length: 1_000_000 })
  t.equal(tenAnnounced.status, 413)
  t.match(tenAnnounced.body, `A file ${tooLarge}`)
  t.same(counts(api), nothing)
  const created = await post(api, [secretPart(api), file('a', 'x'.repeat(1_000))])
  t.equal(created.statusCode, 201)
})

// Promise (Files): Files that are too large for their account are 413, and the answer names the bound
t.test('files that are too large for their account are 413', async (t) => {
  const api = await start(t, few)
  const large = (...names: string[]) => names.map((name) => file(name, name.repeat(900)))
  const created = await post(api, [secretPart(api), ...large('a', 'b')])
  t.equal(created.statusCode, 201)
  const refused = await post(api, [secretPart(api), ...large('c', 'd')])
  t.equal(refused.statusCode, 413)
  t.match(refused.json(), {
    message:
      'The files of the account would be too large. They may have at most 12.1 KiB (12,384 bytes) together.',
  })
  t.same(counts(api), { contents: 2, rows: 2, secrets: 1 })
})

// Promise (Files): While the disk keeps too little free, files are refused with 507, and everything else works
t.test(
  'while there is no room for files on the disk they are 507, and a secret without them is created',
  async (t) => {
    const api = await start(t, {
      replace: ({ fileContents }) => ({
        fileContents: { ...fileContents, freeBytes: () => okAsync(1_000) },
      }),
    })
    const refused = await post(api, [secretPart(api), file('a')])
    t.equal(refused.statusCode, 507)
    t.match(refused.json(), { success: false, message: /^There is no room for files on the disk/ })
    t.notOk('retry-after' in refused.headers)
    t.same(counts(api), nothing)
    const { folderId: folder_id } = api
    const created = await api.call('POST', '/api/secret', { label: 'Label', note: 'note', folder_id })
    t.equal(created.statusCode, 201)
  },
)

// Promise (Files): An installation without files answers a form with 415, and JSON as ever
t.test('where no files are taken a form is 415', async (t) => {
  for (const files of [undefined, { maxBytes: 0, accountMaxBytes: 1_000 }]) {
    const api = await start(t, { files })
    const answer = await post(api, [secretPart(api), file('a')])
    t.equal(answer.statusCode, 415)
    t.match(answer.json(), { message: 'This service takes no files.' })
    t.equal((await api.call('POST', '/api/secret', secretPart(api)[1])).statusCode, 201)
    const text = await api.call('POST', '/api/secret', 'text', { 'content-type': 'text/plain' })
    t.notMatch(text.json<{ message: string }>().message, 'multipart')
  }
})

t.test('a body of another type is 415, and the answer names the forms that are taken', async (t) => {
  const api = await start(t)
  for (const headers of [
    { 'content-type': 'text/plain' },
    { 'content-type': multipartType, 'content-encoding': 'gzip' },
  ]) {
    const answer = await api.call('POST', '/api/secret', 'text', headers)
    t.equal(answer.statusCode, 415)
    t.match(answer.json(), {
      message: /application\/json in UTF-8 or, with files, as multipart\/form-data, without/,
    })
  }
})

// Promise (Files): More than ten files, and a name with a path or control characters, are 400
t.test('files that no secret may have are 400', async (t) => {
  const api = await start(t)
  const wrongName = 'has a name with /, \\ or an invisible character, or is named . or ..'
  const refused: readonly (readonly [readonly SentPart[], string])[] = [
    [Array.from({ length: 11 }, (_, at) => file(`${at}`)), 'must not be given more than 10 times'],
    [[file('a'), file('../b')], wrongName],
    [[file('a\\b')], wrongName],
    [[file('a%0Ab')], wrongName],
    [[file('a\u202eb')], wrongName],
    [[file('a\u200bb')], wrongName],
    [[file(' ')], wrongName],
    [[file('')], 'must not be empty'],
  ]
  for (const [parts, message] of refused) {
    const answer = await post(api, [secretPart(api), ...parts])
    t.equal(answer.statusCode, 400)
    t.same(answer.json<{ errors: unknown }>().errors, { files: [message] })
  }
  const others: readonly SentPart[] = [
    [disposition('file'), 'x'],
    [disposition('other', 'a'), 'x'],
    secretPart(api),
  ]
  for (const part of others) {
    const answer = await post(api, [secretPart(api), file('a'), part])
    t.equal(answer.statusCode, 400)
    t.match(answer.json(), { message: 'Every part after secret must be named file, and have a filename.' })
  }
  t.same(counts(api), nothing)
  t.equal((await post(api, [secretPart(api), ...(refused[0]?.[0].slice(1) ?? [])])).statusCode, 201)
})

// Promise (Files): A form that is malformed or broken off is 400, and leaves nothing
t.test('a form that is malformed anywhere is 400, and leaves nothing', async (t) => {
  const api = await start(t)
  const whole = multipartBody([secretPart(api), file('a'), file('b')])
  const type = { 'content-type': multipartType }
  for (let length = 0; length < whole.length - 2; length += 40) {
    const answer = await api.call('POST', '/api/secret', whole.subarray(0, length), type)
    t.equal(answer.statusCode, 400, `${length} bytes`)
  }
  for (const given of ['multipart/form-data', 'multipart/form-data; boundary=other']) {
    const answer = await api.call('POST', '/api/secret', whole, { 'content-type': given })
    t.equal(answer.statusCode, 400)
    t.match(answer.json(), { message: 'The body is not valid multipart/form-data.' })
  }
  t.equal(
    (await api.call('POST', '/api/secret', whole, { 'content-type': 'multipart/mixed; boundary=x' }))
      .statusCode,
    415,
  )
  t.equal((await api.call('POST', '/api/folders', whole, type)).statusCode, 405)
  t.same(counts(api), nothing)
})

t.test('a client that leaves in the middle of a file leaves nothing', async (t) => {
  const api = await start(t)
  const port = await listen(api.app)
  const { socket, closed } = await open(port)
  const lines = [
    'Host: localhost:3000',
    `Authorization: Bearer ${api.token}`,
    `Content-Type: ${multipartType}`,
  ]
  socket.write(head('POST /api/secret HTTP/1.1', ...lines, 'Content-Length: 3000'))
  socket.write(multipartBody([secretPart(api), file('a'), file('b')], ''))
  while (api.memory.fileContents.contents.size < 2) await setImmediate()
  socket.destroy()
  await closed
  while (api.memory.fileContents.contents.size > 0) await setImmediate()
  const { longBodies } = limitsOf(api.app.server)
  while (!acquireAll(longBodies, longBodiesMax)) await setImmediate()
  t.same(counts(api), nothing)
  t.notMatch(api.logLines.join(''), /"level":(?:40|50|60)/, 'nothing is reported')
})

// Promise (Files): Whoever has one account cannot keep everybody else from sending files: once half of the 128 places are taken, it has six
t.test('once half of the permits of uploads are taken, an account has at most six of them', async (t) => {
  const api = await start(t)
  const { longBodies } = limitsOf(api.app.server)
  t.ok(acquireAll(longBodies, longBodiesMax / 2))
  for (let permit = 0; permit < 5; permit += 1) t.ok(longBodies.tryAcquire(api.accountId))
  t.equal((await post(api, [secretPart(api), file('a')])).statusCode, 201)
  t.ok(longBodies.tryAcquire(api.accountId), 'the permit of what is answered is free')
  const refused = await post(api, [secretPart(api), file('a')])
  t.match(refused, { statusCode: 503, headers: { 'retry-after': '5' } })
  const other = await api.makeAccount()
  const [folderId, token] = [await api.makeFolder(other), await api.makeToken(other)]
  const parts = [secretPart({ ...api, folderId }), file('a')]
  t.equal((await post(api, parts, { authorization: `Bearer ${token}` })).statusCode, 201)
})

t.test(
  'a secret in a form is as long as one in JSON, and has a part of the byte budget of all bodies',
  async (t) => {
    const api = await start(t, { noteMaxBytes: 10_000 })
    const long = (bytes: number): SentPart => [disposition('secret'), ' '.repeat(bytes - 2) + '{}']
    const bound = 6 * 10_000 + 16 * 1024
    t.equal((await post(api, [long(bound)])).statusCode, 400)
    t.equal((await post(api, [long(bound + 1)])).statusCode, 413)
    const { starts } = limitsOf(api.app.server)
    starts.take(startsMaxBytes)
    t.equal((await post(api, [secretPart(api)])).statusCode, 503)
    starts.take(-startsMaxBytes)
    t.equal((await post(api, [secretPart(api)])).statusCode, 201)
  },
)

// Promise (Files): An upload that takes long keeps nobody else from sending a body
t.test('while files arrive, their text is counted, and leaves half of the byte budget', async (t) => {
  const free: boolean[] = []
  const replace = ({ fileContents }: FullPorts) => ({
    fileContents: {
      ...fileContents,
      append(...given: Parameters<typeof fileContents.append>) {
        const { starts, rests, uploadTexts, bodies } = limitsOf(api.app.server)
        free.push(starts.take(startsMaxBytes - startBytes + 1), rests.take(restsMaxBytes - 47_000))
        free.push(starts.take(startsMaxBytes - startBytes), rests.take(restsMaxBytes - 60_000))
        starts.take(startBytes - startsMaxBytes)
        rests.take(60_000 - restsMaxBytes)
        free.push(
          uploadTexts.resize(0, uploadTextsMaxBytes),
          uploadTexts.resize(0, uploadTextsMaxBytes - 60_000),
        )
        free.push(bodies.resize(0, restsMaxBytes - uploadTextsMaxBytes))
        return fileContents.append(...given)
      },
    } as FullPorts['fileContents'],
  })
  const api = await start(t, { replace })
  const [headers, json] = secretPart(api)
  t.equal((await post(api, [[headers, ' '.repeat(50_000) + String(json)], file('a')])).statusCode, 201)
  t.same(free, [false, false, true, true, false, true, true])
  t.ok(
    limitsOf(api.app.server).starts.take(startsMaxBytes - 2 * startBytes),
    'nothing is held after the answer',
  )
})

// Promise (Files): An Idempotency-Key covers the files
t.test('the same key and files get the first answer again, other files are 422', async (t) => {
  const api = await start(t)
  const key = { 'idempotency-key': '8e03978e-40d5-43e8-bc93-6894a57f9324' }
  const first = await post(api, [secretPart(api), file('a', 'one')], key)
  t.equal(first.statusCode, 201)
  const again = await post(api, [secretPart(api), file('a', 'one')], key)
  t.equal(again.headers['idempotent-replayed'], 'true')
  t.equal(again.body, first.body)
  for (const others of [[], [file('a', 'two')], [file('b', 'one')], [file('a', 'one'), file('b')]]) {
    const answer = await post(api, [secretPart(api), ...others], key)
    t.equal(answer.statusCode, 422)
  }
  t.equal((await api.call('POST', '/api/secret', secretPart(api)[1], key)).statusCode, 422)
  t.same(counts(api), { contents: 1, rows: 1, secrets: 1 })
})

t.test('a form that is sent again after its folder was deleted is answered as JSON is', async (t) => {
  const api = await start(t)
  const [form, json] = [{ 'idempotency-key': 'form' }, { 'idempotency-key': 'json' }]
  const [, body] = secretPart(api)
  const sendForm = (headers: Record<string, string> = form, name = 'a') =>
    post(api, [secretPart(api), file(name)], headers)
  const sendJson = () => api.call('POST', '/api/secret', body, json)
  for (const send of [sendForm, sendJson]) t.equal((await send()).statusCode, 201)
  const { accountId, folderId } = api
  expectOk(await api.sotto.deleteFolder({ accountId, id: folderId, withContents: true }))
  const before = counts(api)
  for (const send of [sendForm, sendJson]) t.equal((await send()).statusCode, 410)
  t.equal((await sendForm(form, 'b')).statusCode, 422, 'other files')
  for (const other of [{}, { 'idempotency-key': 'other' }, { 'idempotency-key': 'a b' }])
    t.equal((await sendForm(other)).statusCode, 400)
  t.same(counts(api), before)
})

t.test('when nobody knows whether a form is sent again, a deleted folder does not decide', async (t) => {
  const api = await start(t, {
    replace: ({ idempotencyKeys }) => ({
      idempotencyKeys: failing(idempotencyKeys, { find: { code: 'storage_unavailable', reason: 'busy' } }),
    }),
  })
  const { accountId, folderId } = api
  expectOk(await api.sotto.deleteFolder({ accountId, id: folderId, withContents: true }))
  t.equal((await post(api, [secretPart(api), file('a')], { 'idempotency-key': 'a' })).statusCode, 503)
})

// Promise (Files): A form that is sent again gets the first answer, also when its account has no room for the files a second time
t.test('the same key gets the first answer again where there is no room for its files twice', async (t) => {
  const api = await start(t, few)
  const key = { 'idempotency-key': '8e03978e-40d5-43e8-bc93-6894a57f9324' }
  const large = ['a', 'b'].map((name) => file(name, name.repeat(900)))
  const first = await post(api, [secretPart(api), ...large], key)
  t.equal(first.statusCode, 201)
  const again = await post(api, [secretPart(api), ...large], key)
  t.equal(again.statusCode, 201)
  t.equal(again.body, first.body)
  t.equal((await post(api, [secretPart(api), file('a', 'c'.repeat(900))], key)).statusCode, 422)
  const other = await post(api, [secretPart(api), ...large], { 'idempotency-key': 'another' })
  t.equal(other.statusCode, 413)
  t.same(counts(api), { contents: 2, rows: 2, secrets: 1 })
})

/** Calls what is given when a content has been stored, before the next part is read. */
function afterContent(then: () => unknown) {
  return ({ fileContents }: FullPorts): Partial<FullPorts> => ({
    fileContents: {
      ...fileContents,
      append: (...given) =>
        fileContents.append(...given).andThrough(() => ResultAsync.fromSafePromise(called(then))),
    },
  })
}

async function called(then: () => unknown): Promise<void> {
  await then()
}

const ends: Readonly<Record<string, (api: Api) => unknown>> = {
  async 'a token is revoked'({ sotto, memory, accountId }) {
    const id = [...memory.data.accessTokens.keys()].at(-1) ?? ''
    expectOk(await sotto.revokeAccessToken({ accountId, id }))
  },
  'a token expires': ({ clock }) => clock.advance(3_600_000_000),
  'an account is disabled': async ({ sotto, accountId }) =>
    expectOk(await sotto.disableAccount({ accountId })),
  'an account is deleted': async ({ sotto, accountId }) => expectOk(await sotto.deleteAccount({ accountId })),
}

for (const [what, end] of Object.entries(ends))
  // Promise (Files): No secret is created for a token that is revoked, or an account that is deleted, while its files arrive
  t.test(`when ${what} while files arrive, no secret is created, and nothing is left of them`, async (t) => {
    const api = await start(t, { replace: afterContent(() => end(api)) })
    const token = await api.makeToken(api.accountId, { expiresInSeconds: 3_600 })
    const authorization = `Bearer ${token}`
    const refused = await post(api, [secretPart(api), file('a')], { authorization })
    t.equal(refused.statusCode, 401)
    t.match(refused.headers['www-authenticate'], /error="invalid_token"/)
    t.same(counts(api), nothing)
    t.match(api.logLines.join(''), '"event":"token_refused"')
  })

t.test('a caller who cannot be asked for once more is answered as the first time', async (t) => {
  let asked = 0
  const replace = ({ accessTokens }: FullPorts): Partial<FullPorts> => ({
    accessTokens: {
      ...accessTokens,
      findUsable: (...given) =>
        (asked += 1) === 1
          ? accessTokens.findUsable(...given)
          : errAsync({ code: 'storage_unavailable', reason: 'busy' }),
    },
  })
  const api = await start(t, { replace })
  t.equal((await post(api, [secretPart(api), file('a')])).statusCode, 503)
  t.equal(asked, 2)
  t.same(counts(api), nothing)
})

t.test('when no secret is created its files are dropped, unless it may have been', async (t) => {
  const failures: readonly (readonly ['busy' | 'outcome_unknown', number])[] = [
    ['busy', 0],
    ['outcome_unknown', 1],
  ]
  for (const [reason, contents] of failures) {
    const replace = ({ secrets }: FullPorts) => ({
      secrets: failing(secrets, { insert: { code: 'storage_unavailable', reason } }),
    })
    const api = await start(t, { replace })
    t.equal((await post(api, [secretPart(api), file('a')])).statusCode, 503)
    t.same(counts(api), { ...nothing, contents }, reason)
  }
})
