import { expectErr, expectOk } from '@sotto/test-kit'
import t from 'tap'
import type { SMTPServerOptions } from 'smtp-server'
import { makeMail, makeSender } from './support/mails.ts'
import { refusal, startServer } from './support/smtp-server.ts'

/** What a server does, and what the sender makes of it. */
const refusals: Readonly<
  Record<string, { readonly server: SMTPServerOptions; readonly reason: string; readonly verdict: string }>
> = {
  'a recipient for good': {
    server: atRecipient(550),
    reason: 'recipient refused (550)',
    verdict: 'never',
  },
  'a recipient for now': {
    server: atRecipient(450),
    reason: 'recipient refused (450)',
    verdict: 'retry',
  },
  'a full mailbox': { server: atRecipient(452), reason: 'recipient refused (452)', verdict: 'retry' },
  'the sender for good': { server: atSender(553), reason: 'sender refused (553)', verdict: 'never' },
  'the sender for now': { server: atSender(451), reason: 'sender refused (451)', verdict: 'retry' },
  'the mail for good': { server: atData(554), reason: 'mail refused (554)', verdict: 'never' },
  'the mail for now': { server: atData(451), reason: 'mail refused (451)', verdict: 'retry' },
  'the order of commands': { server: atSender(503), reason: 'sender refused (503)', verdict: 'retry' },
  'every client for good': {
    server: { onConnect: (_session, callback) => callback(refusal(554)) },
    reason: 'unexpected answer (554)',
    verdict: 'retry',
  },
}

for (const [what, { server: options, reason, verdict }] of Object.entries(refusals)) {
  t.test(`a server that refuses ${what}: ${verdict}`, async (t) => {
    const server = await startServer(t, options)
    const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${server.port}` })
    t.same(expectErr(await sender.send(makeMail())), { code: 'send_failed', reason, verdict })
  })
}

// Promise (Mails): A mail that is sent again is the same message
t.test('greylisting delays a mail: the second attempt arrives, as the same message', async (t) => {
  const seen = new Set<string>()
  const server = await startServer(t, {
    onRcptTo({ address }, _session, callback) {
      callback(seen.has(address) ? null : refusal(451))
      seen.add(address)
    },
  })
  const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${server.port}` })
  t.match(expectErr(await sender.send(makeMail())), { verdict: 'retry' })
  expectOk(await sender.send(makeMail()))
  expectOk(await sender.send(makeMail()))
  const ids = server.received.map(({ raw }) => /^Message-ID: (.*)\r$/m.exec(raw)?.[1])
  const id = '<019a0000-0000-7000-8000-0000000000ff@sender.example>'
  t.same(ids, [id, id])
})

function atRecipient(status: number): SMTPServerOptions {
  return { onRcptTo: (_address, _session, callback) => callback(refusal(status)) }
}

function atSender(status: number): SMTPServerOptions {
  return { onMailFrom: (_address, _session, callback) => callback(refusal(status)) }
}

function atData(status: number): SMTPServerOptions {
  return {
    onData(stream, _session, callback) {
      stream.resume()
      stream.on('end', () => callback(refusal(status)))
    },
  }
}

// Promise (Mails): A mail goes to one mailbox only, whatever the address holds: and an address that may read as another one gets none
t.test('an address of an earlier version that may read as another one fails for good', async (t) => {
  const server = await startServer(t)
  const sender = makeSender(t, { smtpUrl: `smtp://127.0.0.1:${server.port}` })
  for (const to of [
    'a;b@c.org',
    '(x)victim@b.org',
    '"x"@b.org',
    'a,b@c.org',
    'a<b@c.org',
    'a>@b.org',
    'a b@c.org',
  ]) {
    t.same(expectErr(await sender.send(makeMail({ to }))), {
      code: 'send_failed',
      reason: 'address not usable',
      verdict: 'never',
    })
  }
  t.same(server.received, [])
})
