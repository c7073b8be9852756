import { randomBytes } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { runProgram } from '../../src/program.ts'
import { startSystemNotifier } from '../../src/notifications/system-notifier.ts'
import { addOwner, addSecret, startTestServer } from '../support/installation.ts'
import { startHttpReceiver, startMailReceiver } from '../support/receivers.ts'

const unique = (name: string): string => `${name}-${randomBytes(9).toString('hex')}`

/** Runs a command on the installation in a directory; what it has printed on both outputs. */
async function printedBy(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const stdout = new PassThrough()
  await runProgram(args, { env, cwd, stdin: Readable.from([]), stdout, stderr: stdout })
  return String(stdout.read() ?? '')
}

/** Sends every kind of message, to receivers that take them and that do not, and collects what is written about it. */
async function sendEverything(t: Test) {
  const pass = unique('smtp-password')
  const path = unique('path')
  const [label, note, password, email] = ['label', 'note', 'password', 'email'].map(unique) as [
    string,
    string,
    string,
    string,
  ]
  const answers = [204, 503]
  const hook = await startHttpReceiver(t, () => answers.shift() ?? 410)
  const mails = await startMailReceiver(t, { user: 'sotto', pass })
  const cwd = t.testdir()
  const sending = {
    SOTTO_SMTP_URL: mails.url,
    SOTTO_MAIL_FROM: 'sotto@example.org',
    SOTTO_WEBHOOK_ALLOW: '127.0.0.1',
  }
  const server = await startTestServer(t, cwd, { env: sending })
  const { installation } = server
  const notifier = startSystemNotifier(installation, server.server.log, { stopMillis: 200 })
  t.teardown(() => notifier.stop())
  const address = `${email}@example.org`
  const owner = await addOwner(installation, { email: address, folder: 'Doors', token: 'laptop' })
  const { accountId } = owner
  const { sotto } = installation
  const webhook = expectOk(await sotto.createWebhook({ accountId, url: `${hook.url}/${path}` }))
  const links: string[] = []
  for (const openLimit of [1, 2, 3]) {
    const { link } = await addSecret(installation, owner, { label, note, openLimit, notify: true })
    links.push(link.token)
    await server.call(`/${link.token}`, { method: 'POST' })
    await mails.until(openLimit)
    await hook.until(openLimit)
  }
  const byAccount = ['--account', address]
  const broken = { ...sending, SOTTO_SMTP_URL: mails.url.replace('smtp://', 'smtp://x') }
  const malformed = { ...sending, SOTTO_SMTP_URL: `${mails.url}/path` }
  const commands = [
    ['doctor'],
    ['notification', 'list'],
    ['notification', 'list', '--dead', '--json'],
    ['notification', 'test', ...byAccount],
    ['webhook', 'test', ...byAccount, webhook.id],
    ['account', 'reset', '--email', address, '--mail'],
  ]
  const outputs: string[] = []
  for (const env of [sending, broken, malformed])
    for (const args of commands) outputs.push(await printedBy(args, cwd, env))
  const sent = [...mails.received.slice(0, 3), ...hook.received.map(({ body }) => body)].join('\n')
  const about = { pass, 'pass, encoded': encodeURIComponent(pass), path, signing: webhook.secret }
  const confidential = { ...about, label, note, password }
  return { confidential, links, email, sent, log: server.log.join(''), output: outputs.join('\n'), mails }
}

// Promise (Notifications): The password of the mail server, signing secrets, labels, notes and link tokens are in no log, output or message
t.test('neither log, output, mails nor webhooks name anything confidential', async (t) => {
  const { confidential, links, email, sent, log, output, mails } = await sendEverything(t)
  t.match(sent, /secret\.opened/)
  t.match(log, /"msg":"a webhook was disabled/)
  t.match(output, /✗ notifications: .*given up/)
  t.match(output, /authentication failed/)
  t.match(output, /SOTTO_SMTP_URL must be/)
  const texts = { sent, log, output }
  for (const [where, text] of Object.entries(texts)) {
    for (const [name, secret] of Object.entries(confidential))
      t.notOk(text.includes(secret), `${name} in ${where}`)
    for (const token of links) t.notOk(text.includes(token), `a link token in ${where}`)
  }
  t.notOk(log.includes(email), 'the email in the log')
  const invitation = mails.received.map(
    (mail) => /welcome\/([\w-]{43})/.exec(mail.replaceAll('=\r\n', ''))?.[1],
  )
  const [token] = invitation.filter((found) => found !== undefined)
  t.ok(token !== undefined, 'a one-time link was mailed')
  t.notOk(`${log}${output}`.includes(token ?? 'none'), 'and is nowhere else')
})
