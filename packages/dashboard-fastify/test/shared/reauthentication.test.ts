import t from 'tap'
import { password, startDashboard, type Fields } from '../support/app.ts'
import { makeThings } from '../support/paths.ts'

const reauthenticationMicros = 10 * 60 * 1_000_000

const wrong = 'a wrong passphrase indeed'

interface Guarded {
  readonly path: string
  /** The page with the form. */
  readonly page: string
  readonly fields: Fields
  /** What the answer says when it is done. */
  readonly done: number
}

/** Everything that a stolen session must not do. */
const guarded: readonly Guarded[] = [
  {
    path: '/settings/tokens',
    page: '/settings/tokens',
    fields: { name: 'program', read: 'on', expires: '90' },
    done: 201,
  },
  {
    path: '/settings/password',
    page: '/settings/sign-in',
    fields: { password: 'another fine passphrase' },
    done: 303,
  },
  { path: '/settings/email', page: '/settings', fields: { email: 'new@example.org' }, done: 303 },
  {
    path: '/settings/notifications/webhooks',
    page: '/settings/notifications',
    fields: { url: 'https://example.org/hook' },
    done: 201,
  },
  {
    path: '/settings/notifications/mails',
    page: '/settings/notifications',
    fields: { labels: 'on' },
    done: 303,
  },
  { path: '/settings/download', page: '/settings/download', fields: {}, done: 200 },
  { path: '/settings/delete', page: '/settings/delete', fields: {}, done: 303 },
]

const asks = (body: string): boolean => body.includes('name="proof"')

// Promise (The owner's pages): After 10 minutes a session has to enter the password again
t.test('after 10 minutes the password is asked for, and nothing happens without it', async (t) => {
  for (const { path, page, fields, done } of guarded) {
    const dashboard = await startDashboard(t)
    const owner = await dashboard.makeOwner()
    dashboard.clock.advance(reauthenticationMicros)
    const { body } = await dashboard.get(page, { as: owner })
    t.ok(asks(body), page)
    t.equal(
      /name="proof"[^>]* autofocus/.test(body),
      /download|delete/.test(page),
      `${page}: the only field has the focus`,
    )
    const before = dashboard.snapshot()
    for (const proof of [undefined, '', wrong, `${password} `, 'x'.repeat(2_000)]) {
      const sent = { ...fields, ...(proof !== undefined && { proof }) }
      const answer = await dashboard.post(path, sent, { as: owner })
      t.equal(answer.statusCode, 400, `${path} ${proof}`)
      t.ok(asks(answer.body), path)
      t.match(answer.body, /aria-invalid="true"/, path)
      for (const typed of [proof, fields['password']]) {
        if (typed !== undefined && typed !== '') t.notOk(answer.body.includes(typed), `${path} ${typed}`)
      }
    }
    t.equal(dashboard.snapshot(), before, path)
    const proven = await dashboard.post(path, { ...fields, proof: password }, { as: owner })
    t.equal(proven.statusCode, done, path)
    t.not(dashboard.snapshot(), before, path)
  }
})

// Promise (The owner's pages): After 10 minutes a session has to enter the password again: to delete a webhook
t.test('a webhook is deleted with a fresh re-authentication only', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const { webhook } = await makeThings(dashboard, owner)
  const path = `/settings/notifications/webhooks/${webhook}/delete`
  dashboard.clock.advance(reauthenticationMicros)
  t.match((await dashboard.get(path, { as: owner })).body, /name="proof"[^>]* autofocus/)
  for (const proof of ['', wrong]) {
    const { statusCode, body } = await dashboard.post(path, { proof }, { as: owner })
    t.equal(statusCode, 400)
    t.match(body, /name="proof"[^>]*aria-invalid="true"/)
  }
  t.equal(dashboard.memory.data.webhooks.size, 1)
  t.equal((await dashboard.post(path, { proof: password }, { as: owner })).statusCode, 303)
  t.equal(dashboard.memory.data.webhooks.size, 0)
})

// Promise (The owner's pages): After 10 minutes a session has to enter the password again: to switch mails off
t.test('only switching mails off needs the password, and a refusal keeps the choice', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const path = '/settings/notifications/mails'
  const save = (fields: Fields) => dashboard.post(path, fields, { as: owner })
  dashboard.clock.advance(reauthenticationMicros)
  t.equal((await save({ enabled: 'on', labels: 'on' })).statusCode, 303, 'labels are named')
  const refused = await save({ labels: 'on', proof: wrong })
  t.equal(refused.statusCode, 400)
  t.notMatch(refused.body, /name="enabled" checked/)
  t.match(refused.body, /name="labels" checked/)
  t.match(refused.body, /id="mails-proof"[^>]*aria-invalid="true"/)
  t.equal((await save({ labels: 'on', proof: password })).statusCode, 303)
  dashboard.clock.advance(reauthenticationMicros)
  t.equal((await save({ labels: 'on' })).statusCode, 303, 'they are off already')
  t.equal((await save({ enabled: 'on' })).statusCode, 303, 'they are switched on')
})

t.test('what was typed beside the wrong password is kept', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  dashboard.clock.advance(reauthenticationMicros)
  const token = await dashboard.post(
    '/settings/tokens',
    { name: 'my program', write: 'on', expires: '365', proof: wrong },
    { as: owner },
  )
  t.match(token.body, 'value="my program"')
  t.match(token.body, /value="365" selected/)
  t.match(token.body, /name="write" checked/)
  t.notMatch(token.body, /name="read" checked/)
  const email = await dashboard.post(
    '/settings/email',
    { email: 'new@example.org', proof: wrong },
    { as: owner },
  )
  t.match(email.body, 'value="new@example.org"')
  const webhook = await dashboard.post(
    '/settings/notifications/webhooks',
    { url: 'https://example.org/hook', proof: wrong },
    { as: owner },
  )
  t.match(webhook.body, 'value="https://example.org/hook"')
})

// Promise (The owner's pages): Failures elsewhere do not keep a session from entering its password again
t.test('five wrong passwords lock the session, and no failed sign-in from elsewhere does', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  dashboard.clock.advance(reauthenticationMicros)
  const guess = async (address: string, proof = wrong): Promise<number> =>
    (await dashboard.post('/settings/delete', { proof }, { as: owner, address })).statusCode
  const { email } = owner
  const stranger = { address: '198.51.100.1' }
  for (let n = 0; n < 5; n += 1) await dashboard.signIn({ email, password: wrong }, stranger)
  t.equal((await dashboard.signIn({ email, password }, stranger)).statusCode, 429)
  for (let n = 0; n < 5; n += 1) t.equal(await guess('203.0.113.1'), 400)
  t.equal(await guess('203.0.113.1', password), 429)
  t.equal(await guess('192.0.2.1', password), 429, 'from the known address too')
  t.equal((await dashboard.signIn({ email, password })).statusCode, 303, 'a new session is not locked')
  t.equal(dashboard.memory.data.accounts.size, 1)
})

t.test('nothing else asks for the password again', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  dashboard.clock.advance(reauthenticationMicros)
  const label = { label: 'Folder' }
  t.equal((await dashboard.post('/folders', label, { as: owner })).statusCode, 303)
  const session = `/settings/sessions/${owner.sessionId}/name`
  t.equal((await dashboard.post(session, { name: 'Laptop' }, { as: owner })).statusCode, 303)
  t.equal((await dashboard.post('/settings/name', { name: 'Ann' }, { as: owner })).statusCode, 303)
  t.equal((await dashboard.post('/settings/language', { language: 'de' }, { as: owner })).statusCode, 303)
})
