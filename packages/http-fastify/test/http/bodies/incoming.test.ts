import { EventEmitter, once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import type { After } from '../../../src/http/after.ts'
import { sendProblem, sendThrown } from '../../../src/http/answers/answers.ts'
import { problems } from '../../../src/http/answers/problems.ts'
import { leaveBodiesUnread } from '../../../src/http/bodies/bodies.ts'
import { announceLongBody, drain } from '../../../src/http/bodies/drain.ts'
import { incomingBody, type IncomingBody } from '../../../src/http/bodies/incoming.ts'
import { limitsOf, longBodiesMax } from '../../../src/http/bodies/server-limits.ts'
import { sottoServerOptions, type GivenAnswer } from '../../../src/index.ts'
import { head, listen, open } from '../../support/raw.ts'
import { acquireAll } from '../../support/semaphore.ts'
import { createWorld } from '../../support/world.ts'

/** A server that reads as many bytes of a long body as its path says, then answers; with timers that the test moves. */
async function startReader(t: Test) {
  const timers = new Map<() => void, number>()
  const after: After = (millis, callBack) => {
    timers.set(callBack, millis)
    return () => timers.delete(callBack)
  }
  const given: GivenAnswer[] = []
  const onAnswer = (answer: GivenAnswer): void => void given.push(answer)
  const app = Fastify(sottoServerOptions({ sotto: createWorld().sotto, onAnswer }))
  leaveBodiesUnread(app)
  app.setErrorHandler(sendThrown)
  const ends: string[] = []
  let arrived = 0
  app.post<{ Params: { bytes: string } }>('/:bytes', async (request, reply) => {
    if (request.params.bytes === 'gone') await once(reply.raw, 'close')
    const incoming = incomingBody(reply, { accountId: 'account' }, after)
    const read = await readSome(incoming, Number(request.params.bytes), (bytes) => (arrived += bytes))
    ends.push(String(read))
    return typeof read === 'number' ? reply.send(`read ${read}`) : sendProblem(reply, refusals[read])
  })
  t.teardown(() => app.close())
  const { longBodies } = limitsOf(app.server)
  return {
    app,
    ends,
    given,
    port: await listen(app),
    arrived: () => arrived,
    isEmpty() {
      const release = acquireAll(longBodies, longBodiesMax)
      release?.()
      return release !== undefined
    },
    longBodies,
    timers,
    pass(millis: number) {
      for (const [callBack, each] of [...timers]) if (each === millis && timers.delete(callBack)) callBack()
    },
  }
}

const refusals = {
  enough: problems.bodyTooLarge,
  broken_off: problems.badRequest,
  too_slow: problems.timeout,
}

async function readSome(
  { pieces, cutOff }: IncomingBody,
  bytesMax: number,
  count: (bytes: number) => void,
): Promise<keyof typeof refusals | number> {
  let bytes = 0
  for await (const piece of pieces) {
    if (piece.isErr()) return cutOff() ?? 'enough'
    bytes += piece.value.length
    count(piece.value.length)
    if (bytes >= bytesMax) return 'enough'
  }
  return bytes
}

const post = (path: string, length: number): string =>
  head(`POST ${path} HTTP/1.1`, 'Host: localhost:3000', `Content-Length: ${length}`)

// Promise (Files): An upload may take longer than any other request: a client that sends 256 KiB in a minute is not cut off for an hour
t.test('a long body may take longer than any other request', async (t) => {
  const { app, port } = await startReader(t)
  const { socket, received } = await open(port)
  // The time of every request is over once this one is known.
  app.server.once('request', () => Object.assign(app.server, { headersTimeout: 1, requestTimeout: 1 }))
  const late = once(app.server, 'clientError')
  socket.write(post('/100', 20) + '0123456789')
  await late
  socket.write('0123456789')
  await received('read 20')
  const silent = once(app.server, 'clientError')
  socket.write('POST /')
  await silent
  await received('408 Request Timeout')
  socket.destroy()
})

// Promise (Files): An upload whose client sends less than 256 KiB in a minute is 408
t.test('a client that sends less than 256 KiB in a minute is 408 and disconnected', async (t) => {
  const { port, pass, isEmpty, timers, arrived } = await startReader(t)
  const { socket, closed, received } = await open(port)
  socket.write(post('/1000000', 1_000_000))
  let sent = 0
  for (const bytes of [256 * 1024, 270_000, 256 * 1024 - 1]) {
    socket.write(Buffer.alloc(bytes))
    sent += bytes
    await until(() => arrived() === sent)
    pass(60_000)
  }
  await received('408 Request Timeout')
  t.match(await closed, /connection: close/)
  await until(isEmpty)
  t.equal(timers.size, 0)
})

// Promise (Files): An upload may take an hour, and as long as what has arrived takes at 64 KiB a second: ordinary lines are left alone
t.test('after an hour an upload is 408 when less than 64 KiB a second have arrived since', async (t) => {
  for (const [bytesPerMinute, minutes] of [
    [256 * 1024, 65],
    [30 * 64 * 1024, 121],
    [64 * 64 * 1024, undefined],
  ] as const) {
    const { port, pass, timers, arrived } = await startReader(t)
    const { socket, received } = await open(port)
    socket.write(post('/1000000000', 1_000_000_000))
    let passed = 0
    for (let sent = 0; passed < 150 && (passed === 0 || timers.size > 0); passed += 1) {
      socket.write(Buffer.alloc(bytesPerMinute))
      sent += bytesPerMinute
      await until(() => arrived() === sent)
      pass(60_000)
    }
    t.equal(passed, minutes ?? 150)
    if (minutes !== undefined) await received('408 Request Timeout')
    socket.destroy()
  }
})

// Promise (Files): A secret is never created with a content that a sweep has dropped, however long its upload takes
t.test('an upload takes at most 12 hours', async (t) => {
  const { port, pass, isEmpty, timers, arrived } = await startReader(t)
  const { socket, closed, received } = await open(port)
  socket.write(post('/1000000', 1_000_000) + 'x')
  await until(() => arrived() === 1)
  pass(12 * 3_600_000)
  await received('408 Request Timeout')
  t.match(await closed, /connection: close/)
  await until(() => isEmpty() && timers.size === 0)
})

t.test('a refusal is answered before the rest has arrived, which is then discarded', async (t) => {
  const { port, timers, isEmpty } = await startReader(t)
  const { socket, received } = await open(port)
  socket.write(post('/1', 30_000_000) + 'x')
  await received('413 Payload Too Large')
  socket.write(Buffer.alloc(29_999_999))
  socket.write(post('/100', 3) + 'abc')
  await received('read 3')
  await until(() => timers.size === 0 && isEmpty())
  socket.destroy()
})

t.test('what is discarded may take 30 s, then the connection is closed', async (t) => {
  const { port, pass } = await startReader(t)
  const { socket, closed, received } = await open(port)
  socket.write(post('/1', 30_000) + 'x')
  await received('413 Payload Too Large')
  pass(30_000)
  await closed
})

t.test('nothing waits once the client of a refused body has left', async (t) => {
  const { port, timers } = await startReader(t)
  const { socket, received } = await open(port)
  socket.write(post('/1', 30_000) + 'x')
  await received('413 Payload Too Large')
  t.equal(timers.size, 1)
  socket.destroy()
  await until(() => timers.size === 0)
})

t.test('no more than 1 GiB is discarded', async (t) => {
  let given = 0
  const socket = Object.assign(new EventEmitter(), { destroy: () => endless.destroy() })
  const endless = new Readable({
    read() {
      given += 1
      globalThis.setImmediate(() => this.push(mebibyte))
    },
  })
  const request = Object.assign(endless, { socket, headers: { 'transfer-encoding': 'chunked' } })
  const raw = request as unknown as IncomingMessage
  announceLongBody({ request: raw, stop: () => true, after: () => () => undefined })
  t.equal(await drain(raw), true)
  await once(endless, 'close')
  t.ok(given > 1_000 && given < 1_100, `${given} MiB`)
})

for (const [how, leave] of [
  ['resets', 'resetAndDestroy'],
  ['closes', 'end'],
] as const)
  t.test(`a client that ${how} the connection ends its body`, async (t) => {
    const { app, port, ends, isEmpty, timers } = await startReader(t)
    const accepted = once(app.server, 'request')
    const { socket, closed } = await open(port)
    socket.write(post('/100', 30) + 'x')
    await accepted
    socket[leave]()
    await until(() => ends.length > 0 && isEmpty())
    t.same(ends, ['broken_off'])
    t.equal(timers.size, 0)
    await closed
  })

t.test('a client that has gone before its body is read takes no bytes of the budget', async (t) => {
  const { app, port, isEmpty, timers } = await startReader(t)
  const answered = new Promise<void>((resolve) =>
    app.server.once('request', (_, response) =>
      response.once('close', () => globalThis.setImmediate(resolve)),
    ),
  )
  const { socket, closed } = await open(port)
  socket.write(post('/gone', 30) + 'x')
  await until(() => socket.bytesWritten > 0)
  socket.resetAndDestroy()
  await Promise.all([answered, closed])
  t.ok(isEmpty())
  t.equal(timers.size, 0)
})

t.test(
  'a client that leaves while its body waits behind an earlier answer takes no bytes of the budget',
  async (t) => {
    const { port, ends, isEmpty, timers } = await startReader(t)
    const { socket, closed } = await open(port)
    socket.write(post('/gone', 3) + 'abc' + post('/100', 30) + 'x')
    await until(() => !isEmpty())
    socket.resetAndDestroy()
    await closed
    await until(() => ends.length > 0 && isEmpty())
    t.same(ends, ['broken_off'])
    t.equal(timers.size, 0)
  },
)

t.test('a client that leaves after an early answer to its upload gets no second one', async (t) => {
  const { port, given } = await startReader(t)
  const { socket, received, closed } = await open(port, { allowHalfOpen: true })
  socket.write(post('/3', 100) + 'abcdef')
  await received('413 Payload Too Large')
  socket.end()
  t.equal((await closed).match(/HTTP\/1\.1 /g)?.length, 1)
  t.same(given, [], 'and no second line in the log')
})

// Promise (Files): 128 uploads arrive at the same time in a process: then 503
t.test('beyond 128 long bodies at the same time the answer is 503', async (t) => {
  const { port, longBodies } = await startReader(t)
  const { socket, received } = await open(port)
  const release = acquireAll(longBodies, longBodiesMax)
  t.ok(release)
  socket.write(post('/100', 3) + 'abc')
  await received('503 Service Unavailable')
  release?.()
  socket.write(post('/100', 3) + 'abc')
  await received('read 3')
  socket.destroy()
})

const mebibyte = Buffer.alloc(1024 * 1024)

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate()
}
