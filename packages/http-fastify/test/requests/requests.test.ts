import { errAsync } from 'neverthrow'
import t from 'tap'
import { browserAccept, formIdOf, formType, startLinks } from '../support/links.ts'

const json = { accept: 'application/json' }
const receivedAt = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

t.test('the page of a request shows who asks for what, and a form', async (t) => {
  const links = await startLinks(t)
  const text = 'See https://evil.example/ and <b>bold</b>\nsecond line'
  const { path } = await links.ask({ title: 'Router <i>', text })
  const { statusCode, body, headers } = await links.visit(path)
  t.equal(statusCode, 200)
  t.match(body, 'Somebody who uses <bdi translate="no">Sotto</bdi> asks you for a confidential text')
  t.match(body, '<h2><bdi translate="no">Router &lt;i&gt;</bdi></h2>')
  t.match(body, 'See https://evil.example/ and &lt;b&gt;bold&lt;/b&gt;\nsecond line</p>')
  t.notMatch(body, /<a [^>]*evil/)
  t.match(body, /anyone who controls the server/)
  t.match(body, '<button type="submit">Send</button>')
  t.match(body, /<time datetime="2025-10-16T08:53/)
  t.match(headers, { 'cache-control': 'no-store' })
  t.notMatch(body, 'owner@example.org')
})

t.test('a display name is shown, and that nobody has verified it', async (t) => {
  const links = await startLinks(t)
  const { request, path } = await links.ask()
  const { accountId } = [...links.memory.data.requests.values()][0]!.request
  t.ok((await links.sotto.setDisplayName({ accountId, displayName: 'Ada <x>' })).isOk())
  const { body } = await links.visit(path)
  t.match(body, '<bdi translate="no">Ada &lt;x&gt;</bdi> asks you for a confidential text')
  t.match(body, 'Nobody has verified it.')
  const preview = await links.request('GET', path, { headers: json })
  t.same(preview.json(), {
    success: true,
    version: '1.0',
    data: {
      from: 'Ada <x>',
      title: 'Router',
      text: '',
      closes_at: '2025-10-16T08:53:20.123457Z',
      takes_files: false,
    },
  })
  t.equal(request.closesAtMicros, 1_760_604_800_123_457)
})

t.test(
  'an answer becomes a draft, once durable answered with 201 and a receipt that leads nowhere',
  async (t) => {
    const links = await startLinks(t)
    const { path } = await links.ask({ answersAllowed: 2 })
    const form_id = formIdOf(await links.visit(path))
    const sent = await links.submit(path, { form_id, note: 'one\r\ntwo' })
    t.equal(sent.statusCode, 201)
    t.match(sent.body, 'Your answer was received')
    t.notMatch(sent.body, /one\ntwo|href="[^#"?]*\/r\//)
    t.same(await links.drafts(), ['one\ntwo'])
    const again = await links.submit(path, { form_id, note: 'one\r\ntwo' })
    t.equal(again.statusCode, 201)
    t.equal(again.body, sent.body)
    t.same(await links.drafts(), ['one\ntwo'])
    const program = await links.openJson(path, { note: 'three\r\n' })
    t.equal(program.statusCode, 201)
    t.match(program.json(), { success: true, version: '1.0', data: { received_at: receivedAt } })
    t.same(await links.drafts(), ['one\ntwo', 'three\r\n'])
    t.equal((await links.visit(path)).statusCode, 404)
    t.equal(
      (await links.submit(path, { form_id, note: 'one\r\ntwo' })).body,
      sent.body,
      'also when it is full',
    )
  },
)

t.test('a POST to a token with punctuation after it hands in', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.ask({ answersAllowed: 4 })
  for (const rest of ['.', '/', '%3E', '/).'])
    t.equal((await links.openJson(`${path}${rest}`, { note: rest })).statusCode, 201, rest)
  t.equal((await links.drafts()).length, 4)
  for (const rest of ['a', '/a', ';'])
    t.equal((await links.openJson(`${path}${rest}`, { note: 'x' })).statusCode, 404, rest)
})

t.test('what cannot be answered is one 404: closed, full, expired, unknown, malformed', async (t) => {
  const links = await startLinks(t)
  const closed = await links.ask()
  const { accountId } = [...links.memory.data.requests.values()][0]!.request
  t.ok((await links.sotto.closeRequest({ accountId, id: closed.request.id })).isOk())
  const full = await links.ask()
  t.equal((await links.openJson(full.path, { note: 'x' })).statusCode, 201)
  const { path: secret } = await links.share()
  const expired = await links.ask({ lifetimeSeconds: 86_400 })
  links.clock.advance(86_400_000_000)
  const paths = [closed.path, full.path, expired.path, `/r/${'A'.repeat(43)}`, '/r/x', `/r${secret}`]
  const answers = []
  for (const path of paths) {
    answers.push((await links.visit(path)).body)
    for (const body of [{ note: 'x' }, { unknown: 1 }])
      t.equal((await links.openJson(path, body)).statusCode, 404, path)
    t.equal((await links.submit(path, { note: 'x' })).statusCode, 404, path)
    t.equal(
      (await links.request('POST', path, { headers: { 'content-type': 'text/plain' } })).statusCode,
      404,
    )
  }
  t.equal(new Set(answers).size, 1)
  t.match(answers[0], 'There is nothing to answer here')
  t.equal((await links.openJson(expired.path.slice(2), {})).statusCode, 404, 'its token opens nothing')
})

t.test(
  'the order of refusals: another site, a dead link, the address, size, media type, fields',
  async (t) => {
    const links = await startLinks(t)
    const { path } = await links.ask({ answersAllowed: 100 })
    const post = (headers: Record<string, string>, body: string | Buffer, to = path) =>
      links.request('POST', to, { headers, body })
    const jsonType = { 'content-type': 'application/json' }
    const crossSite = { 'sec-fetch-site': 'cross-site' }
    const dead = `/r/${'A'.repeat(43)}`
    t.equal((await post({ ...crossSite, 'content-type': 'text/plain' }, 'x', dead)).statusCode, 403)
    t.equal((await post({ 'content-type': 'text/plain' }, 'x', dead)).statusCode, 404)
    const formHeaders = { 'content-type': formType }
    for (const body of [Buffer.alloc(500_000, 97), 'note=%', 'unknown=1', 'note=x&form_id=1'])
      t.equal((await post(formHeaders, body, dead)).statusCode, 404, 'also of a form')
    t.equal((await post(formHeaders, Buffer.alloc(500_000, 97))).statusCode, 413)
    t.equal((await post({ 'content-type': 'text/plain' }, Buffer.alloc(500_000, 97))).statusCode, 413)
    t.equal((await post({ 'content-type': 'text/plain' }, 'x')).statusCode, 415)
    t.equal((await post({}, '')).statusCode, 415)
    for (const body of [
      '{',
      '[]',
      '{}',
      '{"note":""}',
      '{"note":1}',
      '{"note":"x","more":1}',
      '{"note":"x","form_id":"1"}',
    ])
      t.equal((await post(jsonType, body)).statusCode, 400, body)
    t.same((await post(jsonType, '{"note":"x","more":1}')).json<{ errors: unknown }>().errors, {
      more: ['is not a known field'],
    })
    for (let nth = 0; nth < 20; nth += 1) t.equal((await links.openJson(path, { note: 'x' })).statusCode, 201)
    const refused = await post(jsonType, Buffer.alloc(500_000, 97))
    t.equal(refused.statusCode, 429)
    t.equal(refused.headers['retry-after'], '3600')
    t.equal((await post(formHeaders, Buffer.alloc(500_000, 97))).statusCode, 429)
    t.equal((await post({ 'content-type': 'text/plain' }, 'x', dead)).statusCode, 404)
    t.equal((await links.drafts()).length, 20)
  },
)

t.test('a form that was not taken is shown again with what was typed', async (t) => {
  let broken = false
  const links = await startLinks(t, {
    replace: ({ requests }) => ({
      requests: {
        ...requests,
        answer: (...asked) =>
          broken
            ? errAsync({ code: 'storage_unavailable', reason: 'outcome_unknown' })
            : requests.answer(...asked),
      },
    }),
  })
  const { path } = await links.ask({ answersAllowed: 100 })
  const form_id = formIdOf(await links.visit(path))
  const empty = await links.submit(path, { form_id, note: '' })
  t.equal(empty.statusCode, 400)
  t.match(empty.body, 'Please enter the text.')
  const long = await links.submit(path, { form_id, note: 'ü'.repeat(40_000) })
  t.equal(long.statusCode, 400)
  t.match(long.body, 'longer than this service takes')
  t.match(long.body, 'ü'.repeat(40_000))
  broken = true
  const uncertain = await links.submit(path, { form_id, note: 'typed <b>' })
  t.equal(uncertain.statusCode, 503)
  t.match(uncertain.body, 'Send it again: it is never added twice.')
  t.match(uncertain.body, `value="${form_id}"`)
  t.match(uncertain.body, '\ntyped &lt;b&gt;</textarea>')
  broken = false
  for (let nth = 0; nth < 20; nth += 1) await links.openJson(path, { note: 'x' })
  const tooMany = await links.submit(path, { form_id, note: 'typed <b>' })
  t.equal(tooMany.statusCode, 429)
  t.match(tooMany.body, 'send it again in 60 minutes')
  t.match(tooMany.body, '\ntyped &lt;b&gt;</textarea>')
})

t.test('punctuation after the token leads to the page, other deeper paths are not ours', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.ask()
  for (const ending of ['.', '%29', ',', '/', '/.', '%22'])
    t.match(await links.visit(path + ending), { statusCode: 303, headers: { location: path } }, ending)
  t.equal((await links.visit(`${path}/more`)).statusCode, 404)
  t.match(await links.request('PUT', path), { statusCode: 405, headers: { allow: 'GET, HEAD, POST' } })
})

t.test('on the other host there is no request, and nothing of one is logged', async (t) => {
  const links = await startLinks(t, { baseUrl: 'https://sotto.example', linkBaseUrl: 'https://s.example' })
  const { path } = await links.ask({ title: 'Canary title', text: 'canary text' })
  const headers = { host: 'sotto.example', accept: browserAccept }
  t.equal((await links.request('GET', path, { headers })).statusCode, 404)
  t.equal((await links.visit(path)).statusCode, 200)
  const sent = { host: 's.example', 'content-type': formType, 'sec-fetch-site': 'same-origin' }
  await links.request('POST', path, { headers: sent, body: 'note=canary+note' })
  await links.request('POST', path, { headers: sent, body: 'note=canary&canary=canary' })
  t.notMatch(links.logLines.join('\n'), new RegExp(`canary|${path.slice(3, 20)}`, 'i'))
})
