import { mock } from 'node:test'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expectErr, expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { createSender, requestTo } from './support/messages.ts'
import { startRaw, startReceiver } from './support/receiver.ts'

async function reasonFrom(t: Test, onRequest: (socket: Socket) => void): Promise<string> {
  const { port } = await startRaw(t, (socket) => socket.once('data', () => onRequest(socket)))
  return expectErr(await createSender(t).send(requestTo(`http://127.0.0.1:${port}/`))).reason
}

/** Puts the 10 seconds of a message under the test's control. */
function mockTimeout(t: Test): void {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
}

/** Resolves when a connection is closed, by a reset too. */
async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
}

const ok = 'HTTP/1.1 200 OK\r\n'

// Promise (Webhooks): A message takes at most 10 seconds
t.test('a server that does not finish its headers is left after 10 seconds', async (t) => {
  mockTimeout(t)
  for (const text of ['', 'HTTP/1.1 2', `${ok}x: y\r\n`, 'HTTP/1.1 100 Continue\r\n\r\n']) {
    const server = Promise.withResolvers<Socket>()
    const { port } = await startRaw(t, (socket) => {
      socket.once('data', () => socket.write(text, () => server.resolve(socket)))
    })
    let reason: string | undefined
    const sent = createSender(t)
      .send(requestTo(`http://127.0.0.1:${port}/`))
      .then((result) => (reason = expectErr(result).reason))
    const socket = await server.promise
    mock.timers.tick(9_499)
    await setImmediate()
    t.equal(reason, undefined)
    mock.timers.tick(1)
    await sent
    t.equal(reason, 'timeout')
    await closed(socket.resume())
  }
})

t.test('a server that does not speak TLS is left after 10 seconds', async (t) => {
  mockTimeout(t)
  const connected = Promise.withResolvers<unknown>()
  const { port } = await startRaw(t, () => connected.resolve(undefined))
  const sent = createSender(t).send(requestTo(`https://127.0.0.1:${port}/`))
  await connected.promise
  mock.timers.tick(9_500)
  t.equal(expectErr(await sent).reason, 'timeout')
})

// Promise (Webhooks): No message waits for a receiver that hangs
t.test('a message does not wait for those that receivers leave without an answer', async (t) => {
  const hanging = await startRaw(t, () => undefined)
  const { port } = await startReceiver(t, {
    answer: (response) => {
      if (response.req.url === '/') response.writeHead(204).end()
    },
  })
  const sender = createSender(t)
  const elsewhere = Array.from({ length: 300 }, () =>
    sender.send(requestTo(`http://127.0.0.1:${hanging.port}/`)),
  )
  const atTheSameHost = Array.from({ length: 20 }, () =>
    sender.send(requestTo(`http://127.0.0.1:${port}/slow`)),
  )
  expectOk(await sender.send(requestTo(`http://127.0.0.1:${port}/`)))
  sender.close()
  for (const result of await Promise.all([...elsewhere, ...atTheSameHost])) expectErr(result)
})

t.test('the status counts, whatever the body does within a second', async (t) => {
  mockTimeout(t)
  const server = Promise.withResolvers<Socket>()
  const { port } = await startRaw(t, (socket) => {
    socket.once('data', () =>
      socket.write(`${ok}content-length: 9\r\n\r\nslow`, () => server.resolve(socket)),
    )
  })
  let hasEnded = false
  const sent = createSender(t)
    .send(requestTo(`http://127.0.0.1:${port}/`))
    .map(() => (hasEnded = true))
  const socket = await server.promise
  for (let turn = 0; turn < 20; turn += 1) await setImmediate()
  mock.timers.tick(999)
  await setImmediate()
  t.notOk(socket.closed)
  t.notOk(hasEnded, 'it has the connection to itself until then')
  mock.timers.tick(1)
  expectOk(await sent)
  await closed(socket.resume())
})

// Promise (Webhooks): At most 16 KiB of an answer are read
t.test('a body without end is read up to 16 KiB', async (t) => {
  const server = Promise.withResolvers<Socket>()
  let written = 0
  const { port } = await startRaw(t, (socket) => {
    const more = (): void => {
      if (!socket.destroyed && written < 64 * 1024 * 1024) {
        written += 1024
        socket.write(`400\r\n${'x'.repeat(1024)}\r\n`, more)
      }
    }
    socket.once('data', () => {
      socket.write(`${ok}transfer-encoding: chunked\r\n\r\n`)
      more()
    })
    server.resolve(socket)
  })
  expectOk(await createSender(t).send(requestTo(`http://127.0.0.1:${port}/`)))
  const socket = await server.promise
  await closed(socket)
  t.ok(written < 16 * 1024 * 1024, `${written} bytes were written before the connection was closed`)
})

t.test('an answer of 16 KiB leaves the connection open, a longer one does not', async (t) => {
  const { port, connections } = await startReceiver(t, {
    answer: (response, count) => response.end(Buffer.alloc(count > 2 ? 16 * 1024 + 1 : 16 * 1024)),
  })
  const sender = createSender(t)
  const counts: number[] = []
  for (let sent = 0; sent < 4; sent += 1) {
    expectOk(await sender.send(requestTo(`http://127.0.0.1:${port}/`)))
    for (let turn = 0; turn < 20; turn += 1) await setImmediate()
    counts.push(connections())
  }
  t.strictSame(counts, [1, 1, 1, 2])
})

t.test('headers longer than 16 KiB are a malformed answer', async (t) => {
  const lines = `x: ${'y'.repeat(1000)}\r\n`.repeat(20)
  t.equal(await reasonFrom(t, (socket) => socket.write(`${ok}${lines}\r\n`)), 'malformed answer')
  const line = `x: ${'y'.repeat(20_000)}\r\n`
  t.equal(await reasonFrom(t, (socket) => socket.write(`${ok}${line}\r\n`)), 'malformed answer')
})

t.test('what is not HTTP is a malformed answer', async (t) => {
  const answers = ['SSH-2.0-OpenSSH\r\n', 'HTTP/1.1 2OO OK\r\n\r\n', `${ok}content-length: x\r\n\r\n`]
  for (const text of answers) {
    t.equal(await reasonFrom(t, (socket) => socket.write(text)), 'malformed answer', text)
  }
})

t.test('answers of 1xx without end are not waited for', async (t) => {
  const reason = await reasonFrom(t, (socket) => {
    const more = (): void => {
      if (!socket.destroyed) socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000), more)
    }
    more()
  })
  t.equal(reason, 'malformed answer')
})

t.test('an answer that changes the protocol is a failure', async (t) => {
  const text = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'
  const server = Promise.withResolvers<Socket>()
  const reason = await reasonFrom(t, (socket) => {
    socket.write(text)
    server.resolve(socket)
  })
  t.equal(reason, 'status 101')
  const socket = await server.promise
  await closed(socket.resume())
})

t.test('a connection that is cut before the status is a failure', async (t) => {
  t.equal(await reasonFrom(t, (socket) => socket.end()), 'connection cut')
  t.equal(await reasonFrom(t, (socket) => socket.resetAndDestroy()), 'connection cut')
  t.equal(await reasonFrom(t, (socket) => socket.end('HTTP/1.1 20')), 'connection cut')
})

t.test('a connection that is cut after the status is none', async (t) => {
  const { port } = await startRaw(t, (socket) => {
    socket.once('data', () => socket.end(`${ok}content-length: 9\r\n\r\ncut`))
  })
  expectOk(await createSender(t).send(requestTo(`http://127.0.0.1:${port}/`)))
})

t.test('nobody listening is a refused connection', async (t) => {
  const { port } = await startRaw(t, () => undefined)
  const sender = createSender(t)
  t.equal(expectErr(await sender.send(requestTo('http://127.0.0.1:1/'))).reason, 'connection refused')
  t.ok(port)
})

t.test('a kept connection that the receiver closes as it is used again is replaced once', async (t) => {
  let requests = 0
  const { port, connections } = await startRaw(t, (socket) => {
    let isFirst = true
    socket.on('data', () => {
      requests += 1
      if (isFirst) socket.write(`${ok}content-length: 0\r\n\r\n`)
      else socket.resetAndDestroy()
      isFirst = false
    })
  })
  const sender = createSender(t)
  for (let sent = 0; sent < 2; sent += 1) {
    expectOk(await sender.send(requestTo(`http://127.0.0.1:${port}/`)))
    await setImmediate()
  }
  t.equal(connections(), 2)
  t.equal(requests, 3)
})

// Promise (Webhooks): A connection that one receiver leaves unusable is used for no other one
t.test('a connection that one receiver leaves unusable is used for no other one', async (t) => {
  const answered: string[] = []
  const { port } = await startRaw(t, (socket) => {
    let requests = 0
    socket.on('data', (bytes) => {
      const [, path = ''] = /^POST (\S+)/.exec(String(bytes)) ?? []
      requests += 1
      // Its first answer is complete, but it answers nothing more on this connection.
      if (requests === 1) socket.write(`${ok}content-length: 0\r\n\r\n`, () => void answered.push(path))
    })
  })
  const sender = createSender(t)
  for (const path of ['/one', '/other'])
    expectOk(await sender.send(requestTo(`http://127.0.0.1:${port}${path}`)))
  t.same(answered, ['/one', '/other'])
})

// Promise (Webhooks): No text from a receiver is ever repeated
t.test('a failure repeats nothing that the other side sent', async (t) => {
  const lines = 'HTTP/1.1 500 canary\r\nx: canary\r\nretry-after: canary\r\ncontent-length: 6\r\n\r\ncanary'
  for (const text of [lines, 'canary', 'HTTP/1.1 canary', `${ok}content-length: canary\r\n\r\n`]) {
    t.notMatch(await reasonFrom(t, (socket) => socket.end(text)), /canary/)
  }
})

t.test('closing the sender ends what is being sent', async (t) => {
  const { port, connections } = await startRaw(t, (socket) => socket.once('data', () => sender.close()))
  const sender = createSender(t)
  t.equal(expectErr(await sender.send(requestTo(`http://127.0.0.1:${port}/`))).reason, 'connection cut')
  t.equal(connections(), 1)
})
