import { expectErr, expectOk } from '@sotto/test-kit'
import t from 'tap'
import { needsSmtpUtf8 } from '../src/smtputf8.ts'
import { makeCertificate, trust } from './support/certificate.ts'
import { makeMail, makeSender } from './support/mails.ts'
import { startRawServer } from './support/raw-server.ts'
import { parsed, startServer } from './support/smtp-server.ts'

const to = 'jürgen@bücher.example'
const notUsable = { code: 'send_failed', reason: 'address not usable', verdict: 'never' }

const certificate = makeCertificate()
trust(certificate)

t.test('only a local part beyond ASCII needs the extension', (t) => {
  t.ok(needsSmtpUtf8(to))
  t.notOk(needsSmtpUtf8('ada@bücher.example'))
  t.end()
})

t.test('a local part beyond ASCII is sent to a server that offers the extension', async (t) => {
  const server = await startServer(t)
  const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${server.port}` })
  expectOk(await sender.send(makeMail({ to })))
  t.same(server.received[0]?.to, [to])
  const { raw } = server.received[0]!
  const mail = await parsed({ raw })
  t.equal(Buffer.from(mail.to?.[0]?.address ?? '').toString(), to)
})

t.test('to one that does not, nothing is sent, and it fails for good', async (t) => {
  const commands: string[] = []
  const server = await startServer(t, {
    hideSMTPUTF8: true,
    onMailFrom({ address }, _session, callback) {
      commands.push(address)
      callback(null)
    },
  })
  const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${server.port}` })
  t.same(expectErr(await sender.send(makeMail({ to }))), notUsable)
  t.same(commands, [])
  expectOk(await sender.send(makeMail({ to: 'ada@bücher.example' })))
  t.match(server.received[0]?.raw, /^To: ada@xn--bcher-kva\.example\r$/m)
})

for (const hideSMTPUTF8 of [false, true]) {
  t.test(`the server is asked behind STARTTLS: ${hideSMTPUTF8 ? 'refused' : 'sent'}`, async (t) => {
    const server = await startServer(t, { ...certificate, disabledCommands: [], hideSMTPUTF8 })
    const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${server.port}?tls=always` })
    const sent = await sender.send(makeMail({ to }))
    if (hideSMTPUTF8) t.same(expectErr(sent), notUsable)
    else expectOk(sent)
    t.match(server.received, hideSMTPUTF8 ? [] : [{ secure: true, to: [to] }])
  })
}

for (const step of ['greeting', 'EHLO'] as const) {
  t.test(`a server that is silent at ${step} may be asked again later`, async (t) => {
    const { port } = await startRawServer(t, step, () => undefined)
    const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${port}`, timeoutMillis: 400 })
    t.match(expectErr(await sender.send(makeMail({ to }))), { reason: 'timeout', verdict: 'retry' })
  })
  t.test(`a server that leaves at ${step} may be asked again later`, async (t) => {
    const { port } = await startRawServer(t, step, (socket) => socket.destroy())
    const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${port}` })
    t.match(expectErr(await sender.send(makeMail({ to }))), { verdict: 'retry' })
  })
}

t.test('closing the sender ends the question', async (t) => {
  const asked = Promise.withResolvers<undefined>()
  const { port } = await startRawServer(t, 'EHLO', () => {
    asked.resolve(undefined)
  })
  const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${port}` })
  const sending = sender.send(makeMail({ to }))
  await asked.promise
  sender.close()
  t.match(expectErr(await sending), { verdict: 'retry' })
})
