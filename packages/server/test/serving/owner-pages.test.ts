import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { testCommand } from '../support/in-process.ts'
import { startTestServer } from '../support/installation.ts'

const email = 'ann@example.org'
const password = 'four words in a row'

/** A server, the command on the same installation, and an account that was invited. */
async function stage(t: Test) {
  const { cwd, json } = testCommand(t)
  const ann = ['--account', email]
  const { url } = await json<{ url: string }>(['account', 'invite', '--email', email])
  const { token } = await json<{ token: string }>(['token', 'create', ...ann, '--name', 'laptop'])
  const server = await startTestServer(t, cwd)
  const send = (path: string, fields: Record<string, string>) =>
    server.call(path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  const look = (path: string, cookie: string) =>
    server.call(path, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' })
  return { server, json, token, send, look, invitation: new URL(url).pathname }
}

/** The cookie that an answer sets, as a browser sends it back. */
function cookieOf(answer: Response): string {
  return (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
}

// Promise (The owner's pages): Choosing a password signs in immediately
t.test('an invited owner chooses a password, is signed in, and signs in again', async (t) => {
  const { send, look, invitation } = await stage(t)
  t.match(await (await look(invitation, '')).text(), email)
  const chosen = await send(invitation, { email, password })
  t.match({ status: chosen.status, to: chosen.headers.get('location') }, { status: 303, to: /^\/dashboard/ })
  t.equal((await look('/dashboard', cookieOf(chosen))).status, 200)
  t.equal((await look(invitation, '')).status, 404, 'the link works once')
  const signedIn = await send('/login', { email, password })
  t.equal(signedIn.status, 303)
  t.equal((await look('/dashboard', cookieOf(signedIn))).status, 200)
})

// Promise (The owner's pages): A session ends when its account is disabled
t.test('disabling an account ends its sessions, and nobody can sign in to it any more', async (t) => {
  const { server, json, token, send, look, invitation } = await stage(t)
  const cookie = cookieOf(await send(invitation, { email, password }))
  const other = cookieOf(await send('/login', { email, password }))
  t.equal((await look('/dashboard', cookie)).status, 200)
  const { url } = await json<{ url: string }>(['account', 'reset', '--email', email])
  await json(['account', 'disable', '--email', email])
  for (const session of [cookie, other]) {
    const { status, headers } = await look('/dashboard', session)
    t.match({ status, to: headers.get('location') }, { status: 303, to: '/login' })
  }
  t.equal((await send('/login', { email, password })).status, 401)
  t.equal((await look(new URL(url).pathname, '')).status, 404, 'its one-time link is dead')
  t.equal((await server.call('/api/folders', { token })).status, 401)
})

t.test('the server answers a browser under /api with its login page, and a program with JSON', async (t) => {
  const { server, look, token } = await stage(t)
  const page = await look('/api/folders', '')
  t.equal(page.status, 401)
  t.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  t.match(await page.text(), '<h1>Sign in</h1>')
  for (const call of [server.call('/api/folders'), server.call('/api/folders', { token })])
    t.equal((await call).headers.get('content-type'), 'application/json; charset=utf-8')
})

// Promise (The owner's pages): A new token’s example request works as it is shown
t.test('the request that a new token’s page shows works in a shell', async (t) => {
  const { server, send, invitation } = await stage(t)
  const cookie = cookieOf(await send(invitation, { email, password }))
  const fields = { name: 'program', read: 'on', expires: '30' }
  const body = new URLSearchParams(fields)
  const page = await server.call('/settings/tokens', { method: 'POST', body, headers: { cookie } })
  t.equal(page.status, 201)
  const [, shown = ''] = /<code[^>]*>(curl [^<]*)</.exec(await page.text()) ?? []
  const line = shown.replaceAll('&#39;', "'").replaceAll('&amp;', '&')
  t.match(line, `${server.baseUrl}/api/folders`)
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { timeout: 30_000 })
  t.match(JSON.parse(stdout), { success: true, data: [{ label: 'Inbox' }] })
})
