import { join } from 'node:path'
import t, { type Test } from 'tap'
import { testCommand } from '../support/in-process.ts'
import { source } from '../support/program.ts'
import { withRaw } from '../support/raw-sqlite.ts'
import { startHttpReceiver, startMailReceiver, type Answer } from '../support/receivers.ts'
import { runSotto, spawnServer, type SpawnedServer } from '../support/spawned.ts'

const many = { SOTTO_LIMIT_PER_MINUTE: '1000000', SOTTO_LIMIT_PER_DAY: '1000000' }
const env = { ...many, SOTTO_WEBHOOK_ALLOW: '127.0.0.1' }
const owner = ['--account', 'owner@localhost']

/** A server whose first account has a webhook, and its receiver. */
async function startWithWebhook(t: Test, answer?: Answer) {
  const cwd = t.testdir()
  const hook = await startHttpReceiver(t, answer)
  const server = await spawnServer(t, { cwd, env })
  const { run } = testCommand(t, { isEmpty: true, cwd })
  const created = await run(['webhook', 'create', ...owner, '--url', hook.url], { env })
  t.equal(created.code, 0, created.stderr)
  return { cwd, hook, server, firstStart: server.firstStart }
}

/** Creates a secret with notify through one server, and opens it through another. */
async function createAndOpen(
  creator: SpawnedServer,
  opener: SpawnedServer,
  firstStart: SpawnedServer['firstStart'],
): Promise<string> {
  const created = await fetch(`${creator.baseUrl}/api/secret`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${firstStart?.token ?? ''}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      label: 'a',
      note: 'b',
      folder_id: firstStart?.folder_id,
      notify: true,
      open_limit: 1,
    }),
  })
  const { data } = (await created.json()) as { data: { id: string; link: { url: string } } }
  const { pathname } = new URL(data.link.url)
  const opened = await fetch(`${opener.baseUrl}${pathname}`, {
    method: 'POST',
    headers: { accept: 'application/json' },
  })
  if (opened.status !== 200) throw new Error(`an open was answered with ${opened.status}`)
  return data.id
}

const secretIdOf = ({ body }: { readonly body: string }) =>
  (JSON.parse(body) as { data: { secret_id: string } }).data.secret_id

// Promise (Notifications): A message is not lost by kill -9 after the open, and keeps its id
t.test('a server that is killed before an open is reported reports it after the next start', async (t) => {
  const answer: { status?: number } = {}
  const { cwd, hook, server, firstStart } = await startWithWebhook(t, () => answer.status)
  const secretId = await createAndOpen(server, server, firstStart)
  const [first] = await hook.until(1)
  server.child.kill('SIGKILL')
  await server.ended
  answer.status = 204

  // As if the 30 seconds had passed after which a lease ends by itself.
  withRaw(join(cwd, 'data', 'sotto.sqlite'), (db) =>
    db.exec('UPDATE targets SET due_at = 1, leased_until = 1 WHERE leased_until IS NOT NULL'),
  )
  const next = await spawnServer(t, { cwd, env })
  const [, again] = await hook.until(2)
  t.equal(again && secretIdOf(again), secretId)
  t.equal(again?.headers['webhook-id'], first?.headers['webhook-id'], 'under the same id')
  next.child.kill('SIGTERM')
  t.equal(await next.ended, 0)
  t.equal(hook.received.length, 2, 'it is not sent once more')
})

// Promise (Notifications): Several servers deliver each message once, as long as none crashes
t.test('two servers on one database deliver each message once', async (t) => {
  const { cwd, hook, server: one, firstStart } = await startWithWebhook(t)
  const two = await spawnServer(t, { cwd, env })
  const opens = Array.from({ length: 40 }, (_, at) =>
    at % 2 === 0 ? createAndOpen(one, two, firstStart) : createAndOpen(two, one, firstStart),
  )
  const secretIds = await Promise.all(opens)
  await hook.until(secretIds.length)
  for (const { child } of [one, two]) child.kill('SIGTERM')
  t.strictSame(await Promise.all([one.ended, two.ended]), [0, 0])
  t.strictSame(hook.received.map(secretIdOf).sort(), [...secretIds].sort())
})

// Promise (Notifications): The server stops within 10 seconds, whatever a receiver does
t.test('a server ends within 10 seconds while a receiver hangs', async (t) => {
  const { hook, server, firstStart } = await startWithWebhook(t, () => undefined)
  await createAndOpen(server, server, firstStart)
  await hook.until(1)
  const stoppedAt = performance.now()
  server.child.kill('SIGTERM')
  t.equal(await server.ended, 0)
  const seconds = (performance.now() - stoppedAt) / 1_000
  t.ok(seconds < 20, `${seconds} s`)
})

/** Prints the names of modules that are loaded from nodemailer. */
const watchModules = `
  import { registerHooks } from 'node:module'
  registerHooks({
    load(url, context, next) {
      if (url.endsWith('/nodemailer.js')) process.stderr.write('loaded: nodemailer\\n')
      return next(url, context)
    },
  })`

// Promise (Notifications): Without a mail server nodemailer is not loaded
t.test('nodemailer is loaded with the first mail, and never by a server without a mail server', async (t) => {
  const cwd = t.testdir({ 'watch.mjs': watchModules })
  const nodeArgs = ['--import', `${cwd}/watch.mjs`]
  const without = await spawnServer(t, { cwd, env, nodeArgs, file: source })
  without.child.kill('SIGTERM')
  t.equal(await without.ended, 0)
  t.notMatch(without.stderr(), /loaded/)

  const mails = await startMailReceiver(t, { user: 'sotto', pass: 'hunter2' })
  const mailEnv = { SOTTO_SMTP_URL: mails.url, SOTTO_MAIL_FROM: 'sotto@example.org' }
  const run = (args: readonly string[]) => runSotto(t, args, { cwd, env: mailEnv, nodeArgs, file: source })
  t.match(await run(['account', 'list']), { code: 0, stderr: '' })
  t.match(await run(['notification', 'test', ...owner]), { code: 0, stderr: 'loaded: nodemailer\n' })
  t.equal(mails.received.length, 1)
})
