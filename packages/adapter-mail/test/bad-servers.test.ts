import { expectErr, expectOk } from '@sotto/test-kit'
import { createServer, type AddressInfo } from 'node:net'
import t from 'tap'
import { makeMail, makeSender } from './support/mails.ts'
import { startRawServer, type Misdeed, type Step } from './support/raw-server.ts'
import { startServer } from './support/smtp-server.ts'

const steps: readonly Step[] = ['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'message']

const hang: Misdeed = () => undefined
const leave: Misdeed = (socket) => socket.destroy()
/** Short where only the time ends a mail. */
const silent = { timeoutMillis: 400 }
const patient = { timeoutMillis: 10_000 }

/** Sends something all the time, so that no silence ever lasts. */
const trickle: Misdeed = (socket) => {
  const timer = setInterval(() => socket.write('250-canary\r\n'), 20)
  socket.on('close', () => {
    clearInterval(timer)
  })
}
const babble: Misdeed = (socket) => socket.write('canary canary canary\r\n')
const flood: Misdeed = (socket) => socket.write('2'.padEnd(1_000_000, 'canary'))
const hugeStatus: Misdeed = (socket) => socket.write(`5${'0'.repeat(400)} canary\r\n`)
const closing: Misdeed = (socket) => socket.end('421 canary\r\n')

const misdeeds: Readonly<
  Record<string, { readonly misdeed: Misdeed; readonly reason: RegExp; readonly timeoutMillis: number }>
> = {
  'says nothing more': { misdeed: hang, reason: /^timeout$/, ...silent },
  'never ends its answer': { misdeed: trickle, reason: /^timeout$/, ...silent },
  leaves: { misdeed: leave, reason: /^connection closed$/, ...patient },
  'says that it closes': { misdeed: closing, reason: /^[a-zA-Z ]+ \(421\)$/, ...patient },
}

for (const step of steps) {
  for (const [what, { misdeed, reason, timeoutMillis }] of Object.entries(misdeeds)) {
    t.test(`a server that ${what} at ${step} is tried again later`, async (t) => {
      const { port } = await startRawServer(t, step, misdeed)
      const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${port}`, timeoutMillis })
      const started = performance.now()
      t.match(expectErr(await sender.send(makeMail())), { code: 'send_failed', reason, verdict: 'retry' })
      t.ok(performance.now() - started < timeoutMillis + 5_000)
    })
  }
}

const nonsense: Readonly<Record<string, Misdeed>> = {
  'speaks another language': babble,
  'sends a line without end': flood,
  'sends a status of 400 digits': hugeStatus,
}

for (const step of steps) {
  for (const [what, misdeed] of Object.entries(nonsense)) {
    t.test(`a server that ${what} at ${step} fails the mail, and is not quoted`, async (t) => {
      const { port } = await startRawServer(t, step, misdeed)
      const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${port}`, ...silent })
      const { reason, verdict } = expectErr(await sender.send(makeMail()))
      t.match(reason, /^[a-zA-Z ]+$/)
      t.notMatch(reason, 'canary')
      t.equal(verdict, 'retry')
    })
  }
}

// Promise (Mails): A mail waits for a server no longer than allowed
t.test('the time a mail waits for a connection counts', async (t) => {
  const { port } = await startRawServer(t, 'greeting', hang)
  const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${port}`, ...silent })
  const started = performance.now()
  const sent = await Promise.all(Array.from({ length: 20 }, () => sender.send(makeMail())))
  for (const result of sent) t.match(expectErr(result), { verdict: 'retry' })
  t.ok(performance.now() - started < silent.timeoutMillis + 5_000)
})

t.test('a server that leaves is not called in a loop', async (t) => {
  const server = await startRawServer(t, 'greeting', leave)
  const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${server.port}`, ...patient })
  expectErr(await sender.send(makeMail()))
  t.ok(server.connections() <= 2, `${server.connections()} connections`)
})

t.test('a server that is not there is tried again later', async (t) => {
  const port = await unusedPort()
  const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${port}`, ...patient })
  t.same(expectErr(await sender.send(makeMail())), {
    code: 'send_failed',
    reason: 'connection refused',
    verdict: 'retry',
  })
})

t.test('a host that has no address is tried again later', async (t) => {
  const sender = makeSender(t, { smtpUrl: 'smtp://mail.invalid', ...patient })
  t.match(expectErr(await sender.send(makeMail())), {
    reason: /^(host not found|timeout)$/,
    verdict: 'retry',
  })
})

t.test('a connection that the server ended between two mails is replaced', async (t) => {
  const server = await startServer(t)
  const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${server.port}` })
  expectOk(await sender.send(makeMail()))
  await server.endConnection()
  expectOk(await sender.send(makeMail()))
  t.not(server.received[0]?.session, server.received[1]?.session)
})

async function unusedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
