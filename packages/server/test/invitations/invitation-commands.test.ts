import { expectOk } from '@sotto/test-kit'
import t from 'tap'
import { testCommand } from '../support/in-process.ts'
import { codeOf, openIn } from '../support/installation.ts'

const email = ['--email', 'ann@example.org']
const password = 'four words in a row'

interface Invitation {
  readonly id: string
  readonly url: string
  readonly expires_at: string
}

/** The token in the address of a one-time link. */
function tokenIn(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1)
}

/** How many hours from now, rounded. */
function hoursUntil(time: string): number {
  return Math.round((Date.parse(time) - Date.now()) / 3_600_000)
}

// Promise (The owner's pages): `account invite` makes the account where it is missing; its link works for 72 hours, once
t.test('an invitation makes the account where it is missing and prints a link that works once', async (t) => {
  const { cwd, run, json } = testCommand(t)
  const env = { SOTTO_BASE_URL: 'https://sotto.example.org' }
  const printed = await run(['account', 'invite', '--email', 'Ann@Example.org'], { env })
  t.match(printed, { code: 0, stdout: /^https:\/\/sotto\.example\.org\/welcome\/[\w-]{43}\n$/, stderr: '' })
  const [account, ...others] = await json<{ id: string }[]>(['account', 'list'])
  t.strictSame(others, [])
  t.match(account, { email: 'ann@example.org' })
  const invited = await json<Invitation>(['account', 'invite', ...email])
  t.strictSame(Object.keys(invited), ['id', 'email', 'kind', 'url', 'expires_at'])
  t.match(invited, { id: account?.id, email: 'ann@example.org', kind: 'invite' })
  t.equal(hoursUntil(invited.expires_at), 72)

  const { sotto, close } = await openIn(cwd)
  const choose = (url: string) =>
    codeOf(sotto.choosePassword({ token: tokenIn(url), password, address: '192.0.2.1' }))
  t.equal(await choose(printed.stdout.trim()), 'welcome_not_found', 'a newer link ends the older one')
  t.equal(await choose(invited.url), 'ok')
  t.equal(await choose(invited.url), 'welcome_not_found')
  t.ok((await sotto.signIn({ email: 'ann@example.org', password, address: '192.0.2.2' })).isOk())
  await close()
})

// Promise (The owner's pages): Using an invitation that replaces a password revokes the access tokens
t.test('an invitation that replaces a password warns, and ends the access tokens', async (t) => {
  const { cwd, run, json } = testCommand(t)
  const { url } = await json<Invitation>(['account', 'invite', ...email])
  const first = await openIn(cwd)
  const choose = (invitation: string, chosen: string) => ({
    token: tokenIn(invitation),
    password: chosen,
    address: '192.0.2.1',
  })
  const { accountId } = expectOk(await first.sotto.choosePassword(choose(url, password)))
  await first.close()
  const ann = ['--account', 'ann@example.org']
  const { token } = await json<{ token: string }>(['token', 'create', ...ann, '--name', 'laptop'])
  const again = await run(['account', 'invite', ...email])
  t.match(again, {
    code: 0,
    stderr: /^sotto: this account has a password already\..*revokes all access tokens/,
  })
  t.match(
    await run(['account', 'reset', ...email]),
    { code: 0, stderr: '' },
    'a reset is expected to replace it',
  )
  const { stdout } = await run(['account', 'invite', ...email])

  const { sotto, close } = await openIn(cwd)
  t.match(expectOk(await sotto.authenticate({ token })), { accountId }, 'until the link is used')
  expectOk(await sotto.choosePassword(choose(stdout.trim(), `another ${password}`)))
  t.equal(await codeOf(sotto.authenticate({ token })), 'token_invalid')
  await close()
})

// Promise (The owner's pages): A reset, and an invitation that replaces a password, remove the webhooks and name them before
t.test('a link that removes webhooks warns of it, and its use removes them', async (t) => {
  const { cwd, run, json } = testCommand(t)
  const ann = ['--account', 'ann@example.org']
  const list = async () => (await json<{ url: string }[]>(['webhook', 'list', ...ann])).length
  const add = (url: string) => run(['webhook', 'create', ...ann, '--url', url])
  const use = async (invitation: string) => {
    const { sotto, close } = await openIn(cwd)
    const chosen = { token: tokenIn(invitation), password, address: '192.0.2.1' }
    expectOk(await sotto.choosePassword(chosen))
    await close()
  }
  await json(['account', 'create', ...email])
  await add('https://hooks.example.org/ann?key=1')
  const first = await run(['account', 'invite', ...email])
  t.match(first, { code: 0, stderr: '' }, 'nobody had the account')
  await use(first.stdout.trim())
  t.equal(await list(), 1)
  await add('https://chat.example.org:8443/')
  for (const kind of ['invite', 'reset']) {
    const { stdout, stderr } = await run(['account', kind, ...email])
    t.match(
      stderr,
      /^sotto: using .* webhooks of this account, to hooks\.example\.org, chat\.example\.org:8443$/m,
    )
    t.equal(await list(), 2, 'until the link is used')
    if (kind === 'reset') await use(stdout.trim())
  }
  t.equal(await list(), 0)
})

// Promise (The owner's pages): `account reset` makes a link for an hour that ends the sessions when it is used
t.test('a reset prints a link for an hour, which replaces the password and ends the sessions', async (t) => {
  const { cwd, json } = testCommand(t)
  const { url } = await json<Invitation>(['account', 'invite', ...email])
  const choose = (token: string, chosen: string) => ({ token, password: chosen, address: '192.0.2.1' })
  const first = await openIn(cwd)
  const session = expectOk(await first.sotto.choosePassword(choose(tokenIn(url), password)))
  await first.close()
  const reset = await json<Invitation>(['account', 'reset', ...email])
  t.match(reset, { email: 'ann@example.org', kind: 'reset' })
  t.equal(hoursUntil(reset.expires_at), 1)

  const { sotto, close } = await openIn(cwd)
  const { token } = session
  t.equal(await codeOf(sotto.authenticateSession({ token })), 'ok', 'until the link is used nothing changes')
  expectOk(await sotto.choosePassword(choose(tokenIn(reset.url), `another ${password}`)))
  t.equal(await codeOf(sotto.authenticateSession({ token })), 'session_invalid')
  const signIn = sotto.signIn({ email: 'ann@example.org', password, address: '192.0.2.1' })
  t.equal(await codeOf(signIn), 'sign_in_wrong')
  await close()
})

t.test('one-time links that are impossible are refused with one sentence', async (t) => {
  const { run, json } = testCommand(t)
  await json(['account', 'create', '--email', 'off@example.org'])
  await json(['account', 'disable', '--email', 'off@example.org'])
  const noPort = { SOTTO_PORT: '0' }
  const cases: [string[], RegExp, NodeJS.ProcessEnv?][] = [
    [['account', 'invite', '--email', 'ann'], /--email must be an email address/],
    [['account', 'invite', '--email', 'off@example.org'], /the account is disabled/],
    [['account', 'invite', ...email], /SOTTO_BASE_URL/, noPort],
    [['account', 'reset', ...email], /there is no account with this email/],
    [['account', 'reset', '--email', 'off@example.org'], /the account is disabled/],
    [['account', 'reset', '--email', 'off@example.org'], /SOTTO_BASE_URL/, noPort],
  ]
  for (const [args, text, env = {}] of cases) {
    for (const json of [[], ['--json']]) {
      const { code, stdout, stderr } = await run([...args, ...json], { env })
      t.match({ code, stdout, stderr }, { code: 1, stdout: '', stderr: text }, args.join(' '))
      t.match(stderr, /^sotto: [^\n]+\n$/)
    }
  }
  t.equal((await json<unknown[]>(['account', 'list'])).length, 1, 'a refused invitation makes no account')
})
