import t from 'tap'
import { comparable, password, sessionOf, startDashboard, type Dashboard } from '../support/app.ts'
import { confirmTokenOf } from '../support/paths.ts'

const newEmail = 'new@example.org'

/** The links to `/confirm/…` in the mails that were sent to an address. */
function linksTo({ memory }: Dashboard, email: string): readonly string[] {
  return memory.mailSender.attempts
    .filter(({ to }) => to === email)
    .flatMap((mail) => ('url' in mail.content ? [mail.content.url] : []))
    .filter((url) => url.includes('/confirm/'))
}

// Promise (The owner's pages): A new email address counts once its link is used; opening the page changes nothing
t.test('a new email address holds once the link that was mailed to it is used, and only once', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const asked = await dashboard.post('/settings/email', { email: 'New@Example.org' }, { as: owner })
  t.match(asked, { statusCode: 303, headers: { location: '/settings?done=emailAsked' } })
  t.ok(sessionOf(await dashboard.signIn({ email: owner.email, password })), 'the old address still signs in')
  const [link = ''] = linksTo(dashboard, newEmail)
  const { pathname } = new URL(link)

  const before = dashboard.snapshot()
  for (let opened = 0; opened < 3; opened += 1) {
    const page = await dashboard.get(pathname)
    t.equal(page.statusCode, 200)
    t.match(page.body, newEmail)
    t.match(page.body, `<form method="post" action="${pathname}">`)
  }
  t.equal(dashboard.snapshot(), before, 'opening it changes nothing')

  t.equal((await dashboard.post(pathname, {})).statusCode, 200)
  t.ok(sessionOf(await dashboard.signIn({ email: newEmail, password })))
  t.equal((await dashboard.signIn({ email: owner.email, password })).statusCode, 401)
  t.match(dashboard.memory.mailSender.attempts.at(-1), {
    to: owner.email,
    content: { kind: 'notice', notice: 'email_changed' },
  })

  const spent = [await dashboard.get(pathname), await dashboard.post(pathname, {})]
  const unknown = await dashboard.get(`/confirm/${'A'.repeat(43)}`)
  for (const answer of spent) t.match(answer, { statusCode: 404, body: unknown.body })
  const log = dashboard.logLines.join('')
  for (const hidden of [pathname.slice('/confirm/'.length), newEmail, owner.email]) t.notMatch(log, hidden)
  for (const event of ['email_change_asked', 'email_changed']) t.match(log, `"event":"${event}"`)
})

// Promise (The owner's pages): A new email address counts once its link is used; opening the page changes nothing: the answer does not tell
// whether it is taken
t.test('asking for an address that another account has is answered alike, and mails no link', async (t) => {
  const dashboard = await startDashboard(t)
  const [owner, other] = [await dashboard.makeOwner(), await dashboard.makeOwner()]
  const ask = async (email: string) => {
    const answer = await dashboard.post('/settings/email', { email }, { as: owner })
    return [comparable(answer), comparable(await dashboard.get('/settings?done=emailAsked', { as: owner }))]
  }
  const free = await ask(newEmail)
  const taken = await ask(other.email.toUpperCase())
  t.strictSame(taken, free)
  t.same(linksTo(dashboard, other.email), [])
  t.match(dashboard.memory.mailSender.attempts.at(-1), {
    to: other.email,
    content: { kind: 'notice', notice: 'email_taken' },
  })
  const [link = ''] = linksTo(dashboard, newEmail)
  t.equal((await dashboard.post(new URL(link).pathname, {})).statusCode, 404, 'a newer change ends the older')
  t.ok(sessionOf(await dashboard.signIn({ email: other.email, password })))
})

t.test('an address that another account got in the meantime cannot be confirmed', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const token = await confirmTokenOf(dashboard.sotto, owner.accountId, newEmail)
  await dashboard.makeAccount(newEmail)
  const answer = await dashboard.post(`/confirm/${token}`, {})
  t.match(answer, { statusCode: 404, body: (await dashboard.get(`/confirm/${'A'.repeat(43)}`)).body })
  t.ok(sessionOf(await dashboard.signIn({ email: owner.email, password })))
})

t.test('after 20 asks in an hour an owner waits', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const ask = (n: number) => dashboard.post('/settings/email', { email: `n${n}@example.org` }, { as: owner })
  for (let n = 0; n < 20; n += 1) t.equal((await ask(n)).statusCode, 303)
  const sent = dashboard.memory.mailSender.attempts.length
  t.match(await ask(20), { statusCode: 429, body: 'Too many mails were asked for' })
  t.equal(dashboard.memory.mailSender.attempts.length, sent)
})

// Promise (The owner's pages): A new email address counts once its link is used; opening the page changes nothing: without a mail server
// only the operator changes it
t.test('without a mail server the settings say who changes the address', async (t) => {
  const dashboard = await startDashboard(t, { canMail: false, replace: () => ({ mailSender: undefined }) })
  const owner = await dashboard.makeOwner()
  const { body } = await dashboard.get('/settings', { as: owner })
  t.notMatch(body, 'action="/settings/email"')
  t.match(body, 'operator')
  const before = dashboard.snapshot()
  const refused = await dashboard.post('/settings/email', { email: newEmail }, { as: owner })
  t.ok(refused.statusCode >= 400)
  t.equal(dashboard.snapshot(), before)
})
