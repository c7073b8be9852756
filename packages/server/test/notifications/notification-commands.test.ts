import { expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { testCommand } from '../support/in-process.ts'
import { addSecret, openIn } from '../support/installation.ts'
import { startHttpReceiver, startMailReceiver, type Answer } from '../support/receivers.ts'

const ann = ['--account', 'ann@example.org']
const login = { user: 'sotto', pass: 'hunter2' }
const absent = '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071'

/** An account with one webhook, and who receives its messages. */
async function installed(t: Test, answer?: Answer) {
  const { cwd, run, json } = testCommand(t)
  const hook = await startHttpReceiver(t, answer)
  const mails = await startMailReceiver(t, login)
  const env = {
    SOTTO_SMTP_URL: mails.url,
    SOTTO_MAIL_FROM: 'sotto@example.org',
    SOTTO_WEBHOOK_ALLOW: '127.0.0.1',
  }
  const { id: accountId } = await json<{ id: string }>(['account', 'create', '--email', 'ann@example.org'])
  const { id: webhookId } = await json<{ id: string }>(['webhook', 'create', ...ann, '--url', hook.url], {
    env,
  })
  return { cwd, run, json, hook, mails, env, accountId, webhookId }
}

/** Has the account hear of an open, and tries to deliver it once. */
async function openAndDeliver({ cwd, env, accountId }: Awaited<ReturnType<typeof installed>>) {
  const { sotto, close } = await openIn(cwd, { env })
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'Doors' }))
  const owner = { accountId, folderId, token: '' }
  const secret = await addSecret({ sotto }, owner, { label: 'Front door', notify: true, openLimit: 3 })
  expectOk(await sotto.openSecret({ token: secret.link.token }))
  expectOk(await sotto.distributeEvents())
  for (const kind of ['mail', 'webhook'] as const) {
    const leases = expectOk(await sotto.leaseDeliveries({ kind, targets: 1, perTarget: 1 }))
    for (const lease of leases) expectOk(await sotto.deliverLease({ lease }))
  }
  await close()
  return secret
}

t.test('what is not delivered is listed with its failure, and what was given up apart', async (t) => {
  const here = await installed(t, () => 500)
  const { run, json, accountId, webhookId } = here
  t.strictSame(await json(['notification', 'list']), [])
  const secret = await openAndDeliver(here)
  const [waiting = {}, ...others] = await json<Record<string, unknown>[]>(['notification', 'list'])
  t.strictSame(others, [], 'the mail was delivered')
  t.match(waiting, {
    account_id: accountId,
    kind: 'webhook',
    webhook_id: webhookId,
    type: 'secret.opened',
    secret_id: secret.id,
    attempts: 1,
    last_failure: 'status 500',
    dead_at: null,
  })
  t.strictSame(await json(['notification', 'list', '--dead']), [])
  const { stdout } = await run(['notification', 'list'])
  t.match(stdout, /^ID +KIND +DUE +ATTEMPTS +LAST FAILURE\n/)
  t.match(stdout, /status 500\n$/)
  t.notMatch(stdout + JSON.stringify(waiting), /Front door|whsec_|http:|ann@/)
})

// Promise (Notifications): doctor finds it too, and messages that were given up
t.test('what was given up is listed with --dead, found by doctor, and tried again', async (t) => {
  const here = await installed(t, () => 410)
  const { run, json } = here
  t.match((await run(['doctor'])).stdout, /✓ notifications: none was given up, 0 wait\n/)
  await openAndDeliver(here)
  const dead = await json<{ id: string; dead_at: string }[]>(['notification', 'list', '--dead'])
  t.match(dead, [{ last_failure: 'status 410', dead_at: /^2/ }])
  const examined = await run(['doctor'])
  t.equal(examined.code, 1)
  t.match(
    examined.stdout,
    /✗ notifications: 1 was given up: see sotto notification list --dead, .*sotto notification retry ID\n/,
  )
  const [{ id } = { id: '' }] = dead
  t.match(await run(['notification', 'retry', id, '--json']), {
    code: 0,
    stdout: `{"id":"${id}","retried":true}\n`,
  })
  t.strictSame(await json(['notification', 'list', '--dead']), [])
  t.match(await json(['notification', 'list']), [{ id, attempts: 0, dead_at: null }])
  t.match(
    (await run(['doctor'])).stdout,
    /✓ notifications: none was given up, 1 wait, 1 webhook is disabled\n/,
  )
})

t.test('an unknown or malformed id is not tried again', async (t) => {
  const { run } = await installed(t)
  for (const id of [absent, 'nonsense'])
    t.match(await run(['notification', 'retry', id]), { code: 1, stderr: /there is no such notification/ })
})

t.test('a test sends one message to each target and prints a line for each', async (t) => {
  const { run, json, env, hook, mails, webhookId } = await installed(t)
  t.match(await run(['notification', 'test', ...ann], { env }), {
    code: 0,
    stdout: `✓ mail: delivered\n✓ webhook ${webhookId}: delivered\n`,
    stderr: '',
  })
  t.equal(mails.received.length, 1)
  t.match(JSON.parse(hook.received[0]?.body ?? ''), { type: 'webhook.test' })
  t.strictSame(await json(['notification', 'test', ...ann], { env }), [
    { kind: 'mail', webhook_id: null, ok: true, reason: null },
    { kind: 'webhook', webhook_id: webhookId, ok: true, reason: null },
  ])
})

t.test('a test fails when one target does, and names it without any address', async (t) => {
  const { run, env, mails, webhookId } = await installed(t)
  const wrong = { ...env, SOTTO_SMTP_URL: mails.url.replace('hunter2', 'hunter3') }
  const tested = await run(['notification', 'test', ...ann], { env: wrong })
  t.match(tested, {
    code: 1,
    stdout: new RegExp(
      `^✗ mail: not delivered: authentication failed.*\\n✓ webhook ${webhookId}: delivered\\n$`,
    ),
    stderr: 'sotto: 1 message was not delivered\n',
  })
  t.notMatch(tested.stdout + tested.stderr, /hunter|127\.0\.0\.1/)
})

t.test('without a mail server a test says so, and without any target it fails', async (t) => {
  const { run, json, env, webhookId } = await installed(t)
  const { SOTTO_WEBHOOK_ALLOW } = env
  t.match(await run(['notification', 'test', ...ann], { env: { SOTTO_WEBHOOK_ALLOW } }), {
    code: 0,
    stdout: /^– mail: not sent: no mail server is set, or the account has no email\n✓ webhook/,
  })
  await json(['webhook', 'delete', ...ann, webhookId])
  t.match(await run(['notification', 'test', ...ann]), { code: 1, stderr: /there is nothing to test/ })
})

// Promise (Notifications): With --mail a one-time link is not printed
t.test('an invitation and a reset are mailed instead of printed', async (t) => {
  const { run, json, env, mails } = await installed(t)
  const linkIn = (mail: string | undefined) =>
    /\/welcome\/([\w-]{43})/.exec(mail?.replaceAll('=\r\n', '') ?? '')?.[1]
  for (const [at, command] of ['invite', 'reset'].entries()) {
    const email = ['--email', 'ann@example.org', '--mail']
    const mailed = await run(['account', command, ...email], { env })
    const stderr =
      command === 'invite' ? '' : /^sotto: using the link removes the webhooks of this account, to .*\n$/
    t.match(mailed, { code: 0, stdout: 'the one-time link was mailed to ann@example.org\n', stderr })
    t.match(linkIn(mails.received[at]), /^[\w-]{43}$/)
  }
  const document = await json(['account', 'reset', '--email', 'ann@example.org', '--mail'], { env })
  t.match(document, { email: 'ann@example.org', kind: 'reset', mailed: true })
  t.strictSame(Object.keys(document), ['id', 'email', 'kind', 'mailed', 'expires_at'])
})

t.test(
  'a link that cannot be mailed is not printed either, and the answer says how to get another',
  async (t) => {
    const { run, env } = await installed(t)
    const reset = ['account', 'reset', '--email', 'ann@example.org', '--mail']
    const refused = { ...env, SOTTO_SMTP_URL: env.SOTTO_SMTP_URL.replace('hunter2', 'hunter3') }
    t.match(await run(reset, { env: refused }), {
      code: 1,
      stdout: '',
      stderr:
        /^sotto: the one-time link was not mailed \(authentication failed.*\): run the command again .* without --mail/m,
    })
    t.match(await run(reset), { code: 1, stdout: '', stderr: /SOTTO_SMTP_URL and SOTTO_MAIL_FROM/ })
  },
)

t.test('without a mail server --mail makes no link, so an older one keeps working', async (t) => {
  const { cwd, run } = await installed(t)
  const reset = ['account', 'reset', '--email', 'ann@example.org']
  const { stdout } = await run(reset)
  t.match(await run([...reset, '--mail']), { code: 1 })
  const { sotto, close } = await openIn(cwd)
  t.ok((await sotto.previewInvitation({ token: stdout.trim().slice(-43) })).isOk())
  await close()
})

t.test('doctor finds a queue that does not drain', async (t) => {
  const { cwd, run, accountId } = await installed(t)
  const clock = { nowMicros: () => Date.now() * 1_000 - 16 * 60_000_000 }
  const { sotto, close } = await openIn(cwd, { replace: { clock } })
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'Doors' }))
  const secret = await addSecret({ sotto }, { accountId, folderId, token: '' }, { notify: true })
  expectOk(await sotto.openSecret({ token: secret.link.token }))
  await close()
  const { code, stdout } = await run(['doctor'])
  t.equal(code, 1)
  t.match(stdout, /✗ notifications: 1 waits, the oldest for 16 minutes: no server runs, or/)
})
