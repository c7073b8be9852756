import type { FullPorts } from '@sotto/identity'
import { expectOk } from '@sotto/test-kit'
import { errAsync, okAsync } from 'neverthrow'
import t from 'tap'
import type { Test } from 'tap'
import {
  limitsOf,
  longBodiesMax,
  refusedFormsMaxBytes,
  restsMaxBytes,
  startBytes,
  startsMaxBytes,
} from '../../../http-fastify/test/support/server-limits.ts'
import { multipartType } from '../../../http-fastify/test/support/multipart.ts'
import { acquireAll } from '../../../http-fastify/test/support/semaphore.ts'
import { unescaped } from '../support/app.ts'
import {
  fieldsOf,
  file,
  idIn,
  limits,
  noFile,
  opened,
  startWithFiles,
  type FilesDashboard,
} from '../support/files.ts'

const create = '/secrets/new?action=create'
const linkToken = async ({ sotto, owner }: FilesDashboard, id: string): Promise<string> =>
  expectOk(await sotto.getSecret({ accountId: owner.accountId, id })).link.token

// Promise (Files): Where files are switched off, nothing of them is on a page
t.test('where no files are taken, the form has nothing of them, and none is taken', async (t) => {
  for (const files of [undefined, { maxBytes: 0, accountMaxBytes: 1_000 }]) {
    const dashboard = await startWithFiles(t, { files, sealing: 'off' })
    const page = await dashboard.get('/secrets/new', { as: dashboard.owner })
    t.notMatch(page.body, /multipart|type="file"|show-files|formaction|XMLHttpRequest/)
    const sealing = await startWithFiles(t, { files })
    const { body } = await sealing.get('/secrets/new', { as: sealing.owner })
    t.match(body, 'id="seal"')
    t.notMatch(body.replace(/<script>[^]*/, ''), /multipart|type="file"|show-files|formaction|\bfiles?\b/i)
    t.notMatch((await dashboard.get('/help', { as: dashboard.owner })).body, /\bfiles?\b/i)
    t.notMatch((await dashboard.get('/settings', { as: dashboard.owner })).body, /\bfiles?\b/i)
    const refused = await dashboard.sendFiles(create, fieldsOf(dashboard), [file('a.txt')])
    t.equal(refused.statusCode, 415)
    t.same(dashboard.counts(), { contents: 0, files: 0 })
  }
})

t.test('the form says the limits, and its files come after all other fields', async (t) => {
  const dashboard = await startWithFiles(t)
  const { body, headers } = await dashboard.get('/secrets/new', { as: dashboard.owner })
  t.match(body, 'At most 10 files of up to 1,000 bytes each. You have 40.3 kB left for files.')
  t.match(headers['content-security-policy'], /connect-src 'self';/)
  const [, form = ''] = /<form[^>]* enctype="multipart\/form-data"[^>]*>([^]*?)<\/form>/.exec(body) ?? []
  const named = [...form.matchAll(/<(?:input|textarea|select|button)[^>]* name="([^"]+)"/g)]
  t.equal(named.at(-1)?.[1], 'files')
  t.equal(named.filter(([, name]) => name === 'files').length, 1)
  t.match(form, 'formaction="/secrets/new?action=create"')
  t.match(form, 'formaction="/secrets/new?action=draft"')
})

t.test('the help page says what files may be, and what becomes of them', async (t) => {
  const dashboard = await startWithFiles(t)
  const { body } = await dashboard.get('/help', { as: dashboard.owner })
  t.match(body, 'at most 10, of up to 1,000 bytes each. All your files together can have 40.3 kB.')
  t.match(body, 'Whoever opens the link can still save them for one hour.')
  t.match(body, 'No page shows what is in a file')
})

t.test('the settings say how much room files take, and how much is left', async (t) => {
  const dashboard = await startWithFiles(t)
  const room = async () => (await dashboard.get('/settings', { as: dashboard.owner })).body
  t.match(await room(), 'Your files take 0 bytes of 40.3 kB: 40.3 kB are left.')
  await dashboard.sendFiles(create, fieldsOf(dashboard), [file('a.txt')])
  t.match(await room(), 'Your files take 4 kB of 40.3 kB: 36.2 kB are left.')
})

// Promise (Files): The form of a new secret stores its files as they arrive, and works without script
t.test('a secret gets the files of its form, in their order', async (t) => {
  const dashboard = await startWithFiles(t)
  const { owner, sotto } = dashboard
  const sent = [
    file('b.txt', 'two\r\n--'),
    file('ä "1".txt'.replaceAll('"', '%22'), 'one'),
    file('empty', ''),
  ]
  const created = await dashboard.sendFiles(create, fieldsOf(dashboard), sent)
  t.equal(created.statusCode, 303)
  const id = idIn(created)
  t.equal(created.headers.location, `/secrets/${id}?new=1`)
  const token = await linkToken(dashboard, id)
  t.same(expectOk(await sotto.previewLink({ token })).files, [], 'recipients do not see them before')
  t.same(await opened(dashboard, token), [
    ['b.txt', 'two\r\n--'],
    ['ä "1".txt', 'one'],
    ['empty', ''],
  ])
  const { files, showsFiles } = expectOk(await sotto.viewSecret({ accountId: owner.accountId, id }))
  t.same([files.map(({ size, type }) => [size, type])[0], showsFiles], [[7, 'text/plain'], false])
})

t.test('recipients see names and sizes before they open the link if the owner wants that', async (t) => {
  const dashboard = await startWithFiles(t)
  const created = await dashboard.sendFiles(create, { ...fieldsOf(dashboard), 'show-files': 'on' }, [
    file('a.txt'),
  ])
  const token = await linkToken(dashboard, idIn(created))
  t.match(expectOk(await dashboard.sotto.previewLink({ token })).files, [{ name: 'a.txt', size: 5 }])
  const { body } = await dashboard.get(`/secrets/${idIn(created)}`, { as: dashboard.owner })
  t.match(body, /a\.txt<\/bdi> <small>5 bytes/)
  t.match(body, /Recipients see names and sizes before they open the link<\/dt><dd>Yes/)
})

t.test('a form in which no file was chosen makes a secret without files', async (t) => {
  const dashboard = await startWithFiles(t)
  const created = await dashboard.sendFiles(create, fieldsOf(dashboard))
  t.equal(created.statusCode, 303)
  t.same(dashboard.counts(), { contents: 0, files: 0 })
  const { body } = await dashboard.get(`/secrets/${idIn(created)}`, { as: dashboard.owner })
  t.notMatch(body, /class="files"|Recipients see names/)
  t.same(await opened(dashboard, await linkToken(dashboard, idIn(created))), [])
})

// Promise (Files): A file alone can be sent, and no secret is without both text and file
t.test('a file alone is a secret or a draft, and with neither text nor file the form says so', async (t) => {
  const dashboard = await startWithFiles(t)
  const fields = { ...fieldsOf(dashboard), note: '' }
  const created = await dashboard.sendFiles(create, fields, [file('a.txt')])
  t.equal(created.headers.location, `/secrets/${idIn(created)}?new=1`)
  t.same(await opened(dashboard, await linkToken(dashboard, idIn(created))), [['a.txt', 'a.txt']])
  const saved = await dashboard.sendFiles('/secrets/new?action=draft', fields, [file('a.txt')])
  t.match(saved.headers.location, /^\/drafts\/.*done=draftSaved$/)
  const before = dashboard.counts()
  for (const files of [[], [noFile]]) {
    const refused = await dashboard.sendFiles(create, fields, files)
    t.equal(refused.statusCode, 400)
    t.match(refused.body, '<a href="#note">Text</a> Write a text, or add a file.')
  }
  const both = await dashboard.sendFiles(create, { ...fields, expires: '1' }, [file('a.txt')])
  t.equal(both.statusCode, 400)
  t.notMatch(both.body, 'id="note-error"', 'the file is enough')
  t.same(dashboard.counts(), before)
  const { body } = await dashboard.get('/secrets/new', { as: dashboard.owner })
  t.notMatch(body, /<textarea[^>]* required/, 'no browser asks for a text')
})

t.test('a draft is saved with files by its button', async (t) => {
  const dashboard = await startWithFiles(t)
  const saved = await dashboard.sendFiles('/secrets/new?action=draft', fieldsOf(dashboard), [file('a.txt')])
  t.match(saved.headers.location, /^\/drafts\/.*done=draftSaved$/)
  t.same(dashboard.counts(), { contents: 1, files: 1 })
})

// Promise (Files): No byte of a file is stored before its form was found to come from our page, from its owner, and to be valid
t.test('a form that is refused for anything else stores no byte of its files', async (t) => {
  const cases = [
    ['another site', 403, {}, { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['signed out', 401, {}, { as: undefined }],
    ['no action', 400, {}, {}, '/secrets/new'],
    ['an unknown field', 400, { other: 'x' }, {}],
    ['a long note', 400, { note: 'x'.repeat(70_000) }, {}],
    ['an unknown folder', 400, { folder: 'x' }, {}],
    ['a number that is none', 400, { opens: 'number', count: 'x' }, {}],
    ['an unknown lifetime', 400, { expires: '1' }, {}],
  ] as const
  for (const [what, status, change, sent, path = create] of cases) {
    const dashboard = await startWithFiles(t, {
      wrap: () => ({
        uploadFiles: () => {
          t.fail(`${what}: files are read`)
          return errAsync({ code: 'files_off' })
        },
      }),
    })
    const answer = await dashboard.sendFiles(path, { ...fieldsOf(dashboard), ...change }, [file('a')], sent)
    t.equal(answer.statusCode, status, what)
    t.same(dashboard.counts(), { contents: 0, files: 0 }, what)
  }
})

const many = (count: number) => Array.from({ length: count }, (_, at) => file(`${at}.txt`, 'x'))
const long = 'x'.repeat(1_001)

// Promise (Files): Limits are said in words, and a refused form stores nothing and keeps what was typed
t.test('files that are not taken leave nothing, and the form says why', async (t) => {
  const cases = [
    ['a large file', [file('a'), file('b', long)], 413, 'A file is larger than 1,000 bytes.'],
    ['eleven', many(11), 400, 'Choose at most 10 files.'],
    ['a path', [file('a'), file('../b')], 400, 'The name of a file has /, \\ or an invisible character.'],
    ['a long name', [file('x'.repeat(256))], 400, 'The name of a file is too long.'],
    [
      'a field after it',
      [file('a'), [['Content-Disposition: form-data; name="b"'], 'x']],
      400,
      'not arrive completely.',
    ],
    [
      'another name',
      [[['Content-Disposition: form-data; name="b"; filename="b"'], 'x']],
      400,
      'not arrive completely.',
    ],
    ['no file between', [file('a'), noFile], 400, 'Please fill in this field.'],
  ] as const
  for (const [what, files, status, text] of cases) {
    const dashboard = await startWithFiles(t)
    const fields = { ...fieldsOf(dashboard), 'show-files': 'on' }
    const { statusCode, body } = await dashboard.sendFiles(create, fields, files)
    t.equal(statusCode, status, what)
    const [, fault = ''] = /<p class="error" id="files-error">([^<]*)</.exec(body) ?? []
    t.match(fault, text, what)
    t.match(fault, 'Choose the files again', what)
    t.match(body, /<input type="file"[^>]* aria-invalid="true" autofocus/, what)
    t.match(body, '<li><a href="#files">Add files</a>', what)
    t.match(body, '>\nthe note</textarea>', what)
    t.match(body, 'name="show-files" checked', what)
    t.same(dashboard.counts(), { contents: 0, files: 0 }, what)
  }
})

t.test(
  'files that do not fit leave nothing, and the form says whether the account is full or the disk',
  async (t) => {
    const cases = [
      [{ files: { ...limits, accountMaxBytes: 10_000 } }, 413, 'together would be larger than 9.7 kB.'],
      [
        {
          replace: ({ fileContents }: FullPorts) => ({
            fileContents: { ...fileContents, freeBytes: () => okAsync(4_127) },
          }),
        },
        507,
        'There is no room for files on this server now. Without them you can send the text.',
      ],
    ] as const
    for (const [options, status, text] of cases) {
      const dashboard = await startWithFiles(t, options)
      const files = ['a', 'b', 'c'].map((name) => file(name))
      const { statusCode, body } = await dashboard.sendFiles(create, fieldsOf(dashboard), files)
      t.equal(statusCode, status)
      t.match(/<p class="error" id="files-error">([^<]*)</.exec(body)?.[1], text)
      t.match(body, '>\nthe note</textarea>')
      t.same(dashboard.counts(), { contents: 0, files: 0 })
      const without = await dashboard.sendFiles(create, fieldsOf(dashboard), [noFile])
      t.equal(without.statusCode, 303)
    }
  },
)

t.test('a body that is no form ends with its status, and stores nothing', async (t) => {
  const dashboard = await startWithFiles(t)
  const { owner: as, folder } = dashboard
  const headers = { 'content-type': multipartType }
  const bodies = ['', 'x', '------boundary\r\n', `folder=${folder}`]
  for (const body of bodies) {
    const answer = await dashboard.request('POST', create, { as, headers, body })
    t.equal(answer.statusCode, 400, body)
  }
  const twice = await dashboard.sendFiles(create, fieldsOf(dashboard), [
    [['Content-Disposition: form-data; name="note"'], 'another'],
    file('a'),
  ])
  t.equal(twice.statusCode, 400)
  const tooLong = await dashboard.sendFiles(create, { ...fieldsOf(dashboard), note: 'x'.repeat(300_000) }, [
    file('a'),
  ])
  t.equal(tooLong.statusCode, 413)
  t.same(dashboard.counts(), { contents: 0, files: 0 })
})

t.test('files of a secret that could not be stored are dropped, unless that is unknown', async (t) => {
  for (const reason of ['busy', 'outcome_unknown'] as const) {
    const dashboard = await startWithFiles(t, {
      replace: ({ secrets }) => ({
        secrets: { ...secrets, insert: () => errAsync({ code: 'storage_unavailable', reason }) },
      }),
    })
    const refused = await dashboard.sendFiles(create, fieldsOf(dashboard), [file('a.txt')])
    t.equal(refused.statusCode, 503)
    t.equal(dashboard.counts().contents, reason === 'busy' ? 0 : 1, reason)
    // What was typed can be sent again, but not without its files.
    t.match(refused.body, /<form method="post" action="[^"]+" enctype="multipart\/form-data">/)
    t.match(refused.body, /<input type="file"[^>]* required/)
    t.match(unescaped(refused.body), 'action="/secrets/new?action=create"')
  }
})

// Promise (Files): Sending a form again does not drop its files
t.test('a form whose session is over asks for its files again', async (t) => {
  const dashboard = await startWithFiles(t)
  for (const [files, isAsked] of [
    [[file('a.txt')], true],
    [[noFile], false],
  ] as const) {
    const { statusCode, body } = await dashboard.sendFiles(create, fieldsOf(dashboard), files, {
      as: undefined,
    })
    t.equal(statusCode, 401)
    t.match(body, '<textarea hidden name="note">\nthe note')
    t.equal(/<input type="file"[^>]* required/.test(body), isAsked)
    t.equal(body.includes('enctype="multipart/form-data"'), isAsked)
  }
})

// Promise (Files): No secret or draft is stored for a session that ends, or an account that is deleted, while its files arrive
t.test('when a session ends while files arrive, they are asked for again after signing in', async (t) => {
  for (const action of ['create', 'draft']) {
    const dashboard = await startEnding(t)
    const { secrets } = dashboard.memory.data
    const sent = await dashboard.sendFiles(`/secrets/new?action=${action}`, fieldsOf(dashboard), [
      file('a.txt'),
    ])
    t.equal(sent.statusCode, 401)
    t.match(sent.body, '<textarea hidden name="note">\nthe note')
    t.match(sent.body, /<input type="file"[^>]* required/)
    t.same([secrets.size, dashboard.counts()], [0, { contents: 0, files: 0 }])
  }
})

t.test('a form whose session ends while a refused file arrives shows nothing of the account', async (t) => {
  const dashboard = await startEnding(t)
  const sent = await dashboard.sendFiles(create, fieldsOf(dashboard), [file('a.txt', 'a'.repeat(1_001))])
  t.equal(sent.statusCode, 401)
  t.notMatch(sent.body, '<option')
})

/** The owner's session ends when the first file has arrived, or is refused. */
async function startEnding(t: Test) {
  const dashboard = await startWithFiles(t, {
    replace: ({ fileContents }) => {
      const endSession = () => void dashboard.memory.data.sessions.delete(dashboard.owner.sessionId)
      const append: typeof fileContents.append = (...given) =>
        fileContents
          .append(...given)
          .andTee(endSession)
          .orTee(endSession)
      return { fileContents: { ...fileContents, append } }
    },
  })
  return dashboard
}

t.test('a form whose session is over takes the bytes for itself once', async (t) => {
  const dashboard = await startWithFiles(t)
  const { refusedForms } = limitsOf(dashboard.app.server)
  const fields = { ...fieldsOf(dashboard), note: 'x'.repeat(50_000) }
  const taken = refusedFormsMaxBytes - 60_000
  t.ok(refusedForms.resize(0, taken))
  const { statusCode, body } = await dashboard.sendFiles(create, fields, [file('a')], { as: undefined })
  t.equal(statusCode, 401)
  t.match(body, fields.note)
})

// Promise (Files): An upload that takes long keeps nobody else from sending a body
t.test('while files arrive, their text is counted, and leaves half of the byte budget', async (t) => {
  const free: boolean[] = []
  const dashboard = await startWithFiles(t, {
    wrap: () => ({
      uploadFiles() {
        const { starts, rests } = limitsOf(dashboard.app.server)
        free.push(starts.take(startsMaxBytes), rests.take(restsMaxBytes - 47_000))
        free.push(starts.take(startsMaxBytes - startBytes), rests.take(restsMaxBytes - 60_000))
        return errAsync({ code: 'upload_broken' })
      },
    }),
  })
  const fields = { ...fieldsOf(dashboard), note: 'x'.repeat(50_000) }
  t.equal((await dashboard.sendFiles(create, fields, [file('a')])).statusCode, 400)
  t.same(free, [false, false, true, true])
  t.ok(limitsOf(dashboard.app.server).rests.take(60_000), 'nothing is held after the answer')
})

// Promise (Files): Whoever has one account cannot keep everybody else from sending files: on the pages, too
t.test('once half of the permits of uploads are taken, an account has at most six of them', async (t) => {
  const dashboard = await startWithFiles(t)
  const { longBodies } = limitsOf(dashboard.app.server)
  t.ok(acquireAll(longBodies, longBodiesMax / 2))
  const { accountId } = dashboard.owner
  for (let permit = 0; permit < 6; permit += 1) t.ok(longBodies.tryAcquire(accountId))
  const send = () => dashboard.sendFiles(create, fieldsOf(dashboard), [file('a')])
  t.equal((await send()).statusCode, 503)
  longBodies.release(accountId)
  t.equal((await send()).statusCode, 303)
})

t.test(
  'a form that its script has sent keeps its files and its password, and is not asked for them',
  async (t) => {
    const dashboard = await startWithFiles(t)
    const fields = { ...fieldsOf(dashboard), note: 'x'.repeat(70_000), password: 'otter' }
    for (const [path, isAsked] of [
      [create, true],
      [`${create}&kept=`, false],
    ] as const) {
      const { statusCode, body } = await dashboard.sendFiles(path, fields, [file('a.txt')])
      t.equal(statusCode, 400)
      t.match(body, '<li><a href="#note">')
      t.equal(body.includes('Enter the password again'), isAsked)
      t.equal(body.includes('Choose the files again'), isAsked)
    }
  },
)
