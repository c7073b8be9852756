import { expectOk } from '@sotto/test-kit'
import t from 'tap'
import { comparable, password, sessionOf, startDashboard, type Dashboard } from '../support/app.ts'

const unknown = 'nobody@example.org'
const ask = (dashboard: Dashboard, email: string, address?: string) =>
  dashboard.post('/login/reset', { email }, { address })

/** The paths of the one-time links that were mailed to an address. */
function linksTo({ memory }: Dashboard, email: string): readonly string[] {
  return memory.mailSender.attempts.flatMap((mail) =>
    mail.to === email && 'url' in mail.content ? [new URL(mail.content.url).pathname] : [],
  )
}

// Promise (The owner's pages): A forgotten password: with a mail server the one-time link is mailed
t.test('whoever forgot a password gets a one-time link by mail', async (t) => {
  const dashboard = await startDashboard(t)
  const { email } = await dashboard.makeOwner()
  t.match((await dashboard.get('/login')).body, 'href="/login/reset"')
  t.match((await dashboard.get('/login/reset')).body, 'action="/login/reset"')
  const asked = await ask(dashboard, email.toUpperCase())
  t.equal(asked.statusCode, 303)
  const [path = ''] = linksTo(dashboard, email)
  t.match(path, /^\/welcome\//)
  t.ok(sessionOf(await dashboard.signIn({ email, password })), 'the password works until the link is used')
  const chosen = await dashboard.post(path, { password: 'another fine passphrase' })
  t.ok(sessionOf(chosen))
  t.equal((await dashboard.signIn({ email, password })).statusCode, 401)
  const log = dashboard.logLines.join('')
  for (const hidden of [email, path.slice('/welcome/'.length)]) t.notMatch(log, hidden)
  t.match(log, '"event":"reset_asked"')
})

// Promise (The owner's pages): A forgotten password: with a mail server the one-time link is mailed: the answer is the same for every email
t.test('the answer is the same for every email, and what follows is a mail to owners alone', async (t) => {
  const dashboard = await startDashboard(t)
  const { email } = await dashboard.makeOwner()
  const disabled = await dashboard.makeOwner()
  expectOk(await dashboard.sotto.disableAccount({ accountId: disabled.accountId }))
  expectOk(await dashboard.sotto.inviteAccount({ email: 'invited@example.org' }))
  const answers = []
  for (const asked of [email, unknown, disabled.email, 'invited@example.org']) {
    const answer = await ask(dashboard, asked)
    answers.push([comparable(answer), comparable(await dashboard.get(String(answer.headers.location)))])
  }
  for (const answer of answers) t.strictSame(answer, answers[0])
  t.same(
    dashboard.memory.mailSender.attempts.map(({ to }) => to),
    [email],
  )
})

// Promise (The owner's pages): A forgotten password: with a mail server the one-time link is mailed: nothing is looked up or sent with the
// answer, nor until later
t.test('nothing is looked up, written or sent with the answer, nor before later', async (t) => {
  const calls: string[] = []
  const recorded = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name, receiver) {
        calls.push(String(name))
        return Reflect.get(target, name, receiver) as unknown
      },
    })
  const waiting: (() => Promise<unknown>)[] = []
  const dashboard = await startDashboard(t, {
    later: (work) => void waiting.push(work),
    replace: ({ accounts, invitations, mailSender }) => ({
      accounts: recorded(accounts),
      invitations: recorded(invitations),
      mailSender: mailSender && recorded(mailSender),
    }),
  })
  const { email } = await dashboard.makeOwner()
  for (const asked of [email, unknown]) {
    calls.length = 0
    t.equal((await ask(dashboard, asked)).statusCode, 303)
    t.equal((await dashboard.get('/login')).statusCode, 200)
    t.strictSame(calls, [], 'neither with the answer nor with the next one')
  }
  t.equal(waiting.length, 2, 'work waits for an unknown email, too')
  for (const work of waiting) await work()
  t.equal(linksTo(dashboard, email).length, 1)
})

// Promise (The owner's pages): A forgotten password: with a mail server the one-time link is mailed: 3 an hour for an email, 20 for an
// address
t.test('3 asks an hour for an email, known or not, and 20 from an address', async (t) => {
  const dashboard = await startDashboard(t)
  const { email } = await dashboard.makeOwner()
  for (const [nth, asked] of [email, unknown].entries()) {
    const from = `198.51.100.${nth}`
    for (let n = 0; n < 3; n += 1) t.equal((await ask(dashboard, asked, from)).statusCode, 303)
    const refused = await ask(dashboard, asked, from)
    t.match(refused, { statusCode: 429, headers: { 'retry-after': /^\d+$/ }, body: 'Too many mails' })
  }
  t.equal(linksTo(dashboard, email).length, 3)
  const near = (n: number) => ask(dashboard, `n${n}@example.org`, `2001:db8::${n}`)
  for (let n = 1; n <= 20; n += 1) t.equal((await near(n)).statusCode, 303)
  t.equal((await near(21)).statusCode, 429, 'one network of IPv6 is one address')
  dashboard.clock.advance(3_600 * 1_000_000)
  t.equal((await near(22)).statusCode, 303)
})

// Promise (The owner's pages): A forgotten password: with a mail server the one-time link is mailed: without a mail server the page says
// whom to ask
t.test('without a mail server the page says whom to ask', async (t) => {
  const dashboard = await startDashboard(t, { canMail: false })
  const page = await dashboard.get('/login/reset')
  t.equal(page.statusCode, 200)
  t.notMatch(page.body, '<form')
  t.match(page.body, 'operator')
  t.match(page.body, '<a href="/login">Sign in</a>')
  t.equal((await ask(dashboard, unknown)).statusCode, 405)
})
