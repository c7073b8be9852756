import { createFakePasskey, expectOk, type PasskeyCeremony, type TestPasskey } from '@sotto/test-kit'
import { errAsync } from 'neverthrow'
import t from 'tap'
import {
  origin,
  password,
  sessionOf,
  startDashboard,
  unescaped,
  type Dashboard,
  type Owner,
} from '../support/app.ts'

const ceremony = { rpId: 'localhost', origin }
const reauthenticationMicros = 10 * 60 * 1_000_000
const add = '/settings/sign-in/passkeys'

/** What a page asks a browser for. */
interface Asked {
  readonly challenge: string
  readonly known: readonly string[]
}

function askedIn(body: string, attribute: 'data-passkey' | 'data-new-passkey'): Asked {
  const [, json] = new RegExp(` ${attribute}="([^"]*)"`).exec(body) ?? []
  return JSON.parse(unescaped(json ?? '{}')) as Asked
}

/** The text that the script of a page puts into its form. */
function usedText(
  passkey: TestPasskey,
  { challenge }: Asked,
  userHandle: string,
  change: Partial<PasskeyCeremony> = {},
): string {
  const used = passkey.used({ ...ceremony, challenge, ...change, userHandle })
  return [used.credentialId, used.clientData, used.authenticatorData, used.signature, userHandle].join('.')
}

function madeText(passkey: TestPasskey, { challenge }: Asked, change: Partial<PasskeyCeremony> = {}): string {
  const made = passkey.made({ ...ceremony, challenge, ...change })
  return [made.credentialId, made.clientData, made.authenticatorData].join('.')
}

const handleOf = ({ accountId }: Owner): string => Buffer.from(accountId).toString('base64url')

async function addPasskey(dashboard: Dashboard, owner: Owner, name = 'Phone'): Promise<TestPasskey> {
  const passkey = createFakePasskey(`${owner.accountId} ${name}`)
  const { body } = await dashboard.get('/settings/sign-in', { as: owner })
  const made = madeText(passkey, askedIn(body, 'data-new-passkey'))
  const added = await dashboard.post(add, { name, made }, { as: owner })
  t.equal(added.headers.location, '/settings/sign-in?done=passkeyAdded')
  return passkey
}

async function signIn(dashboard: Dashboard, text: (asked: Asked) => string, next = '') {
  const { body } = await dashboard.get('/login')
  const passkey = text(askedIn(body, 'data-passkey'))
  return dashboard.post('/login/passkey', next === '' ? { passkey } : { passkey, next })
}

t.test('an owner adds a passkey, sees it, and signs in with it', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const passkey = await addPasskey(dashboard, owner, 'My <phone>')
  const listed = (await dashboard.get('/settings/sign-in?done=passkeyAdded', { as: owner })).body
  t.match(listed, 'The passkey is added.')
  t.match(listed, '<bdi>My &lt;phone&gt;</bdi>')
  t.match(listed, 'not used yet')
  t.strictSame(askedIn(listed, 'data-new-passkey').known, [passkey.credentialId])

  const answer = await signIn(dashboard, (asked) => usedText(passkey, asked, handleOf(owner)), '/settings')
  t.match(answer, { statusCode: 303, headers: { location: '/settings' } })
  t.equal((await dashboard.get('/dashboard', { as: sessionOf(answer) })).statusCode, 200)
  t.match((await dashboard.get('/settings/sign-in', { as: owner })).body, 'last used')
  const lines = dashboard.logLines.filter((line) => line.includes('"audit":true')).join('')
  t.match(lines, /"event":"passkey_added","account_id":"[^"]+","passkey_id"/)
  t.match(lines, /"event":"signed_in","account_id":"[^"]+","session_id":"[^"]+","passkey_id"/)
  t.notMatch(dashboard.logLines.join(''), passkey.credentialId)
})

t.test('a passkey that is refused signs nobody in, and only the operator learns why', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const passkey = await addPasskey(dashboard, owner)
  const changes: readonly (readonly [reason: string, change: Partial<PasskeyCeremony>])[] = [
    ['origin', { origin: 'http://localhost:3001' }],
    ['user_unverified', { isUserVerified: false }],
    ['relying_party', { rpId: 'example.org' }],
  ]
  for (const [reason, change] of changes) {
    const answer = await signIn(dashboard, (asked) => usedText(passkey, asked, handleOf(owner), change))
    t.equal(answer.statusCode, 401)
    t.equal(sessionOf(answer), undefined)
    t.match(answer.body, 'This passkey was not accepted.')
    t.ok(askedIn(answer.body, 'data-passkey').challenge, 'and another one is asked for')
    t.match(dashboard.logLines.at(-1) ?? '', new RegExp(`"event":"passkey_refused".*"reason":"${reason}"`))
  }
})

t.test(
  'a page that was open too long, or a form that was sent before, is to be sent once more',
  async (t) => {
    const dashboard = await startDashboard(t)
    const owner = await dashboard.makeOwner()
    const passkey = await addPasskey(dashboard, owner)
    let text = ''
    const first = await signIn(dashboard, (asked) => (text = usedText(passkey, asked, handleOf(owner))))
    t.equal(first.statusCode, 303)
    const again = await dashboard.post('/login/passkey', { passkey: text })
    t.equal(again.statusCode, 401)
    t.match(again.body, 'This page was open too long.')
    const late = await signIn(dashboard, (asked) => {
      dashboard.clock.advance(reauthenticationMicros)
      return usedText(passkey, asked, handleOf(owner))
    })
    t.match(late.body, 'This page was open too long.')
  },
)

// Promise (The owner's pages): A passkey is a fresh proof for everything that asks for one.
t.test('what needs a fresh proof takes a passkey instead of the password', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const passkey = await addPasskey(dashboard, owner)
  const forms: readonly (readonly [
    page: string,
    path: string,
    fields: Record<string, string>,
    done: number,
  ])[] = [
    ['/settings/tokens', '/settings/tokens', { name: 'program', read: 'on', expires: '90' }, 201],
    ['/settings', '/settings/email', { email: 'new@example.org' }, 303],
    ['/settings/sign-in', '/settings/password', { password: 'another fine passphrase' }, 303],
    ['/settings/notifications', '/settings/notifications/webhooks', { url: 'https://example.org/' }, 201],
    ['/settings/download', '/settings/download', {}, 200],
    ['/settings/delete', '/settings/delete', {}, 303],
  ]
  for (const [page, path, fields, done] of forms) {
    dashboard.clock.advance(reauthenticationMicros)
    const shown = await dashboard.get(page, { as: owner })
    t.match(shown.body, 'Use a passkey', page)
    const asked = askedIn(shown.body, 'data-passkey')
    t.strictSame(asked.known, [passkey.credentialId])
    const unverified = usedText(passkey, asked, '', { isUserVerified: false })
    const refused = await dashboard.post(path, { ...fields, proof: `passkey:${unverified}` }, { as: owner })
    t.equal(refused.statusCode, 400, path)
    t.match(refused.body, 'This passkey was not accepted.')
    const proof = `passkey:${usedText(passkey, asked, '')}`
    t.equal((await dashboard.post(path, { ...fields, proof }, { as: owner })).statusCode, done, path)
  }
})

t.test(
  'an account without a passkey is asked for the password only, as is one whose passkeys cannot be read',
  async (t) => {
    let isBroken = false
    const dashboard = await startDashboard(t, {
      replace: ({ passkeys }) => ({
        passkeys: {
          ...passkeys,
          list: (accountId) =>
            isBroken ? errAsync({ code: 'storage_failed', detail: 'broken' }) : passkeys.list(accountId),
        },
      }),
    })
    const owner = await dashboard.makeOwner()
    const pageOf = async () => {
      dashboard.clock.advance(reauthenticationMicros)
      return (await dashboard.get('/settings/tokens', { as: owner })).body
    }
    const without = await pageOf()
    t.match(without, 'name="proof"')
    t.notMatch(without, 'Use a passkey')
    t.notMatch(without, 'navigator.credentials')
    await dashboard.post(
      '/settings/tokens',
      { name: 'x', read: 'on', expires: '90', proof: password },
      { as: owner },
    )
    await addPasskey(dashboard, owner)
    isBroken = true
    const broken = await pageOf()
    t.match(broken, 'name="proof"')
    t.notMatch(broken, 'Use a passkey')
  },
)

t.test(
  'adding asks for a proof first, keeps the name, and makes the passkey with the next form',
  async (t) => {
    const dashboard = await startDashboard(t)
    const owner = await dashboard.makeOwner()
    dashboard.clock.advance(reauthenticationMicros)
    const shown = await dashboard.get('/settings/sign-in', { as: owner })
    t.match(shown.body, 'name="proof"')
    const wrong = await dashboard.post(add, { name: 'Phone', proof: 'a wrong passphrase' }, { as: owner })
    t.equal(wrong.statusCode, 400)
    const proven = await dashboard.post(add, { name: 'Phone', proof: password }, { as: owner })
    t.equal(proven.statusCode, 200)
    t.notMatch(proven.body, 'name="proof"')
    t.match(proven.body, 'value="Phone"')
    const made = madeText(createFakePasskey('x'), askedIn(proven.body, 'data-new-passkey'))
    const added = await dashboard.post(add, { name: 'Phone', made }, { as: owner })
    t.equal(added.headers.location, '/settings/sign-in?done=passkeyAdded')
  },
)

t.test('what cannot be added is said', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const passkey = await addPasskey(dashboard, owner)
  const send = async (each: TestPasskey, name: string, change?: Partial<PasskeyCeremony>) => {
    const { body } = await dashboard.get('/settings/sign-in', { as: owner })
    const made = madeText(each, askedIn(body, 'data-new-passkey'), change)
    return dashboard.post(add, { name, made }, { as: owner })
  }
  const other = createFakePasskey('other')
  const answers: readonly (readonly [Awaited<ReturnType<typeof send>>, number, string])[] = [
    [await send(passkey, 'Twice'), 409, 'already has a passkey'],
    [await send(other, 'Phone', { isUserVerified: false }), 400, 'The passkey was not added.'],
    [await send(other, 'Phone', { challenge: 'AAAA' }), 400, 'This page was open too long.'],
    [await send(other, ''), 400, 'id="name-error"'],
    [await send(other, 'x'.repeat(256)), 400, 'id="name-error"'],
  ]
  for (const [answer, status, text] of answers) {
    t.equal(answer.statusCode, status)
    t.match(answer.body, text)
  }
  for (let nr = 0; nr < 9; nr += 1) await addPasskey(dashboard, owner, String(nr))
  const full = await dashboard.get('/settings/sign-in', { as: owner })
  t.match(full.body, 'You have 10 passkeys')
  t.notMatch(full.body, 'data-new-passkey')
})

t.test(
  'a passkey is deleted after a question and a fresh proof, but not the last authenticator',
  async (t) => {
    const dashboard = await startDashboard(t)
    const owner = await dashboard.makeOwner()
    await addPasskey(dashboard, owner, 'Old phone')
    const path = /action="(\/settings\/sign-in\/passkeys\/[^"]+\/delete)"/
    const page = async () =>
      path.exec((await dashboard.get('/settings/sign-in', { as: owner })).body)?.[1] ?? ''
    const first = await page()
    t.match((await dashboard.get(first, { as: owner })).body, '<bdi>Old phone</bdi>')
    dashboard.clock.advance(reauthenticationMicros)
    t.equal((await dashboard.post(first, {}, { as: owner })).statusCode, 400)
    const deleted = await dashboard.post(first, { proof: password }, { as: owner })
    t.equal(deleted.headers.location, '/settings/sign-in?done=passkeyDeleted')
    t.equal((await dashboard.get(first, { as: owner })).statusCode, 404)
    t.equal((await dashboard.post(first, {}, { as: owner })).statusCode, 404)

    await addPasskey(dashboard, owner, 'Phone')
    expectOk(await dashboard.memory.passwords.authenticators(owner.accountId))
    dashboard.memory.data.passwords.clear()
    const last = await dashboard.post(await page(), {}, { as: owner })
    t.equal(last.statusCode, 409)
    t.match(last.body, 'the only way to sign in')
  },
)

// Promise (The owner's pages): Where browsers make no passkeys, nothing of them is shown or loaded.
t.test('where there can be no passkeys there is nothing of them', async (t) => {
  for (const baseUrl of [
    'http://sotto.example',
    'https://192.0.2.7',
    'http://127.0.0.1:3000',
    'https://[::1]',
  ]) {
    const dashboard = await startDashboard(t, { baseUrl })
    const owner = await dashboard.makeOwner()
    const login = (await dashboard.get('/login')).body
    t.notMatch(login, /passkey|webauthn/i, baseUrl)
    t.notMatch((await dashboard.get('/settings', { as: owner })).body, /passkey/i)
    t.notMatch((await dashboard.get('/settings/sign-in', { as: owner })).body, /passkey/i)
    t.equal((await dashboard.post('/login/passkey', { passkey: 'a.b.c.d.e' })).statusCode, 404)
    t.equal((await dashboard.post(add, { name: 'x' }, { as: owner })).statusCode, 404)
  }
  for (const baseUrl of ['https://sotto.example', 'http://sotto.localhost', 'https://sotto.example:8443']) {
    const dashboard = await startDashboard(t, { baseUrl })
    const { body } = await dashboard.get('/login')
    t.match(body, 'autocomplete="username webauthn"', baseUrl)
    t.match(unescaped(body), `"rpId":"${new URL(baseUrl).hostname}"`)
  }
})

t.test('without a script the button is hidden, and the password works as before', async (t) => {
  const dashboard = await startDashboard(t)
  const { body, headers } = await dashboard.get('/login')
  t.match(body, '<div class="after" hidden')
  t.notMatch(headers['content-security-policy'], /connect-src|unsafe/)
  const empty = await dashboard.post('/login/passkey', {})
  t.equal(empty.statusCode, 401)
})
