import { setTimeout as pause } from 'node:timers/promises'
import { expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { startSystemNotifier } from '../../src/notifications/system-notifier.ts'
import { addOwner, addSecret, startTestServer, type TestServer } from '../support/installation.ts'
import { startHttpReceiver, startMailReceiver, startSilentServer, type Answer } from '../support/receivers.ts'

const login = { user: 'sotto', pass: 'p/w: hunter2' }

/** A server that sends, and who receives. */
async function startSending(
  t: Test,
  { answer, smtpUrl }: { readonly answer?: Answer; readonly smtpUrl?: string } = {},
) {
  const hook = await startHttpReceiver(t, answer)
  const mails = await startMailReceiver(t, login)
  const server = await startTestServer(t, t.testdir(), {
    env: {
      SOTTO_SMTP_URL: smtpUrl ?? mails.url,
      SOTTO_MAIL_FROM: 'sotto@example.org',
      SOTTO_WEBHOOK_ALLOW: '127.0.0.1',
    },
  })
  const { installation } = server
  const notifier = startSystemNotifier(installation, server.server.log, { stopMillis: 200 })
  t.teardown(() => notifier.stop())
  const owner = await addOwner(installation)
  const webhook = expectOk(
    await installation.sotto.createWebhook({ accountId: owner.accountId, url: `${hook.url}/hook` }),
  )
  return { ...server, hook, mails, notifier, owner, webhook }
}

/** Opens a link over HTTP, as a program does. */
function open({ call }: TestServer, token: string): Promise<Response> {
  return call(`/${token}`, { method: 'POST', headers: { accept: 'application/json' } })
}

// Promise (Notifications): An open of a secret with notify arrives as mail and at webhooks
t.test('an open of a secret with notify arrives as a mail and at the webhook', async (t) => {
  const sending = await startSending(t)
  const { installation, hook, mails, owner } = sending
  const secret = await addSecret(installation, owner, { label: 'Front door', notify: true, openLimit: 2 })
  t.equal((await open(sending, secret.link.token)).status, 200)

  const [posted] = await hook.until(1)
  t.match(JSON.parse(posted?.body ?? ''), {
    type: 'secret.opened',
    data: { secret_id: secret.id, folder_id: owner.folderId, opens: 1, opens_left: 1 },
  })
  t.equal(posted?.path, '/hook')
  t.match(posted?.headers, { 'webhook-id': /^.+$/, 'webhook-signature': /^v1,/, 'user-agent': /^Sotto\// })
  const [mail = ''] = await mails.until(1)
  t.match(mail, /^To: .*ann@example\.org/m)
  t.match(mail, new RegExp(`/secrets/${secret.id}`))
  for (const text of [posted?.body ?? '', mail]) t.notMatch(text, /Front door|a note/)
})

// Promise (Notifications): An open of a secret with notify arrives as mail and at webhooks: and an open of any other secret does not
t.test('a secret without notify and a link that is only looked at send nothing', async (t) => {
  const sending = await startSending(t)
  const { installation, hook, mails, owner } = sending
  const silent = await addSecret(installation, owner)
  t.equal((await open(sending, silent.link.token)).status, 200)
  const secret = await addSecret(installation, owner, { notify: true, openLimit: 1 })
  t.equal((await sending.call(`/${secret.link.token}`)).status, 200)
  t.equal((await open(sending, secret.link.token)).status, 200)
  const [first] = await hook.until(1)
  await mails.until(1)
  t.match(JSON.parse(first?.body ?? ''), { data: { secret_id: secret.id, opens: 1, opens_left: 0 } })
  t.equal(hook.received.length + mails.received.length, 2)
})

// Promise (Notifications): A mail server that hangs delays no request and no webhook, and /readyz stays green
t.test('a mail server that hangs delays no answer and no webhook; /readyz stays green', async (t) => {
  const sending = await startSending(t, { smtpUrl: await startSilentServer(t) })
  const { installation, hook, owner, call } = sending
  const secret = await addSecret(installation, owner, { notify: true })
  t.equal((await open(sending, secret.link.token)).status, 200)
  await hook.until(1)
  t.equal((await call('/readyz')).status, 200)
  t.equal((await call('/healthz')).status, 200)
})

t.test('what failed is in the queue with its reason, and the log names neither address', async (t) => {
  const sending = await startSending(t, { answer: () => 410 })
  const { installation, hook, mails, owner, webhook, log } = sending
  const secret = await addSecret(installation, owner, { notify: true, openLimit: 5 })
  await open(sending, secret.link.token)
  await Promise.all([hook.until(1), mails.until(1)])
  const logged = (...texts: string[]) => log.some((line) => texts.every((text) => line.includes(text)))
  while (!logged('webhook was disabled', webhook.id)) await pause(10)
  while (!logged('was given up', '"reason":"status 410"')) await pause(10)
  const { items } = expectOk(await installation.sotto.listWebhooks({ accountId: owner.accountId }))
  t.match(items, [{ disabled: { reason: 'gone' } }])
  t.notMatch(log.join(''), /127\.0\.0\.1:\d+\/hook|ann@example|hunter2|whsec_/)
})
