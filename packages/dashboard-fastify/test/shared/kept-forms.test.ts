import { expectOk } from '@sotto/test-kit'
import { errAsync } from 'neverthrow'
import t from 'tap'
import { password, sessionOf, startDashboard } from '../support/app.ts'

const note = 'a note that took "an hour"\nto write <b>'

t.test('too many changes, and a busy store, keep what was typed, but no password', async (t) => {
  const refusals = [
    { status: 429, options: { perMinute: 1 } },
    {
      status: 503,
      options: {
        replace: ({ secrets }: { secrets: object }) => ({
          secrets: { ...secrets, insert: () => errAsync({ code: 'storage_unavailable', reason: 'busy' }) },
        }),
      },
    },
  ] as const
  for (const { status, options } of refusals) {
    const dashboard = await startDashboard(t, options as Parameters<typeof startDashboard>[1])
    const { accountId, ...owner } = await dashboard.makeOwner()
    const folder = expectOk(await dashboard.sotto.createFolder({ accountId, label: 'Folder' })).id
    if (status === 429) await dashboard.post('/folders', { label: 'x' }, { as: owner })
    const fields = { folder, label: 'A label', note, opens: '1', expires: '3600', action: 'create' }
    const sent = { ...fields, password: 'canary-password' }
    const refused = await dashboard.post('/secrets/new', sent, { as: owner })
    t.match(refused, { statusCode: status, headers: { 'retry-after': /^\d+$/ } })
    t.notMatch(refused.body, 'canary-password')
    t.match(refused.body, 'action="/secrets/new"')
    t.match(
      refused.body,
      '<textarea hidden name="note">\na note that took &quot;an hour&quot;\nto write &lt;b&gt;',
    )
    for (const name of ['folder', 'label', 'opens', 'expires', 'action']) {
      t.match(refused.body, `name="${name}"`, name)
    }
  }
})

// Promise (The owner's pages): Sending a form again does not drop the password of a link
t.test('a form that was sent with a password cannot be sent again without it', async (t) => {
  const dashboard = await startDashboard(t, { perMinute: 1 })
  const { accountId, ...owner } = await dashboard.makeOwner()
  const folder = expectOk(await dashboard.sotto.createFolder({ accountId, label: 'Folder' })).id
  await dashboard.post('/folders', { label: 'x' }, { as: owner })
  const fields = { folder, label: 'A label', note, opens: '1', expires: '3600', action: 'create' }
  const tooLong = { ...fields, label: 'x'.repeat(300) }
  const draft = expectOk(await dashboard.sotto.saveDraft({ accountId, folderId: folder, label: 'L', note }))
  const editing = { ...fields, action: 'share', content: 'on', version: '' }
  const cases: [
    name: string,
    path: string,
    sent: Record<string, string>,
    session: typeof owner | undefined,
  ][] = [
    ['the session has ended', '/secrets/new', fields, undefined],
    ['too many changes', '/secrets/new', fields, owner],
    ['the session has ended: a draft', `/drafts/${draft.id}`, editing, undefined],
    ['a fault in another field', '/secrets/new', tooLong, owner],
    ['a fault in another field: a draft', `/drafts/${draft.id}`, { ...editing, label: tooLong.label }, owner],
  ]
  for (const [name, path, sent, session] of cases) {
    if (name.startsWith('a fault')) dashboard.clock.advance(61_000_000)
    const as = session === undefined ? {} : { as: session }
    const withPassword = await dashboard.post(path, { ...sent, password: 'canary-password' }, as)
    t.match(passwordInput(withPassword.body), / required[ >]/, name)
    t.match(withPassword.body, 'Enter the password again', name)
    // Whoever is signed out signs in first.
    t.equal(/ autofocus[ >]/.test(passwordInput(withPassword.body)), name === 'too many changes', name)
    t.notMatch(withPassword.body, 'canary-password', name)
    if (name.startsWith('a fault')) dashboard.clock.advance(61_000_000)
    const without = await dashboard.post(path, { ...sent, password: '' }, as)
    t.notMatch(passwordInput(without.body), / required[ >]/, `${name}: no password was entered`)
  }
})

/** The field for the password of a link, if the page has one. */
function passwordInput(body: string): string {
  return /<input type="password"[^>]* name="password"[^>]*>/.exec(body)?.[0] ?? ''
}

t.test('a new sign-in ends the session that the browser had before', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const other = sessionOf(await dashboard.signIn({ email: owner.email, password }))
  const signedIn = await dashboard.signIn({ email: owner.email, password }, { as: owner })
  t.equal(signedIn.statusCode, 303)
  const fresh = sessionOf(signedIn)
  t.equal((await dashboard.get('/dashboard', { as: owner })).statusCode, 303, 'the older session is over')
  t.equal((await dashboard.get('/dashboard', { as: fresh })).statusCode, 200)
  t.equal((await dashboard.get('/dashboard', { as: other })).statusCode, 200, 'another browser')
})
