import { randomBytes } from 'node:crypto'
import { answerRequest, createClient, openLink } from '@sotto/client'
import { newRequestKeys } from '@sotto/sealed'
import { expectOk } from '@sotto/test-kit'
import t from 'tap'
import { startSystemNotifier } from '../../src/notifications/system-notifier.ts'
import { addOwner, startTestServer } from '../support/installation.ts'
import { startHttpReceiver, startMailReceiver } from '../support/receivers.ts'

const unique = (name: string): string => `${name}-${randomBytes(9).toString('hex')}`

// Promise (Encrypted in the browser): Mails and webhooks say nothing of what is encrypted: no text, file, key or sealed text
t.test('mails and webhooks about sealed secrets and answers have titles only', async (t) => {
  const mails = await startMailReceiver(t, { user: 'sotto', pass: 'pass' })
  const hook = await startHttpReceiver(t)
  const env = {
    SOTTO_SMTP_URL: mails.url,
    SOTTO_MAIL_FROM: 'sotto@example.org',
    SOTTO_WEBHOOK_ALLOW: '127.0.0.1',
  }
  const { server, installation, baseUrl } = await startTestServer(t, t.testdir(), { env })
  const notifier = startSystemNotifier(installation, server.log, { stopMillis: 200 })
  t.teardown(() => notifier.stop())
  const { sotto } = installation
  const owner = await addOwner(installation, { email: 'ann@example.org', folder: 'Doors', token: 'laptop' })
  const { accountId, folderId } = owner
  expectOk(await sotto.setMails({ accountId, enabled: true, nameLabels: true }))
  expectOk(await sotto.createWebhook({ accountId, url: hook.url }))

  const [text, name, content] = [unique('text'), unique('name'), unique('content')]
  const files = [new File([content], `${name}.pdf`)]
  const keys = await newRequestKeys()
  const asked = { accountId, folderId, title: 'Passport', takesFiles: true, key: keys.key, notify: true }
  const request = expectOk(await sotto.createRequest({ ...asked, answersAllowed: 1 }))
  await answerRequest(`${baseUrl}/r/${request.link.token}#${keys.auth}`, text, { files })
  const client = createClient({ baseUrl, token: owner.token })
  const secret = { folderId, label: 'Router', note: text, files, openLimit: 1, notify: true, sealed: true }
  const { link } = await client.createSecret(secret)
  await openLink(link.url)
  await Promise.all([mails.until(2), hook.until(2)])

  const sent = [
    ...mails.received.map((mail) => mail.replaceAll('=\r\n', '')),
    ...hook.received.map(({ body }) => body),
  ].join('\n')
  for (const said of ['Passport', 'Router', 'request.answered', 'secret.opened']) t.match(sent, said)
  const { ownerKey, auth, key } = keys
  const secrets = { text, name, content, ownerKey, auth, key, fragment: new URL(link.url).hash.slice(1) }
  for (const [what, canary] of Object.entries(secrets)) t.notOk(sent.includes(canary), what)
  t.notMatch(sent, /sotto-(?:answer|sealed)-1|\.sealed/)
})
