import { createMemoryMailSender, expectOk } from '@sotto/test-kit'
import Fastify from 'fastify'
import t from 'tap'
import { dashboardRoutes } from '../../src/index.ts'
import { createWorld } from '../../../http-fastify/test/support/world.ts'
import { origin, password, startDashboard, unescaped } from '../support/app.ts'
import { makeThings } from '../support/paths.ts'

const page = '/settings/notifications'
const refused = { code: 'send_failed', reason: 'connection refused', verdict: 'retry' } as const

t.test('the boxes show and save which mails the owner wants', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const boxes = async (): Promise<readonly (string | undefined)[]> => {
    const { body } = await dashboard.get(page, { as: owner })
    return [...body.matchAll(/name="(\w+)" checked/g)].map(([, name]) => name)
  }
  t.same(await boxes(), ['enabled'], 'at first')
  for (const fields of [{ labels: 'on' }, { enabled: 'on', labels: 'on' }, {}]) {
    const answer = await dashboard.post(`${page}/mails`, fields, { as: owner })
    t.match(answer, { statusCode: 303, headers: { location: `${page}?done=mailsSaved` } })
    t.same(await boxes(), Object.keys(fields))
    const { mails } = expectOk(await dashboard.sotto.getAccount({ accountId: owner.accountId }))
    t.same(mails, { enabled: 'enabled' in fields, nameLabels: 'labels' in fields })
  }
  t.match(dashboard.logLines.join(''), '"event":"mails_changed"')
})

// Promise (The owner's pages): A choice of mails made in another window stays
t.test('what was chosen in another window stays, unless the same box is changed', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const { body } = await dashboard.get(page, { as: owner })
  const shown = / name="shown" value="([^"]+)"/.exec(body)?.[1] ?? ''
  const save = (fields: Record<string, string>) =>
    dashboard.post(`${page}/mails`, { ...fields, shown }, { as: owner })
  const mails = async () => expectOk(await dashboard.sotto.getAccount({ accountId: owner.accountId })).mails
  await save({})
  t.same(await mails(), { enabled: false, nameLabels: false }, 'mails switched off in one window')
  await save({ enabled: 'on', labels: 'on' })
  t.same(await mails(), { enabled: false, nameLabels: true }, 'labels named in the other one')
  await save({})
  t.same(await mails(), { enabled: false, nameLabels: true })
})

t.test('a test mail goes to the owner’s address once', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  await dashboard.makeOwner()
  const answer = await dashboard.post(`${page}/mails/test`, {}, { as: owner })
  t.match(answer, { statusCode: 303, headers: { location: `${page}?done=mailTested` } })
  t.match(dashboard.memory.mailSender.attempts, [{ to: owner.email, content: { kind: 'test' } }])
  t.equal(dashboard.memory.mailSender.attempts.length, 1)
})

t.test('the page says why a test mail was not sent', async (t) => {
  const mailSender = createMemoryMailSender({ answer: () => refused })
  const dashboard = await startDashboard(t, { replace: () => ({ mailSender }) })
  const owner = await dashboard.makeOwner()
  const { statusCode, body } = await dashboard.post(`${page}/mails/test`, {}, { as: owner })
  t.equal(statusCode, 200)
  t.match(body, /role="alert"><p>The test mail could not be sent: <bdi lang="en">connection refused<\/bdi>/)
  t.notMatch(body, 'role="status"><p>')
})

t.test('an installation without a mail server says so, and offers nothing about mails', async (t) => {
  const dashboard = await startDashboard(t, { canMail: false, replace: () => ({ mailSender: undefined }) })
  const owner = await dashboard.makeOwner()
  const shown = await dashboard.get(page, { as: owner })
  t.match(shown.body, 'This service sends no mails')
  t.notMatch(shown.body, `action="${page}/mails`)
  const tested = await dashboard.post(`${page}/mails/test`, {}, { as: owner })
  t.equal(tested.statusCode, 409)
  t.match(tested.body, 'This service sends no mails')
})

t.test('an account without an email address gets no mails, and the page says so', async (t) => {
  const dashboard = await startDashboard(t, {
    replace: ({ accounts, textCipher }) => ({
      accounts: {
        ...accounts,
        find: (id) =>
          accounts.find(id).map((account) => {
            const place = { column: 'account.name', accountId: id, rowId: id } as const
            return account && { ...account, name: textCipher.encryptText(place, 'external:7') }
          }),
      },
    }),
  })
  const owner = await dashboard.makeOwner()
  const shown = await dashboard.get(page, { as: owner })
  t.match(shown.body, 'Your account has no email address')
  t.notMatch(shown.body, `action="${page}/mails`)
  t.equal((await dashboard.post(`${page}/mails/test`, {}, { as: owner })).statusCode, 409)
  t.equal(dashboard.memory.mailSender.attempts.length, 0)
})

t.test('without options the pages offer neither mails nor webhooks', async (t) => {
  const { sotto } = createWorld()
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(dashboardRoutes, { sotto, baseUrl: origin, linkBaseUrl: origin })
  const invited = expectOk(await sotto.inviteAccount({ email: 'new@example.org' }))
  const { token } = expectOk(await sotto.choosePassword({ token: invited.token, password, address: 'x' }))
  const headers = { host: 'localhost:3000', cookie: `sotto=${token}` }
  const { body } = await app.inject({ method: 'GET', url: page, headers })
  t.match(body, 'This service sends no mails')
  t.match(body, 'This service posts no notifications to webhooks')
  t.notMatch(body, `action="${page}`)
})

t.test('the form of a secret leads to the page', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  await dashboard.makeFolder(owner.accountId)
  const { body } = await dashboard.get('/secrets/new', { as: owner })
  t.match(unescaped(body), /<a href="\/settings\/notifications"[^>]*>Choose how you are told</)
})

// Promise (The owner's pages): Changes on the pages have a quota of their own: and tests of mails and webhooks a smaller one
t.test('an owner has five tests a minute and fifty a day sent, all targets together', async (t) => {
  const dashboard = await startDashboard(t, { perMinute: 10_000, perDay: 10_000 })
  const [owner, stranger] = [await dashboard.makeOwner(), await dashboard.makeOwner()]
  const things = await makeThings(dashboard, owner)
  const { mailSender, webhookSender } = dashboard.memory
  const before = mailSender.attempts.length
  const targets = [`${page}/mails/test`, `${page}/webhooks/${things.webhook}/test`]
  const press = (nr: number, as = owner) => dashboard.post(targets[nr % 2] ?? '', {}, { as })
  for (let nr = 0; nr < 50; nr += 1) {
    if (nr > 0 && nr % 5 === 0) dashboard.clock.advance(60_000_000)
    t.equal((await press(nr)).statusCode, 303, `test ${nr}`)
    if (nr % 5 !== 4) continue
    const refused = await press(nr)
    t.match(refused, { statusCode: 429, headers: { 'retry-after': /^[1-9]\d*$/ } })
    t.match(
      refused.body,
      /role="alert"><p>No test was sent: there were too many. You can send the next one in /,
    )
  }
  dashboard.clock.advance(60_000_000)
  t.match((await press(0)).headers, { 'retry-after': String(86_400 - 600) })
  t.equal(mailSender.attempts.length + webhookSender.attempts.length - before, 50)
  t.equal((await press(0, stranger)).statusCode, 303, 'another owner is not affected')
  const saved = await dashboard.post(`${page}/mails`, { enabled: 'on' }, { as: owner })
  t.equal(saved.statusCode, 303, 'other changes are not')
})
