import { setImmediate as nextTurn } from 'node:timers/promises'
import { expectOk } from '@sotto/test-kit'
import { ResultAsync } from 'neverthrow'
import t from 'tap'
import {
  limitsOf,
  refusedFormsMaxBytes,
  restsMaxBytes,
  startBytes,
} from '../../../http-fastify/test/support/server-limits.ts'
import {
  boundary,
  disposition,
  multipartBody,
  multipartType,
} from '../../../http-fastify/test/support/multipart.ts'
import { head, listen, open, sendRaw } from '../../../http-fastify/test/support/raw.ts'
import { formType, startDashboard, unescaped, type Fields } from '../support/app.ts'
import { formFor, makeThings, pathsOf } from '../support/paths.ts'

const hidden = 'a password that must not come back'
const passwordNames = ['password', 'proof', 'made']

// Promise (The owner's pages): A session that ends loses no typed text
t.test('a session that ends while a form is filled in loses no text, and shows no password', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const things = await makeThings(dashboard, owner)
  expectOk(await dashboard.sotto.endSession({ accountId: owner.accountId, id: owner.sessionId }))
  const before = dashboard.snapshot()
  const paths = (await pathsOf(dashboard, things)).filter(({ isOwners }) => isOwners)
  let forms = 0
  for (const { url, path } of paths.filter(({ methods }) => methods.includes('POST'))) {
    const form = formFor(url, things, owner)
    const fields: Fields = {
      ...form,
      proof: hidden,
      ...(form['password'] !== undefined && { password: hidden }),
    }
    const answer = await dashboard.post(path, fields, { as: owner })
    t.equal(answer.statusCode, 401, url)
    t.notOk(answer.body.includes(hidden), url)
    t.match(answer.body, `<form method="post" action="${path}"`, 'the same form can be sent again')
    t.match(answer.body, 'href="/login"')
    t.same(
      fieldsOf(answer.body),
      Object.entries(fields).filter(([name]) => !passwordNames.includes(name)),
      url,
    )
    forms += 1
  }
  t.ok(forms >= 14, `${forms} forms`)
  t.equal(dashboard.snapshot(), before)
})

// Promise (The owner's pages): Whatever a form of somebody who is not signed in contains, its answer has one status
t.test('a form of a stranger gets one status, whatever is in it', async (t) => {
  const dashboard = await startDashboard(t)
  const post = (type: string, body: string | Buffer) =>
    dashboard.request('POST', '/secrets/new', { headers: { 'content-type': type }, body })
  const part = (head: string) => `--${boundary}\r\n${head}\r\n\r\nx\r\n--${boundary}--\r\n`
  const many = Array.from({ length: 65 }, (_, n) => [disposition(`a${n}`), 'x'] as const)
  const bodies: readonly (readonly [type: string, body: string | Buffer])[] = [
    [formType, ''],
    [formType, 'note=x'],
    [formType, 'other=x'],
    [formType, 'note=%'],
    [formType, 'note=x&note=y'],
    [formType, '&'.repeat(1_000)],
    [formType, `note=${'x'.repeat(1024 * 1024)}`],
    ['application/json', '{"note":"x"}'],
    ['text/plain', '\xff'],
    ['multipart/form-data', part(disposition('note'))],
    ['multipart/form-data; boundary=""', part(disposition('note'))],
    [multipartType, ''],
    [multipartType, 'x'],
    [multipartType, part(disposition('note'))],
    [multipartType, part(disposition('files', 'a'))],
    [multipartType, part(`Content-Disposition: form-data; name="${'\\'.repeat(40)}`)],
    [multipartType, part(`Content-Disposition: form-data; name="${'\\'.repeat(5_000)}`)],
    [multipartType, part('')],
    [multipartType, part(disposition('note')).slice(0, -8)],
    [multipartType, multipartBody(many)],
    [multipartType, multipartBody([[disposition('note'), 'x'.repeat(1024 * 1024)]])],
  ]
  for (const [type, body] of bodies) {
    const { statusCode, headers, body: page } = await post(type, body)
    t.match(
      [statusCode, headers['content-type']],
      [401, 'text/html'],
      `${type} ${body.toString().slice(0, 80)}`,
    )
    t.match(page, '<h1>You are signed out</h1>')
  }
  t.equal(dashboard.memory.data.quota.size, 0)
})

t.test('a note is kept to the byte', async (t) => {
  const dashboard = await startDashboard(t)
  for (const note of ['\r\n\r\nfirst\r\n', '  <b>"&amp;\' \u{1f511}\t', 'a\rb']) {
    const { body } = await dashboard.post('/secrets/new', { note })
    t.same(fieldsOf(body), [['note', note]])
  }
})

// Promise (Encrypted in the browser): A request whose answers were to be encrypted is not made without that when its form is sent again
t.test('the form of a request keeps its key and its boxes, and goes where the owner’s key is', async (t) => {
  const dashboard = await startDashboard(t)
  const boxes = { files: 'on', seal: 'on', key: `BA${'_-'.repeat(42)}A` }
  const { body } = await dashboard.post('/requests/new', { title: 'Title', ...boxes })
  t.same(fieldsOf(body), Object.entries({ title: 'Title', ...boxes }))
  t.match(body, '<form method="post">', 'its address is that of the page, with the fragment')
  const plain = await dashboard.post('/requests/new', { title: 'Title', key: '' })
  t.match(plain.body, '<form method="post" action="/requests/new">')
})

t.test('fields that no form of ours has are not kept', async (t) => {
  const dashboard = await startDashboard(t)
  const { statusCode, body } = await dashboard.post('/folders', { canary: 'canary', label: 'kept' })
  t.equal(statusCode, 401)
  t.same(fieldsOf(body), [['label', 'kept']])
  t.notMatch(body, 'canary')
})

t.test('the session is looked up before anything of a form has arrived', async (t) => {
  const lookedUp = Promise.withResolvers<undefined>()
  const dashboard = await startDashboard(t, {
    replace: ({ sessions }) => ({
      sessions: {
        ...sessions,
        findByDigest: (digest) => (lookedUp.resolve(undefined), sessions.findByDigest(digest)),
      },
    }),
  })
  const { socket, received } = await open(await listen(dashboard.app))
  const body = 'note=typed+text'
  const cookie = `Cookie: sotto=${'A'.repeat(43)}`
  const lines = ['Host: localhost:3000', cookie, `Content-Type: ${formType}`]
  socket.write(head('POST /secrets/new HTTP/1.1', ...lines, `Content-Length: ${body.length}`))
  await lookedUp.promise
  socket.end(body)
  await received('typed text')
})

t.test('a form that has arrived before its sender is refused is kept as well', async (t) => {
  const dashboard = await startDashboard(t, {
    replace: ({ sessions }) => ({
      sessions: {
        ...sessions,
        // As a database on another machine does.
        findByDigest: (digest) =>
          ResultAsync.fromSafePromise(nextTurn()).andThen(() => sessions.findByDigest(digest)),
      },
    }),
  })
  const body = 'note=typed+text'
  const lines = ['Host: localhost:3000', `Cookie: sotto=${'A'.repeat(43)}`, `Content-Type: ${formType}`]
  const start = head(
    'POST /secrets/new HTTP/1.1',
    ...lines,
    `Content-Length: ${body.length}`,
    'Connection: close',
  )
  t.match(await sendRaw(await listen(dashboard.app), start + body), 'typed text')
})

t.test('the text of a refused form is kept as far as the byte budget for such forms allows', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const folder = await dashboard.makeFolder(owner.accountId)
  const { refusedForms, rests } = limitsOf(dashboard.app.server)
  const note = 'a note '.repeat(1_000)
  const fields = { folder, label: 'Label', note, opens: '', expires: '3600', action: 'create' }
  const most = refusedFormsMaxBytes + startBytes
  t.ok(refusedForms.resize(0, most))
  const crowded = await dashboard.post('/secrets/new', fields)
  t.match(crowded, { statusCode: 401, body: 'Nothing was saved or changed.' })
  t.equal((await dashboard.post('/secrets/new', fields, { as: owner })).statusCode, 303, 'an admitted form')
  t.equal(dashboard.memory.data.secrets.size, 1)
  refusedForms.resize(most, 0)
  t.equal((await dashboard.post('/secrets/new', fields)).statusCode, 401)
  t.ok(rests.take(restsMaxBytes), 'nothing is held after the answers')
})

t.test('it can be sent again after signing in', async (t) => {
  const dashboard = await startDashboard(t)
  const owner = await dashboard.makeOwner()
  const folder = await dashboard.makeFolder(owner.accountId)
  const fields = { folder, label: 'Label', note: 'two\r\nlines', opens: '', expires: '', action: 'create' }
  const { body } = await dashboard.post('/secrets/new', fields)
  const again = Object.fromEntries(fieldsOf(body))
  t.equal((await dashboard.post('/secrets/new', again, { as: owner })).statusCode, 303)
  t.equal(dashboard.memory.data.secrets.size, 1)
})

/** The fields of the form on a page, as a browser sends them. */
function fieldsOf(body: string): readonly (readonly [string, string])[] {
  const areas = body.matchAll(/<textarea[^>]* name="([^"]*)"[^>]*>\n?([^]*?)<\/textarea>/g)
  return [...areas].map(([, name = '', text = '']) => [name, unescaped(text)] as const)
}
