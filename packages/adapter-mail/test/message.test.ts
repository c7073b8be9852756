import { languages } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import MailComposer from 'nodemailer/lib/mail-composer'
import t, { type Test } from 'tap'
import type { Mail } from '@sotto/core'
import type { MailSenderOptions } from '../src/index.ts'
import { messageOf } from '../src/message.ts'
import { contents, makeMail, makeSender, opened } from './support/mails.ts'
import { parsed, startServer } from './support/smtp-server.ts'

/** The bytes of a mail, as a server got them. */
async function sent(t: Test, mail: Mail, options: Partial<MailSenderOptions> = {}): Promise<string> {
  const server = await startServer(t)
  const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${server.port}`, ...options })
  expectOk(await sender.send(mail))
  return server.received[0]!.raw
}

async function headersOf(raw: string): Promise<Readonly<Record<string, string>>> {
  const { headers } = await parsed({ raw })
  return Object.fromEntries(headers.map(({ key, value }) => [key, value]))
}

t.test('the headers say what made the mail, and nothing else', async (t) => {
  const headers = await headersOf(await sent(t, makeMail()))
  t.match(headers, {
    'auto-submitted': 'auto-generated',
    'x-auto-response-suppress': 'All',
    'message-id': '<019a0000-0000-7000-8000-0000000000ff@sender.example>',
    date: 'Sun, 20 Dec 2026 12:57:00 +0000',
    from: 'Sotto <sotto@sender.example>',
    to: 'ada@example.org',
    subject: 'Your secret was opened',
    'content-type': /^multipart\/alternative/,
  })
  t.same(Object.keys(headers).sort(), [
    'auto-submitted',
    'content-type',
    'date',
    'from',
    'message-id',
    'mime-version',
    'subject',
    'to',
    'x-auto-response-suppress',
  ])
})

t.test('text comes before HTML, which readers prefer', async (t) => {
  const raw = await sent(t, makeMail())
  t.same(
    [...raw.matchAll(/^Content-Type: (text\/\w+)/gm)].map(([, type]) => type),
    ['text/plain', 'text/html'],
  )
})

t.test('each line is ASCII and has at most 76 characters', async (t) => {
  const label = 'langes Etikett – ラベル '.repeat(12)
  const url = `https://sotto.example/welcome/${'a'.repeat(90)}`
  const server = await startServer(t)
  const name = 'Ein recht langer Name für einen Dienst – 名前'
  const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${server.port}`, name })
  for (const language of languages) {
    for (const content of [...Object.values(contents), { ...opened(), label }, { ...contents.reset, url }]) {
      expectOk(await sender.send(makeMail({ language, content })))
      for (const line of server.received.at(-1)!.raw.split('\r\n')) {
        if (line.length > 76 || !/^[\t\x20-\x7e]*$/.test(line)) t.fail(line)
      }
    }
  }
  t.equal(server.received.length, languages.length * (Object.keys(contents).length + 2))
})

t.test('the name of the sender is that of the service, unless it has its own', async (t) => {
  const named = async (options: Partial<MailSenderOptions>): Promise<unknown> => {
    const { from } = await parsed({ raw: await sent(t, makeMail(), options) })
    return from?.name
  }
  t.equal(await named({ name: 'Bücher, "Ltd" <x@y>' }), 'Bücher, "Ltd" <x@y>')
  t.equal(await named({ name: 'Brand', from: 'Own <sotto@sender.example>' }), 'Own')
})

// Promise (Mails): No name, label or address adds a header to a mail
t.test('no name, label or address adds a header or a part', async (t) => {
  const evil =
    'x\r\nBcc: eve@example.org\r\n\r\n<p>canary</p>\r\n.\r\nMAIL FROM:<eve@example.org>\n\rX-Evil: 1'
  const plain = await headersOf(await sent(t, makeMail({ content: contents.invite })))
  for (const content of [contents.invite, { ...opened(), label: evil }]) {
    const raw = await sent(t, makeMail({ content }), { name: evil })
    const headers = await headersOf(raw)
    t.same(Object.keys(headers).sort(), Object.keys(plain).sort())
    const { attachments, text } = await parsed({ raw })
    t.same(attachments, [])
    t.notMatch(text, /^(Bcc|X-Evil|MAIL FROM)/im)
  }
})

t.test('a line with a single dot does not end the mail', async (t) => {
  const url = 'https://sotto.example/welcome/x\r\n.\r\nQUIT'
  const { text } = await parsed({ raw: await sent(t, makeMail({ content: { ...contents.invite, url } })) })
  t.match(text, 'QUIT')
  t.match(text, 'If you did not expect this mail')
})

// Promise (Mails): A mail goes to one mailbox only, whatever the address holds
t.test('nodemailer never reads an address out of a text', (t) => {
  const parts = { sender: { name: undefined, address: 's;t@a.org', host: 'a.org' }, name: 'Sotto' }
  const base = new URL('https://sotto.example')
  for (const [to, quoted] of [
    ['a;b@c.org', '"a;b"@c.org'],
    ['(x)victim@b.org', '"(x)victim"@b.org'],
    ['a,b@c.org', '"a,b"@c.org'],
  ] as const) {
    const message = new MailComposer(messageOf({ mail: makeMail({ to }), base, ...parts })).compile()
    t.same(message.getEnvelope(), { from: '"s;t"@a.org', to: [quoted] })
  }
  t.end()
})
