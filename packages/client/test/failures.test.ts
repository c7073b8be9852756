import type { IncomingMessage, ServerResponse } from 'node:http'
import t from 'tap'
import { openLink, type Client } from '../src/index.ts'
import { exampleSecret, hastyClient, listAnswer, problem, startAnything } from './support/service.ts'

// Against servers that answer what Sotto does not, or not immediately.

const json = { 'content-type': 'application/json; charset=utf-8' }
const newSecret = { label: 'L', note: 'n', folderId: exampleSecret.folder_id }
const created = JSON.stringify({ success: true, version: '1.0', data: exampleSecret })

/** Each answer once, the last one for all further requests. */
function inTurn(...answers: ((answer: ServerResponse, request: IncomingMessage) => void)[]) {
  const requests: IncomingMessage[] = []
  return {
    requests,
    listener(request: IncomingMessage, answer: ServerResponse) {
      const next = answers[Math.min(requests.length, answers.length - 1)]
      requests.push(request)
      request.resume().on('end', () => next?.(answer, request))
    },
  }
}

const unavailable = (retryAfter?: string) => (answer: ServerResponse) =>
  answer
    .writeHead(503, { ...json, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) })
    .end(problem('Busy.'))
const cut = (answer: ServerResponse) => answer.destroy()
const text =
  (body: string, status = 200, headers: object = json) =>
  (answer: ServerResponse) =>
    answer.writeHead(status, { ...headers }).end(body)

/** The calls of the API by name, and the link as a call. */
const calls: Readonly<Record<string, (client: Client, origin: string) => PromiseLike<unknown>>> = {
  listFolders: (client) => client.listFolders(),
  listSecrets: (client) => client.listSecrets(),
  getSecret: (client) => client.getSecret(exampleSecret.id),
  deleteSecret: (client) => client.deleteSecret(exampleSecret.id),
  createSecret: (client) => client.createSecret(newSecret),
  openLink: (client, origin) => client.openLink(`${origin}/token`),
}

for (const [name, call] of Object.entries(calls)) {
  t.test(`${name}: an answer of something else than Sotto is no answer`, async (t) => {
    const html = { 'content-type': 'text/html' }
    for (const [what, answer] of Object.entries({
      page: text('<!doctype html><p>{"a":[{', 200, html),
      'page not found': text('<p>Not found</p>', 404, html),
      'other JSON': text('{"data":[{}]}'),
      'other problem': text('{"message":"Nope"}', 403),
      'nothing at all': text('', 200, {}),
      'wrong fields': text(listAnswer([{ id: 1 }])),
      'null as an entry': text('{"success":true,"data":null}'),
    })) {
      const origin = await startAnything(t, inTurn(answer).listener)
      const { client } = hastyClient({ baseUrl: origin })
      const expected = { name: 'SottoError', code: 'malformed_answer', status: undefined }
      await t.rejects(Promise.resolve(call(client, origin)), expected, what)
    }
  })

  t.test(`${name}: no redirect is followed`, async (t) => {
    const elsewhere = inTurn(text(listAnswer([])))
    const target = await startAnything(t, elsewhere.listener)
    for (const status of [301, 302, 303, 307, 308]) {
      const origin = await startAnything(t, inTurn(text('', status, { location: target })).listener)
      const { client, waits } = hastyClient({ baseUrl: origin })
      await t.rejects(Promise.resolve(call(client, origin)), { code: 'redirected', status: undefined })
      t.strictSame(waits, [])
    }
    t.equal(elsewhere.requests.length, 0)
  })

  t.test(`${name}: an aborted call throws the reason of its signal`, async (t) => {
    const hanging = inTurn(() => abort.abort(reason))
    const abort = new AbortController()
    const reason = new Error('enough')
    const origin = await startAnything(t, hanging.listener)
    const { client, waits } = hastyClient({ baseUrl: origin })
    const { signal } = abort
    const aborted = {
      listFolders: () => client.listFolders({ signal }),
      listSecrets: () => client.listSecrets({ signal }),
      getSecret: () => client.getSecret('id', { signal }),
      deleteSecret: () => client.deleteSecret('id', { signal }),
      createSecret: () => client.createSecret(newSecret, { signal, idempotencyKey: 'k' }),
      openLink: () => client.openLink(origin, { signal }),
    }
    await t.rejects(Promise.resolve(aborted[name as keyof typeof aborted]()), reason)
    await t.rejects(Promise.resolve(aborted[name as keyof typeof aborted]()), reason, 'aborted before')
    t.strictSame([hanging.requests.length, waits], [1, []])
  })
}

for (const name of ['listFolders', 'listSecrets', 'getSecret', 'deleteSecret'] as const) {
  const good = name.startsWith('list') ? listAnswer([]) : created

  t.test(`${name} is tried again after 503 and after no answer, twice`, async (t) => {
    const server = inTurn(unavailable('3'), cut, text(good))
    const origin = await startAnything(t, server.listener)
    const { client, waits } = hastyClient({ baseUrl: origin })
    await calls[name]?.(client, origin)
    t.strictSame(waits, [3, 1])

    const broken = inTurn(cut)
    const { client: unlucky, waits: more } = hastyClient({ baseUrl: await startAnything(t, broken.listener) })
    await t.rejects(Promise.resolve(calls[name]?.(unlucky, origin)), { code: 'network_failure' })
    t.strictSame([broken.requests.length, more], [3, [0.5, 1]])
  })

  t.test(`${name} is not tried again without Retry-After, nor when that is too long`, async (t) => {
    for (const retryAfter of [undefined, '61', 'Wed, 21 Oct 2026 07:28:00 GMT', '-1']) {
      const server = inTurn(unavailable(retryAfter))
      const { client, waits } = hastyClient({ baseUrl: await startAnything(t, server.listener) })
      await t.rejects(Promise.resolve(calls[name]?.(client, '')), { code: 'unavailable', status: 503 })
      t.strictSame([server.requests.length, waits], [1, []], String(retryAfter))
    }
  })
}

// Promise (Clients): A create is tried again only with an idempotency key
t.test('a create is tried again only with an idempotency key, which stays the same', async (t) => {
  for (const first of [
    unavailable('1'),
    cut,
    text(problem('Under way.'), 409, { ...json, 'retry-after': '1' }),
  ]) {
    const server = inTurn(first, text(created, 201))
    const { client } = hastyClient({ baseUrl: await startAnything(t, server.listener) })
    await t.rejects(client.createSecret(newSecret), { name: 'SottoError' })
    t.equal(server.requests.length, 1)

    const again = inTurn(first, text(created, 201))
    const { client: keyed } = hastyClient({ baseUrl: await startAnything(t, again.listener) })
    await keyed.createSecret(newSecret, { idempotencyKey: 'order-4711' })
    t.strictSame(
      again.requests.map(({ headers }) => headers['idempotency-key']),
      ['order-4711', 'order-4711'],
    )
  }
})

// Promise (Clients): An open is never tried again
t.test('an open is never tried again', async (t) => {
  for (const first of [unavailable('0'), cut]) {
    const server = inTurn(first)
    const origin = await startAnything(t, server.listener)
    await t.rejects(hastyClient({ baseUrl: origin }).client.openLink(origin), { name: 'SottoError' })
    await t.rejects(openLink(origin), { name: 'SottoError' })
    t.equal(server.requests.length, 2)
  }
})

// Promise (Clients): The token never reaches a link
t.test('the token is sent to the API and never to a link', async (t) => {
  const server = inTurn(text(listAnswer([])), text(''))
  const origin = await startAnything(t, server.listener)
  const { client } = hastyClient({ baseUrl: `${origin}/sotto/`, token: 'sotto_secret' })
  await client.listFolders()
  await t.rejects(client.openLink(`${origin}/token`))
  const [api, link] = server.requests
  t.equal(api?.url, '/sotto/api/folders')
  t.equal(api?.headers.authorization, 'Bearer sotto_secret')
  t.equal(link?.url, '/token')
  t.notMatch(String(link?.rawHeaders), 'sotto_secret')
})

// Promise (Clients): A list that is cut off throws and never ends early
t.test('a list whose connection breaks throws and never ends early', async (t) => {
  const complete = listAnswer([exampleSecret, exampleSecret])
  for (const end of [complete.length - 1, complete.length - 2, complete.indexOf('},{') + 1, 60, 5]) {
    for (const breakOff of ['destroy', 'end'] as const) {
      const origin = await startAnything(t, (_, answer) => {
        answer.writeHead(200, json)
        answer.write(complete.slice(0, end), () => answer[breakOff]())
      })
      const { client, waits } = hastyClient({ baseUrl: origin, retries: 0 })
      await t.rejects(
        Promise.resolve(client.listSecrets()),
        { code: 'network_failure' },
        `${breakOff} ${end}`,
      )
      t.strictSame(waits, [])
    }
  }
})

t.test('a list arrives byte by byte', async (t) => {
  const bytes = Buffer.from(listAnswer([exampleSecret]))
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  const { client } = hastyClient({
    baseUrl: 'http://x',
    fetch: async () => new Response(body, { headers: json }),
  })
  t.match(await client.listSecrets(), [{ label: exampleSecret.label, folderId: exampleSecret.folder_id }])
})

t.test('a list that is not UTF-8 is no answer', async (t) => {
  const bytes = Buffer.from(listAnswer([exampleSecret]), 'latin1')
  bytes[bytes.indexOf('Router')] = 0xff
  const { client } = hastyClient({
    baseUrl: 'http://x',
    fetch: async () => new Response(bytes, { headers: json }),
  })
  await t.rejects(Promise.resolve(client.listSecrets()), { code: 'malformed_answer' })
})

t.test('a list can be aborted between two entries and while it waits for more', async (t) => {
  for (const sent of [listAnswer([exampleSecret, exampleSecret]), listAnswer([exampleSecret]).slice(0, -2)]) {
    const abort = new AbortController()
    const closed = Promise.withResolvers<unknown>()
    const origin = await startAnything(t, (_, answer) => {
      answer.on('close', () => closed.resolve(undefined))
      answer.writeHead(200, json).write(sent)
    })
    const seen: string[] = []
    const reading = (async () => {
      const { client } = hastyClient({ baseUrl: origin })
      for await (const { id } of client.listSecrets({ signal: abort.signal })) {
        seen.push(id)
        abort.abort(new Error('enough'))
      }
    })()
    await t.rejects(reading, { message: 'enough' })
    t.equal(seen.length, 1)
    await closed.promise
  }
})

t.test('leaving a list early closes the connection', async (t) => {
  const closed = Promise.withResolvers<unknown>()
  const origin = await startAnything(t, (_, answer) => {
    answer.on('close', () => closed.resolve(undefined))
    answer.writeHead(200, json).write(listAnswer([exampleSecret]).slice(0, -2))
  })
  for await (const { id } of hastyClient({ baseUrl: origin }).client.listSecrets()) {
    t.equal(id, exampleSecret.id)
    break
  }
  await closed.promise
})

t.test('a wait between two attempts can be aborted', async (t) => {
  const abort = new AbortController()
  const origin = await startAnything(t, inTurn(unavailable('60')).listener)
  // The built-in wait: it would take a minute.
  const { client } = hastyClient({ baseUrl: origin, wait: undefined })
  const listing = client.listFolders({ signal: AbortSignal.any([abort.signal, AbortSignal.timeout(300)]) })
  await t.rejects(listing, { name: 'TimeoutError' })
})

t.test('no error repeats the token, the password or the note', async (t) => {
  const origin = await startAnything(t, (request, answer) => request.pipe(answer))
  const { client } = hastyClient({ baseUrl: origin, token: 'sotto_secret', retries: 0 })
  for (const call of [
    client.createSecret({ label: 'L', note: 'confidential', folderId: 'f', password: 'secretive' }),
    client.openLink(origin, { password: 'secretive' }),
  ]) {
    const error = await call.then(String, (error: unknown) => `${String(error)} ${JSON.stringify(error)}`)
    t.notMatch(error, /secret|confidential/)
  }
})
