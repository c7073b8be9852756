import { expectErr, expectOk } from '@sotto/test-kit'
import t from 'tap'
import { unescaped, type Fields } from '../support/app.ts'
import {
  fieldsOf,
  file,
  idIn,
  noFile,
  opened,
  startWithFiles,
  type FilesDashboard,
} from '../support/files.ts'

/** A draft with two files, and what its page has. */
async function draftWithFiles(dashboard: FilesDashboard, password = '') {
  const fields = { ...fieldsOf(dashboard), password }
  const saved = await dashboard.sendFiles('/secrets/new?action=draft', fields, [file('a.txt'), file('b.txt')])
  const path = `/drafts/${idIn(saved)}`
  const shown =
    password === ''
      ? await dashboard.get(path, { as: dashboard.owner })
      : await dashboard.post(`${path}/note`, { password }, { as: dashboard.owner })
  return { path, id: idIn(saved), fields: { ...fields, ...hiddenFields(shown.body) } }
}

/** What the form of a draft sends without anybody's doing. */
function hiddenFields(body: string): Fields {
  const hidden = [...body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  return Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, unescaped(value)]))
}

async function namesOf({ sotto, owner: { accountId } }: FilesDashboard, id: string): Promise<string[]> {
  return expectOk(await sotto.getDraft({ accountId, id })).files.map(({ name }) => name)
}

t.test('the page of a draft lists its files, each with a box that removes it', async (t) => {
  const dashboard = await startWithFiles(t)
  const { path } = await draftWithFiles(dashboard)
  const { body } = await dashboard.get(path, { as: dashboard.owner })
  for (const name of ['a.txt', 'b.txt']) t.match(body, new RegExp(`>${name}</bdi> <small>5 bytes`))
  t.equal(body.match(/<input type="checkbox" name="remove-\d" value="[0-9a-f-]{36}"/g)?.length, 2)
  t.match(body, /name="sealed-files" value="\d+\.[\w-]+"/)
  t.match(body, 'You have 32.2 kB left')
})

// Promise (Files): The form of a draft keeps its files, removes those that are ticked and adds those that are chosen
t.test('files of a draft are kept, removed and added with its text', async (t) => {
  const dashboard = await startWithFiles(t)
  const { path, id, fields } = await draftWithFiles(dashboard)
  const [first = ''] = expectOk(
    await dashboard.sotto.getDraft({ accountId: dashboard.owner.accountId, id }),
  ).files.map((each) => each.id)
  const change = { ...fields, note: 'other', 'remove-1': first }
  const saved = await dashboard.sendFiles(`${path}?action=save`, change, [file('c.txt')])
  t.equal(saved.headers.location, `${path}?done=draftSaved`)
  t.same(await namesOf(dashboard, id), ['b.txt', 'c.txt'])
  const again = hiddenFields((await dashboard.get(path, { as: dashboard.owner })).body)
  const shared = await dashboard.sendFiles(
    `${path}?action=share`,
    { ...fields, ...again, 'show-files': 'on' },
    [noFile],
  )
  t.equal(shared.headers.location, `/secrets/${id}?new=1`)
  const { link, showsFiles } = expectOk(
    await dashboard.sotto.viewSecret({ accountId: dashboard.owner.accountId, id }),
  )
  t.equal(showsFiles, true)
  t.same(await opened(dashboard, link.token), [
    ['b.txt', 'b.txt'],
    ['c.txt', 'c.txt'],
  ])
})

// Promise (Files): A file alone can be sent, and no secret is without both text and file
t.test('the form of a draft cannot take both text and files from it', async (t) => {
  const dashboard = await startWithFiles(t)
  const { path, id, fields } = await draftWithFiles(dashboard)
  const get = async () =>
    expectOk(await dashboard.sotto.getDraft({ accountId: dashboard.owner.accountId, id }))
  const [first = '', second = ''] = (await get()).files.map((each) => each.id)
  const send = async (change: Record<string, string>, files: Parameters<typeof dashboard.sendFiles>[2]) => {
    const shown = hiddenFields((await dashboard.get(path, { as: dashboard.owner })).body)
    return dashboard.sendFiles(`${path}?action=save`, { ...fields, ...shown, note: '', ...change }, files)
  }
  t.equal((await send({}, [noFile])).statusCode, 303, 'its files are enough')
  t.equal((await send({ expires: '1' }, [noFile])).body.includes('id="note-error"'), false)
  const removed = { 'remove-1': first, 'remove-2': second }
  const refused = await send(removed, [noFile])
  t.equal(refused.statusCode, 400)
  t.match(refused.body, '<a href="#note">Text</a> Write a text, or add a file.')
  t.match((await send({ ...removed, expires: '1' }, [noFile])).body, 'id="note-error"')
  t.same(await namesOf(dashboard, id), ['a.txt', 'b.txt'])
  t.equal((await send(removed, [file('c.txt')])).statusCode, 303, 'a new one is, too')
  t.match(await get(), { note: '', files: [{ name: 'c.txt' }] })
})

t.test('a draft with a password lists its files, and keeps them with the password alone', async (t) => {
  const dashboard = await startWithFiles(t)
  const { path, id, fields } = await draftWithFiles(dashboard, 'otter')
  const hidden = await dashboard.get(path, { as: dashboard.owner })
  t.match(hidden.body, />a\.txt<\/bdi>/)
  t.match(hidden.body, 'To add or remove files, show the text first.')
  t.notMatch(hidden.body, /type="file"|name="remove-|sealed-files|multipart/)
  const saved = await dashboard.sendFiles(`${path}?action=save`, { ...fields, note: 'other' }, [
    file('c.txt'),
  ])
  t.equal(saved.statusCode, 303)
  t.same(await namesOf(dashboard, id), ['a.txt', 'b.txt', 'c.txt'])
  const label = { ...fieldsOf(dashboard), label: 'Other', action: 'save' }
  t.equal((await dashboard.post(path, label, { as: dashboard.owner })).statusCode, 303)
  t.same(await namesOf(dashboard, id), ['a.txt', 'b.txt', 'c.txt'], 'without its text nothing of it changes')
})

t.test('a refused form of a draft keeps what was ticked, and what keeps its files', async (t) => {
  for (const password of ['', 'otter']) {
    const dashboard = await startWithFiles(t)
    const { path, id, fields } = await draftWithFiles(dashboard, password)
    const { files } = expectOk(await dashboard.sotto.getDraft({ accountId: dashboard.owner.accountId, id }))
    const removed = files[1]?.id ?? ''
    const change = { ...fields, label: 'x'.repeat(300), 'remove-2': removed }
    const refused = await dashboard.sendFiles(`${path}?action=save`, change, [file('c.txt')])
    t.equal(refused.statusCode, 400)
    t.match(refused.body, new RegExp(`name="remove-2" value="${removed}"[^>]* checked`))
    t.match(refused.body, 'Choose the files again')
    t.same(dashboard.counts(), { contents: 2, files: 2 })
    const again = { ...change, ...hiddenFields(refused.body), label: 'A label' }
    t.equal((await dashboard.sendFiles(`${path}?action=save`, again)).statusCode, 303)
    t.same(await namesOf(dashboard, id), ['a.txt'])
  }
})

t.test('files are not read for a draft that was changed elsewhere, and eleven are too many', async (t) => {
  const dashboard = await startWithFiles(t)
  const { path, id, fields } = await draftWithFiles(dashboard)
  const nine = Array.from({ length: 9 }, (_, at) => file(`${at}`, 'x'))
  const full = await dashboard.sendFiles(`${path}?action=save`, fields, nine)
  t.equal(full.statusCode, 400)
  t.match(full.body, 'Choose at most 10 files.')
  t.equal((await dashboard.sendFiles(`${path}?action=save`, fields)).statusCode, 303)
  const changed = await dashboard.sendFiles(`${path}?action=save`, { ...fields, note: 'typed' }, [
    file('c.txt'),
  ])
  t.equal(changed.statusCode, 409)
  t.match(changed.body, 'was changed in another window')
  t.match(changed.body, '>\ntyped</textarea>')
  t.same(dashboard.counts(), { contents: 2, files: 2 })
  const again = { ...fields, ...hiddenFields(changed.body), note: 'typed' }
  t.equal((await dashboard.sendFiles(`${path}?action=save`, again, [file('c.txt')])).statusCode, 303)
  t.same(await namesOf(dashboard, id), ['a.txt', 'b.txt', 'c.txt'])
})

t.test(
  'the form of a draft that is gone becomes that of a new secret, which asks for the files again',
  async (t) => {
    const dashboard = await startWithFiles(t)
    const { path, id, fields } = await draftWithFiles(dashboard)
    expectOk(await dashboard.sotto.deleteDraft({ accountId: dashboard.owner.accountId, id }))
    const gone = await dashboard.sendFiles(`${path}?action=save`, fields, [file('c.txt')])
    t.equal(gone.statusCode, 404)
    t.match(gone.body, 'formaction="/secrets/new?action=create"')
    t.match(gone.body, 'Choose the files again')
  },
)

t.test('the form of a draft with ten files of the longest names is not too long', async (t) => {
  const dashboard = await startWithFiles(t)
  const longest = Array.from({ length: 10 }, (_, at) =>
    file(`${at}${'"'.repeat(254)}`.replaceAll('"', '%22'), 'x'),
  )
  const saved = await dashboard.sendFiles('/secrets/new?action=draft', fieldsOf(dashboard), longest)
  const path = `/drafts/${idIn(saved)}`
  const { body } = await dashboard.get(path, { as: dashboard.owner })
  const fields = {
    ...fieldsOf(dashboard),
    ...hiddenFields(body),
    note: 'x'.repeat(65_536),
    label: '\u{1f98a}'.repeat(255),
  }
  t.equal((await dashboard.sendFiles(`${path}?action=save`, fields)).statusCode, 303)
  const again = hiddenFields((await dashboard.get(path, { as: dashboard.owner })).body)
  const plain = await dashboard.post(`${path}?action=save`, { ...fields, ...again }, { as: dashboard.owner })
  t.equal(plain.statusCode, 303, 'also as it is sent from a page that keeps what was typed')
  t.equal((await namesOf(dashboard, idIn(saved))).length, 10)
})

t.test('the files of a draft that nobody can read any more are removed with its next text', async (t) => {
  const dashboard = await startWithFiles(t)
  const { sotto, owner, clock } = dashboard
  const { path, id } = await draftWithFiles(dashboard, 'otter')
  for (let guess = 0; guess < 100; guess += 1) {
    expectErr(await sotto.getDraft({ accountId: owner.accountId, id, password: 'wrong' }))
    clock.advance(3 * 60 * 1_000_000)
  }
  const page = await dashboard.get(path, { as: owner })
  t.match(page.body, 'The files of this draft cannot be read any more either.')
  t.notMatch(page.body, 'name="remove-1"')
  const fields = { ...fieldsOf(dashboard), ...hiddenFields(page.body), 'remove-password': 'on' }
  const saved = await dashboard.sendFiles(`${path}?action=save`, fields, [file('c.txt')])
  t.equal(saved.statusCode, 303)
  t.same(await namesOf(dashboard, id), ['c.txt'])
  expectOk(await sotto.sweepFiles())
  t.equal(expectOk(await sotto.fileUsage({ accountId: owner.accountId })).usedBytes, 4_128)
})

// Promise (Files): An owner saves each file of a draft without a password, and nobody else does
t.test('each file of a draft is saved from its page, as an attachment', async (t) => {
  const dashboard = await startWithFiles(t)
  const { path } = await draftWithFiles(dashboard)
  const { body } = await dashboard.get(path, { as: dashboard.owner })
  t.match(body, `<a class="button secondary" href="${path}/files/2" download="b.txt"`)
  const saved = await dashboard.get(`${path}/files/2`, { as: dashboard.owner })
  t.equal(saved.body, 'b.txt')
  t.match(saved.headers, {
    'content-disposition': 'attachment; filename="b.txt"',
    'content-type': 'application/octet-stream',
    'content-security-policy': /sandbox/,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  const part = await dashboard.request('GET', `${path}/files/2`, {
    as: dashboard.owner,
    headers: { range: 'bytes=2-' },
  })
  t.match(part, { statusCode: 206, body: 'txt' })
  const late = await dashboard.request('GET', `${path}/files/2`, {
    as: dashboard.owner,
    headers: { range: 'bytes=9-' },
  })
  t.equal(late.statusCode, 416)
  const other = await dashboard.makeOwner()
  for (const [url, as] of [
    [`${path}/files/2`, other],
    [`${path}/files/3`, dashboard.owner],
    [`${path}/files/x`, dashboard.owner],
  ] as const)
    t.equal((await dashboard.get(url, { as })).statusCode, 404, url)
  t.equal((await dashboard.get(`${path}/files/2`)).statusCode, 303, 'to sign in')
  const guarded = await draftWithFiles(dashboard, 'right')
  t.notMatch((await dashboard.get(guarded.path, { as: dashboard.owner })).body, '/files/1')
  t.equal((await dashboard.get(`${guarded.path}/files/1`, { as: dashboard.owner })).statusCode, 404)
})
