import { findFreePort } from '@sotto/system'
import t, { type Test } from 'tap'
import { startOwnPostgres, startPostgres, type Postgres } from '../support/postgres.ts'
import { startHttpReceiver } from '../support/receivers.ts'
import { callApi, callerOf, createSecret, openLink, untilStatus } from '../support/requests.ts'
import { runSotto, spawnServer, spawnSotto } from '../support/spawned.ts'

/** A server on a database of its own, and the command with the same settings. */
async function start<P extends Postgres>(t: Test, postgres: P, settings: NodeJS.ProcessEnv = {}) {
  const cwd = t.testdir()
  const env = { ...postgres.env, SOTTO_WEBHOOK_ALLOW: '127.0.0.1', ...settings }
  const server = await spawnServer(t, { cwd, env })
  const sotto = (...args: string[]) => runSotto(t, args, { cwd, env })
  const json = async <T>(...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await sotto(...args, '--json')
    t.equal(code, 0, `${stderr}${stdout}`)
    return JSON.parse(stdout) as T
  }
  return { postgres, cwd, env, server, sotto, json, caller: callerOf(server) }
}

t.test('on PostgreSQL the first start prints a token and a folder, the second one neither', async (t) => {
  const { env } = await startPostgres()
  const cwd = t.testdir()
  const first = spawnSotto(t, ['serve'], { cwd, env })
  const [, token] = await first.printed(/(sotto_[0-9A-Za-z]{46})[^]*curl/)
  first.child.kill('SIGTERM')
  t.equal(await first.ended, 0)
  const second = await spawnServer(t, { cwd, env })
  t.equal(second.firstStart, null)
  const caller = { baseUrl: second.baseUrl, token: token ?? '', folderId: '' }
  const folders = await callApi(caller, '/api/folders')
  t.match(await folders.json(), { data: [{ secrets_count: 0 }] })
})

t.test('on PostgreSQL secrets are created, listed, opened, and locked after wrong passwords', async (t) => {
  const { caller, json } = await start(t, await startPostgres())
  const { baseUrl } = caller
  const once = await createSecret(caller, { open_limit: 1, note: 'for one open' })
  const locked = await createSecret(caller, { password: 'sesame' })
  const { data } = (await (await callApi(caller, '/api/secrets')).json()) as { data: { id: string }[] }
  t.same(
    data.map(({ id }) => id),
    [locked.id, once.id],
  )
  t.equal((await callApi(caller, `/api/secret/${once.id}`)).status, 200)
  t.same(await openLink(baseUrl, once.path), { status: 200, note: 'for one open' })
  t.equal((await openLink(baseUrl, once.path)).status, 404)
  t.equal((await openLink(baseUrl, locked.path)).status, 401)
  for (let tries = 0; tries < 5; tries += 1)
    t.equal((await openLink(baseUrl, locked.path, 'wrong')).status, 401)
  t.equal((await openLink(baseUrl, locked.path, 'sesame')).status, 429)
  t.match(await json('purge'), { secrets: 0, files: 0 })
})

t.test('on PostgreSQL an owner signs in, and hears of an open', async (t) => {
  const { server, caller, json } = await start(t, await startPostgres(), {
    SOTTO_PORT: String(await findFreePort()),
  })
  const email = 'ann@example.org'
  const { url } = await json<{ url: string }>('account', 'invite', '--email', email)
  const send = (path: string, fields: Record<string, string>) =>
    fetch(`${server.baseUrl}${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })
  const password = 'four words in a row'
  t.equal((await send(new URL(url).pathname, { email, password })).status, 303)
  const signedIn = await send('/login', { email, password })
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
  t.equal((await fetch(`${server.baseUrl}/dashboard`, { headers: { cookie } })).status, 200)

  const hook = await startHttpReceiver(t)
  await json('webhook', 'create', '--account', 'owner@localhost', '--url', hook.url)
  const secret = await createSecret(caller, { notify: true, open_limit: 1 })
  t.equal((await openLink(server.baseUrl, secret.path)).status, 200)
  const [message] = await hook.until(1)
  t.match(message?.body, secret.id)
})

t.test('a wrong password and a closed port end the start with what is wrong, exit code 1', async (t) => {
  const { url, credentials } = await startPostgres()
  const wrong = url.replace('91c2@', '91c2x@')
  const closed = url.replace(/:\d+\//, ':1/')
  for (const [place, text] of [
    [wrong, /cannot be reached \(the server refuses the password\)/],
    [closed, /cannot be reached \(ECONNREFUSED\)/],
  ] as const) {
    const { code, stdout, stderr } = await runSotto(t, ['serve'], {
      cwd: t.testdir(),
      env: { SOTTO_DATABASE_URL: place },
    })
    t.equal(code, 1)
    t.equal(stdout, '')
    t.match(stderr, text)
    t.notMatch(stderr, credentials)
  }
})

// Promise (On PostgreSQL): The credentials of the database's URL are shown nowhere
t.test('neither the log nor doctor nor an answer shows the user or the password of the URL', async (t) => {
  const { postgres, server, caller, sotto } = await start(t, await startOwnPostgres(t), {
    SOTTO_LOG_LEVEL: 'trace',
  })
  await createSecret(caller)
  const outputs: string[] = [(await sotto('doctor')).stdout]
  await postgres.crash()
  await untilStatus(`${server.baseUrl}/readyz`, 503)
  const down = await callApi(caller, '/api/folders')
  outputs.push(await down.text())
  const { code, stdout, stderr } = await sotto('doctor')
  t.equal(code, 1)
  outputs.push(stdout, stderr)
  await postgres.restart()
  await untilStatus(`${server.baseUrl}/readyz`, 200)
  server.child.kill('SIGTERM')
  t.equal(await server.ended, 0)
  outputs.push(server.stdout(), server.stderr())
  for (const output of outputs) t.notMatch(output, postgres.credentials)
  t.match(server.stderr(), /connection to the database broke/, 'the log speaks of the database')
})
