import { expectErr, expectOk } from '@sotto/test-kit'
import { languages } from '@sotto/core'
import t from 'tap'
import { createMailSender } from '../src/index.ts'
import { contents, makeMail, makeSender, opened } from './support/mails.ts'
import { parsed, refusal, startServer } from './support/smtp-server.ts'

const canary = 'canary-password'

t.test('a mail arrives once, at its recipient only, as text and HTML', async (t) => {
  const server = await startServer(t)
  const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${server.port}` })
  expectOk(await sender.send(makeMail({ to: 'ada@example.org' })))
  const [mail, ...others] = server.received
  t.same(others, [])
  t.match(mail, { from: 'sotto@sender.example', to: ['ada@example.org'] })
  const { subject, from, to, text, html, date } = await parsed(mail!)
  t.equal(subject, 'Your secret was opened')
  t.match(from, { name: 'Sotto', address: 'sotto@sender.example' })
  t.match(to, [{ address: 'ada@example.org' }])
  t.match(text, 'https://sotto.example/secrets/019a0000-0000-7000-8000-000000000003')
  t.match(html, '<!doctype html>')
  t.equal(date, '2026-12-20T12:57:00.000Z')
})

t.test('each kind of mail in each language arrives as it was written', async (t) => {
  const server = await startServer(t)
  const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${server.port}` })
  for (const language of languages) {
    for (const content of Object.values(contents)) {
      expectOk(await sender.send(makeMail({ language, content })))
      const { subject = '', text = '', html = '' } = await parsed(server.received.at(-1)!)
      t.notMatch(`${subject}${text}${html}`, /\ufffd|undefined|\{\w+\}/, `${language} ${content.kind}`)
      t.match(html, `<html lang="${language}"`)
    }
  }
  t.equal(new Set(server.received.map(({ session }) => session)).size, 1, 'over one connection')
})

t.test('mails that are sent at the same time share few connections', async (t) => {
  let open = 0
  let most = 0
  const server = await startServer(t, {
    onConnect(_session, callback) {
      most = Math.max(most, (open += 1))
      callback()
    },
    onClose: () => (open -= 1),
  })
  const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${server.port}` })
  const sent = await Promise.all(Array.from({ length: 40 }, () => sender.send(makeMail())))
  for (const result of sent) expectOk(result)
  t.equal(server.received.length, 40)
  t.ok(most <= 4, `${most} connections`)
})

t.test('a refused mail does not stop the next one', async (t) => {
  const server = await startServer(t, {
    onRcptTo({ address }, _session, callback) {
      callback(address.startsWith('nobody') ? refusal(550) : null)
    },
  })
  const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${server.port}` })
  expectOk(await sender.send(makeMail()))
  expectErr(await sender.send(makeMail({ to: 'nobody@example.org' })))
  expectOk(await sender.send(makeMail()))
  t.equal(server.received.length, 2)
})

t.test('a closed sender fails its mails with the verdict retry', async (t) => {
  const server = await startServer(t)
  const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${server.port}` })
  expectOk(await sender.send(makeMail()))
  sender.close()
  t.match(expectErr(await sender.send(makeMail())), { code: 'send_failed', verdict: 'retry' })
  t.equal(server.received.length, 1)
})

t.test('closing cuts a mail that is underway', async (t) => {
  const reached = Promise.withResolvers<undefined>()
  const server = await startServer(t, {
    onRcptTo: () => {
      reached.resolve(undefined)
    },
  })
  const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${server.port}` })
  const sending = sender.send(makeMail())
  await reached.promise
  const closed = performance.now()
  sender.close()
  t.match(expectErr(await sending), { verdict: 'retry' })
  t.ok(performance.now() - closed < 10_000, 'before its time is over')
})

t.test('nothing is connected to before the first mail', async (t) => {
  let connections = 0
  const server = await startServer(t, { onConnect: () => (connections += 1) })
  makeSender(t, { smtpUrl: `smtp://127.0.0.1:${server.port}` }).close()
  t.equal(connections, 0)
})

t.test('options that cannot work throw, and are not repeated', (t) => {
  const good = { smtpUrl: 'smtp://127.0.0.1', from: 'sotto@sender.example', baseUrl: 'https://sotto.example' }
  for (const broken of [
    { smtpUrl: `smtp://user:${canary}#@mail.example` },
    { from: canary },
    { baseUrl: canary },
  ]) {
    t.throws(() => createMailSender({ ...good, ...broken }), { name: 'TypeError' })
    t.throws(() => createMailSender({ ...good, ...broken }), { message: /^(?!.*canary)/ })
  }
  t.end()
})

// Promise (Mails): A mail never has a label in its headers, and has one in its body only if the owner wants it
t.test('a label is in the body only, and only when it is given', async (t) => {
  const server = await startServer(t)
  const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${server.port}` })
  expectOk(await sender.send(makeMail({ content: { ...opened(), label: 'Router canary' } })))
  const { subject, headers, text, html } = await parsed(server.received[0]!)
  t.notMatch(`${subject}${JSON.stringify(headers)}`, 'canary')
  t.match(text, 'Title: Router canary')
  t.match(html, 'Router canary')
})
