import t from 'tap'
import { formIdOf, startLinks } from '../support/links.ts'

// Promise (Opening a link): GET never consumes anything
t.test('looking at a link consumes nothing, however often and with any method', async (t) => {
  const links = await startLinks(t)
  const { secret, path } = await links.share({ openLimit: 1 })
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE']) {
    for (const accept of ['text/html', 'application/json', '*/*']) {
      await links.request(method, path, { headers: { accept, 'sec-purpose': 'prefetch;prerender' } })
    }
  }
  t.equal(links.opens(secret), 0)
  t.equal((await links.openJson(path)).statusCode, 200)
})

t.test('GET answers with the preview as JSON', async (t) => {
  const links = await startLinks(t)
  const { secret, path } = await links.share({ password: 'p', openLimit: 3, label: 'Label', note: 'Note' })
  const answer = await links.request('GET', path, { headers: { accept: 'application/json' } })
  t.equal(answer.statusCode, 200)
  t.same(answer.json(), {
    success: true,
    version: '1.0',
    data: { password_required: true, expires_at: '2025-11-08T08:53:20.123457Z' },
  })
  t.equal(secret.expiresAtMicros, 1_762_592_000_123_457)
})

t.test('GET answers with the page on which a person chooses to open, without label or note', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.share({ label: 'Top secret label', note: 'Top secret note', openLimit: 3 })
  const { statusCode, body, headers } = await links.visit(path)
  t.equal(statusCode, 200)
  t.equal(headers['content-type'], 'text/html; charset=utf-8')
  t.match(body, '<button type="submit">Open the message</button>')
  t.match(
    body,
    '<time datetime="2025-11-08T08:53Z" title="8 November 2025 at 08:53 UTC" data-local>8 November 2025 at 08:53 UTC</time>',
  )
  t.notMatch(body, /Top secret|name="password"/)
  t.equal(
    (await links.request('GET', path)).body.replace(/[0-9a-f]{32}/, ''),
    body.replace(/[0-9a-f]{32}/, ''),
  )
})

t.test('HEAD has the headers of GET and no body', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.share()
  const get = await links.request('GET', path)
  const head = await links.request('HEAD', path)
  t.equal(head.statusCode, 200)
  t.equal(head.body, '')
  const { date: _, ...getHeaders } = get.headers
  const { date: __, ...headHeaders } = head.headers
  t.strictSame(headHeaders, getHeaders)
})

t.test('POST opens: JSON', async (t) => {
  const links = await startLinks(t)
  const note = 'line 1\r\nline 2\ttab\n\n<b>&amp;</b> \u202eabc\n'
  const { path } = await links.share({ label: 'Label <i>', note, openLimit: 2 })
  const first = await links.openJson(path)
  t.equal(first.statusCode, 200)
  t.equal(first.headers['content-type'], 'application/json; charset=utf-8')
  t.same(first.json(), {
    success: true,
    version: '1.0',
    data: { label: 'Label <i>', note, opens_left: 1, expires_at: '2025-11-08T08:53:20.123457Z' },
  })
  t.equal((await links.openJson(path, {})).json<{ data: { opens_left: number } }>().data.opens_left, 0)
  t.equal((await links.openJson(path)).statusCode, 404)
})

t.test('without a limit, opens_left is null, and each open is counted', async (t) => {
  const links = await startLinks(t)
  const { secret, path } = await links.share()
  for (let time = 1; time <= 3; time += 1) {
    t.equal((await links.openJson(path)).json<{ data: { opens_left: null } }>().data.opens_left, null)
    t.equal(links.opens(secret), time)
  }
})

t.test('POST opens: HTML', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.share({ label: '<img src=x>', note: '</pre><script>1</script>', openLimit: 2 })
  const { statusCode, body } = await links.submit(path, { form_id: formIdOf(await links.visit(path)) })
  t.equal(statusCode, 200)
  t.match(body, '<h1><bdi translate="no">&lt;img src=x&gt;</bdi></h1>')
  t.match(body, '\n&lt;/pre&gt;&lt;script&gt;1&lt;/script&gt;</pre>')
  t.match(body, 'It can be opened 1 more time, until <time')
  t.match(body, '<title>Confidential message – Sotto</title>', 'the label is not in the history')
  t.match((await links.submit(path, {})).body, 'It is now deleted here.')
})

// Promise (Opening a link): POST opens, as HTML or as JSON
t.test('Content-Type decides how the body is read, Accept how it is answered', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.share({ password: 'p' })
  const bodies = { 'application/json': '{"password":"p"}', 'application/x-www-form-urlencoded': 'password=p' }
  for (const [type, body] of Object.entries(bodies)) {
    for (const [accept, answered] of [
      ['text/html', 'text/html; charset=utf-8'],
      ['application/json', 'application/json; charset=utf-8'],
      ['*/*', 'application/json; charset=utf-8'],
    ] as const) {
      const answer = await links.request('POST', path, { headers: { 'content-type': type, accept }, body })
      t.equal(answer.statusCode, 200, `${type} ${accept}`)
      t.equal(answer.headers['content-type'], answered, `${type} ${accept}`)
    }
  }
})

t.test('an empty body means no password, with or without a type', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.share()
  for (const headers of [
    {},
    { 'content-type': 'application/json' },
    { 'content-type': 'application/x-www-form-urlencoded' },
  ]) {
    t.equal((await links.request('POST', path, { headers })).statusCode, 200)
  }
})

t.test('a password that is not asked for is ignored', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.share()
  t.equal((await links.openJson(path, { password: 'anything' })).statusCode, 200)
})

t.test('a request that cannot be read opens nothing', async (t) => {
  const links = await startLinks(t)
  const { secret, path } = await links.share({ openLimit: 1 })
  const json = { 'content-type': 'application/json' }
  const refused: [string, number, Record<string, string>, string][] = [
    ['another type', 415, { 'content-type': 'text/plain' }, 'x'],
    ['another type without a body', 415, { 'content-type': 'text/plain' }, ''],
    ['no type', 415, {}, 'password=x'],
    ['a file upload', 415, { 'content-type': 'multipart/form-data; boundary=x' }, '--x--'],
    ['compressed', 415, { ...json, 'content-encoding': 'gzip' }, '{}'],
    ['bad JSON', 400, json, '{'],
    ['a key twice', 400, json, '{"password":"a","password":"b"}'],
    ['an unknown field', 400, json, '{"pasword":"a"}'],
    ['not a string', 400, json, '{"password":1}'],
    ['a bad form', 400, { 'content-type': 'application/x-www-form-urlencoded' }, 'password=%'],
    ['too large', 413, json, `{"password":"${'x'.repeat(16 * 1024)}"}`],
  ]
  for (const [what, status, headers, body] of refused) {
    const asJson = await links.request('POST', path, { headers, body })
    t.equal(asJson.statusCode, status, what)
    t.match(asJson.json(), { success: false, version: '1.0', message: String }, what)
    const asPage = await links.request('POST', path, { headers: { ...headers, accept: 'text/html' }, body })
    t.equal(asPage.statusCode, status, what)
    t.match(asPage.body, 'This request could not be read', what)
  }
  t.equal(links.opens(secret), 0)
})

t.test('errors in the body are found before the link is looked up', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.share()
  for (const body of ['{', '{"password":1}']) {
    const sent = { headers: { 'content-type': 'application/json' }, body }
    const [real, unknown] = [
      await links.request('POST', path, sent),
      await links.request('POST', '/unknown', sent),
    ]
    t.equal(real.statusCode, unknown.statusCode)
    t.equal(real.body, unknown.body)
  }
})

t.test('other methods are 405, whatever the link', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.share()
  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
    for (const target of [path, '/unknown']) {
      const answer = await links.request(method, target)
      t.equal(answer.statusCode, 405, method)
      t.equal(answer.headers.allow, 'GET, HEAD, POST', method)
      t.notOk(answer.headers['access-control-allow-origin'])
    }
  }
})

t.test('robots.txt forbids everything', async (t) => {
  const links = await startLinks(t)
  const { statusCode, body, headers } = await links.request('GET', '/robots.txt')
  t.equal(headers['x-content-type-options'], 'nosniff')
  t.equal(statusCode, 200)
  t.equal(body, 'User-agent: *\nDisallow: /\n')
  t.match(headers['content-type'], 'text/plain')
})
