import { expectErr, expectOk } from '@sotto/test-kit'
import t from 'tap'
import type { SMTPServerOptions } from 'smtp-server'
import { makeCertificate, trust } from './support/certificate.ts'
import { makeMail, makeSender } from './support/mails.ts'
import { startServer } from './support/smtp-server.ts'

const trusted = makeCertificate()
const strange = makeCertificate()
trust(trusted)

const password = 'canary p@ss/word%'
const credentials = `ada:${encodeURIComponent(password)}`

/** Takes one user, and notes which passwords were tried before TLS. */
function withLogin(inClear: unknown[]): SMTPServerOptions {
  return {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth(auth, session, callback) {
      if (!session.secure) inClear.push(auth.password)
      const known = auth.username === 'ada' && auth.password === password
      callback(null, known ? { user: 'ada' } : { message: 'canary-of-the-server', responseCode: 535 })
    },
  }
}

t.test('smtps:// encrypts from the first byte and logs in', async (t) => {
  const inClear: unknown[] = []
  const server = await startServer(t, { ...trusted, secure: true, ...withLogin(inClear) })
  const sender = makeSender(t, { smtpUrl: `smtps://${credentials}@127.0.0.1:${server.port}` })
  expectOk(await sender.send(makeMail()))
  t.match(server.received, [{ secure: true, user: 'ada' }])
  t.same(inClear, [])
})

t.test('STARTTLS encrypts before the login', async (t) => {
  const inClear: unknown[] = []
  const server = await startServer(t, { ...trusted, disabledCommands: [], ...withLogin(inClear) })
  const sender = makeSender(t, { smtpUrl: `smtp://${credentials}@127.0.0.1:${server.port}?tls=always` })
  expectOk(await sender.send(makeMail()))
  t.match(server.received, [{ secure: true, user: 'ada' }])
  t.same(inClear, [])
})

// Promise (Mails): If TLS is required, neither mail nor SMTP password is sent without it
t.test('where STARTTLS is refused, neither mail nor password leaves', async (t) => {
  const inClear: unknown[] = []
  const server = await startServer(t, { disabledCommands: ['STARTTLS'], ...withLogin(inClear) })
  const sender = makeSender(t, { smtpUrl: `smtp://${credentials}@127.0.0.1:${server.port}?tls=always` })
  const failed = expectErr(await sender.send(makeMail()))
  t.match(failed, { verdict: 'retry', reason: /^TLS failed/ })
  t.notMatch(JSON.stringify(failed), 'canary')
  t.same(inClear, [])
  t.same(server.received, [])
})

for (const [how, smtpUrl] of [
  ['from the first byte', (port: number) => `smtps://${credentials}@127.0.0.1:${port}`],
  ['by STARTTLS', (port: number) => `smtp://${credentials}@127.0.0.1:${port}?tls=always`],
] as const) {
  t.test(`a certificate that nobody trusts gets no mail, ${how}`, async (t) => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    t.teardown(() => delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'])
    const inClear: unknown[] = []
    const secure = smtpUrl(0).startsWith('smtps')
    const server = await startServer(t, { ...strange, secure, disabledCommands: [], ...withLogin(inClear) })
    const failed = expectErr(await makeSender(t, { smtpUrl: smtpUrl(server.port) }).send(makeMail()))
    t.match(failed, { verdict: 'retry', reason: 'certificate not accepted' })
    t.same(server.received, [])
    t.same(inClear, [])
  })
}

t.test('a certificate for another host gets no mail', async (t) => {
  const server = await startServer(t, { ...trusted, secure: true })
  // Loopback too, but the certificate does not name it.
  const failed = expectErr(
    await makeSender(t, { smtpUrl: `smtps://127.0.0.2:${server.port}` }).send(makeMail()),
  )
  t.match(failed, { verdict: 'retry' })
  t.same(server.received, [])
})

t.test('a server that speaks no TLS fails smtps://', async (t) => {
  const server = await startServer(t)
  const sender = makeSender(t, { smtpUrl: `smtps://127.0.0.1:${server.port}` })
  t.match(expectErr(await sender.send(makeMail())), { verdict: 'retry', reason: 'TLS failed' })
})

t.test('a wrong password is a reason to retry, and is not repeated', async (t) => {
  const server = await startServer(t, withLogin([]))
  const sender = makeSender(t, { smtpUrl: `smtp://ada:canary-wrong@127.0.0.1:${server.port}` })
  t.same(expectErr(await sender.send(makeMail())), {
    code: 'send_failed',
    reason: 'authentication failed (535)',
    verdict: 'retry',
  })
})

t.test('a server that wants a login says so to a sender without one', async (t) => {
  const server = await startServer(t, withLogin([]))
  const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${server.port}` })
  t.match(expectErr(await sender.send(makeMail())), {
    reason: 'authentication failed (530)',
    verdict: 'retry',
  })
})

t.test('a relay on this machine gets mail without TLS, whatever its certificate', async (t) => {
  const server = await startServer(t, { ...strange, disabledCommands: [] })
  const sender = makeSender(t, { smtpUrl: `smtp://localhost:${server.port}` })
  expectOk(await sender.send(makeMail()))
  t.match(server.received, [{ secure: false }])
})
