import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expectErr, expectOk } from '@sotto/test-kit'
import { Webhook } from 'standardwebhooks'
import t, { type Test } from 'tap'
import { createWebhookSender } from '../src/webhook-sender.ts'
import { createSender, event, requestTo, resolverOf, secret } from './support/messages.ts'
import { startRaw, startReceiver } from './support/receiver.ts'
import { tlsFiles } from './support/tls.ts'

// Promise (Webhooks): A message is signed as Standard Webhooks describe it
t.test('an independent receiver verifies the signature', async (t) => {
  const { port, last } = await startReceiver(t)
  const sender = createSender(t)
  const url = `http://127.0.0.1:${port}/hook?a=b`
  const test = { id: event.id, type: 'webhook.test', createdAtMicros: 1 } as const
  for (const message of [event, { ...event, type: 'secret.locked', opensLeft: 2 } as const, test]) {
    expectOk(await sender.send(requestTo(url, { message, atMicros: Date.now() * 1000 })))
    const { body, headers, url: path } = last()
    const verified = new Webhook(secret).verify(body, headers as Record<string, string>)
    t.match(verified, { type: message.type })
    t.equal(headers['webhook-id'], event.id)
    t.equal(path, '/hook?a=b')
    const others = new Webhook(secret.replace('MfK', 'MfL'))
    t.throws(() => others.verify(body, headers as Record<string, string>), { message: /signature/ })
  }
})

t.test('a retry has the same id and body, and its own time', async (t) => {
  const { port, requests } = await startReceiver(t)
  const sender = createSender(t)
  for (const seconds of [1_700_000_000, 1_700_000_005]) {
    const atMicros = seconds * 1_000_000 + 999_999
    expectOk(await sender.send(requestTo(`http://127.0.0.1:${port}/`, { atMicros })))
    t.equal(requests.at(-1)?.headers['webhook-timestamp'], String(seconds))
  }
  const [first, second] = requests
  t.equal(first?.body, second?.body)
  t.equal(first?.headers['webhook-id'], second?.headers['webhook-id'])
  t.not(first?.headers['webhook-signature'], second?.headers['webhook-signature'])
})

// Promise (Webhooks): A message has no label, note, link or password
t.test('a request has these headers and these fields, and nothing else of the event', async (t) => {
  const { port, requests, last } = await startReceiver(t)
  const sender = createSender(t, { userAgent: 'Sotto/1.2.3' })
  const confidential = { label: 'canary', note: 'canary', token: 'canary', password: 'canary' }
  const message = { ...event, ...confidential }
  expectOk(await sender.send(requestTo(`http://127.0.0.1:${port}/`, { message })))
  const { method, rawHeaders, headers, body } = last()
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  const usual = ['content-type', 'user-agent', 'host', 'connection', 'content-length']
  t.strictSame(names.sort(), [...usual, ...signed].sort())
  t.match(headers, { 'content-type': 'application/json', 'user-agent': 'Sotto/1.2.3' })
  t.equal(method, 'POST')
  const { data, ...fields } = JSON.parse(body) as { readonly data: object }
  t.strictSame(Object.keys(fields), ['type', 'timestamp'])
  t.strictSame(Object.keys(data), ['secret_id', 'folder_id', 'opens', 'opens_left', 'expires_at'])
  t.notMatch(JSON.stringify(requests), /canary|whsec|MfKQ9r8/)
  t.notMatch(JSON.stringify(requests), new RegExp(event.accountId))
})

t.test('posts by https to a receiver with a valid certificate', async (t) => {
  const { port, requests } = await startReceiver(t, { isTls: true })
  const { resolveName } = resolverOf({ 'hook.example': ['127.0.0.1'] })
  const sender = createSender(t, { ca: tlsFiles.cert, resolveName })
  expectOk(await sender.send(requestTo(`https://hook.example:${port}/`)))
  t.equal(requests.length, 1)
})

t.test('refuses certificates of other names, of nobody, and answers that are not TLS', async (t) => {
  const tls = await startReceiver(t, { isTls: true })
  const plain = await startReceiver(t)
  const { resolveName } = resolverOf({ 'hook.example': ['127.0.0.1'], 'other.example': ['127.0.0.1'] })
  const sender = createSender(t, { ca: tlsFiles.cert, resolveName })
  const reasonOf = async (url: string, from = sender): Promise<string> =>
    expectErr(await from.send(requestTo(url))).reason
  t.equal(await reasonOf(`https://other.example:${tls.port}/`), 'certificate not valid')
  t.equal(await reasonOf(`https://127.0.0.1:${tls.port}/`), 'certificate not valid')
  const without = createSender(t, { resolveName })
  t.equal(await reasonOf(`https://hook.example:${tls.port}/`, without), 'certificate not valid')
  t.equal(await reasonOf(`https://hook.example:${plain.port}/`), 'TLS failed')
  t.equal(tls.requests.length + plain.requests.length, 0)
})

// Promise (Webhooks): A receiver’s certificate is always verified
t.test('the environment cannot switch the check of certificates off', async (t) => {
  const { port, requests } = await startReceiver(t, { isTls: true })
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  t.teardown(() => delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'])
  const sent = await createSender(t).send(requestTo(`https://127.0.0.1:${port}/`))
  t.match(expectErr(sent), { reason: 'certificate not valid' })
  t.equal(requests.length, 0)
})

t.test('proxies of the environment are not used', async (t) => {
  const { port, requests } = await startReceiver(t)
  const program = `
    import { createWebhookSender } from ${JSON.stringify(join(import.meta.dirname, '../src/index.ts'))}
    const sender = createWebhookSender({ allow: ['127.0.0.1'] })
    const sent = await sender.send(${JSON.stringify(requestTo(`http://127.0.0.1:${port}/`))})
    console.log(sent.isOk() ? 'sent' : sent.error.reason)
    sender.close()`
  const proxy = 'http://127.0.0.1:1' // where nobody listens
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: '' }
  const options = ['--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, options, { env })
  t.equal(stdout, 'sent\n')
  t.equal(requests.length, 1)
})

t.test('what may not be posted to is not connected to', async (t) => {
  const { port, connections } = await startReceiver(t)
  const sender = createWebhookSender()
  t.teardown(() => sender.close())
  const expected = {
    [`https://127.0.0.1:${port}/`]: 'address not allowed',
    [`https://localhost:${port}/`]: 'address not allowed',
    [`https://[::ffff:127.0.0.1]:${port}/`]: 'address not allowed',
    [`http://hook.example:${port}/`]: 'not https',
    'not a url': 'not a URL',
  }
  for (const [url, reason] of Object.entries(expected)) {
    const failed = { code: 'send_failed', verdict: 'retry', reason }
    t.strictSame(expectErr(await sender.send(requestTo(url))), failed, url)
  }
  t.equal(connections(), 0)
})

t.test('a signing secret that is none is a failure for good', async (t) => {
  const sender = createSender(t)
  for (const malformed of ['', 'whsec_', 'whsec_*', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_a']) {
    const sent = await sender.send(requestTo('http://127.0.0.1:1/', { secret: malformed }))
    t.match(expectErr(sent), { verdict: 'never', reason: 'signing secret malformed' })
  }
})

t.test('a user agent that is no header is a mistake in the program', async (t) => {
  t.throws(() => createWebhookSender({ userAgent: 'Sotto\r\nx: y' }), TypeError)
  t.throws(() => createWebhookSender({ allow: ['0.0.0.0/0'] }), TypeError)
})

t.test('messages after one another use one connection', async (t) => {
  const { port, requests, connections } = await startReceiver(t, {
    answer: (response) => response.writeHead(202).end('accepted'),
  })
  const sender = createSender(t)
  for (let sent = 0; sent < 5; sent += 1) {
    expectOk(await sender.send(requestTo(`http://127.0.0.1:${port}/`)))
    await new Promise((resolve) => setImmediate(resolve))
  }
  t.equal(requests.length, 5)
  t.equal(connections(), 1)
})

t.test('a connection that is not used is closed after a while', async (t) => {
  const closed = Promise.withResolvers<unknown>()
  const { port } = await startRaw(t, (socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
    socket.once('close', closed.resolve)
  })
  expectOk(await createSender(t, { idleMillis: 50 }).send(requestTo(`http://127.0.0.1:${port}/`)))
  await closed.promise
  t.pass('it is closed')
})

t.test('connections of 64 receivers are kept by http', (t) => keepsConnectionsOf64(t, false))

t.test('connections of 64 receivers are kept by https', (t) => keepsConnectionsOf64(t, true))

async function keepsConnectionsOf64(t: Test, isTls: boolean): Promise<void> {
  const { port, connections } = await startReceiver(t, { isTls })
  const { resolveName } = resolverOf({ 'hook.example': ['127.0.0.1'] })
  // A busy machine takes seconds for so many connections.
  const sender = createSender(t, { ca: tlsFiles.cert, resolveName, idleMillis: 60_000 })
  const origin = isTls ? `https://hook.example:${port}` : `http://127.0.0.1:${port}`
  const sendToEach = async (receivers: readonly number[], times = 1) => {
    for (const receiver of receivers) {
      const sent = Array.from({ length: times }, () => sender.send(requestTo(`${origin}/${receiver}`)))
      for (const one of await Promise.all(sent)) expectOk(one)
      await new Promise((resolve) => setImmediate(resolve))
    }
    return connections()
  }
  const [kept, others] = [Array.from({ length: 64 }, (_, at) => at), [64, 65]]
  t.equal(await sendToEach([...kept, ...others]), 66)
  t.equal(await sendToEach(kept), 66, 'the first 64 are used again')
  t.equal(await sendToEach(others), 68)
  t.equal(await sendToEach([0, 0], 2), 69, 'a second one to a receiver among them is kept, too')
}

t.test(
  'messages that are sent at the same time each have a connection, and 16 of them are kept',
  async (t) => {
    const { port, connections } = await startReceiver(t)
    const sender = createSender(t)
    for (const expected of [50, 50 + 34]) {
      const sent = Array.from({ length: 50 }, () => sender.send(requestTo(`http://127.0.0.1:${port}/`)))
      for (const result of await Promise.all(sent)) expectOk(result)
      t.equal(connections(), expected)
      await new Promise((resolve) => setImmediate(resolve))
    }
  },
)
