import { createHash } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import t from 'tap'
import { formIdOf, startLinks, type Links } from '../support/links.ts'

/** One answer of each kind, as HTML. */
async function pages(links: Links): Promise<Record<string, LightMyRequestResponse>> {
  const { path } = await links.share({ openLimit: 5 })
  const locked = await links.share({ password: 'right' })
  const wrong = await links.submit(locked.path, { password: 'wrong' })
  for (let time = 0; time < 4; time += 1) await links.submit(locked.path, { password: 'wrong' })
  const form_id = formIdOf(await links.visit(path))
  return {
    waiting: await links.visit(path),
    'password asked': await links.visit(locked.path),
    opened: await links.submit(path, { form_id }),
    'asks again': await links.submit(path, { form_id }),
    wrong,
    locked: await links.submit(locked.path, { password: 'right' }),
    gone: await links.visit('/unknown'),
    refused: await links.submit(path, {}, { 'sec-fetch-site': 'cross-site' }),
    unreadable: await links.submit(path, { unknown_field: '' }),
    'wrong method': await links.request('PUT', path),
  }
}

const withForm = ['waiting', 'password asked', 'asks again', 'wrong']
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const sourcesOf = (body: string, tag: string): string[] =>
  [...body.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))].map(([, text = '']) => hashOf(text))

t.test('no page is cached, framed, indexed or readable by other sites', async (t) => {
  const links = await startLinks(t)
  for (const [kind, { headers }] of Object.entries(await pages(links))) {
    t.match(
      headers,
      {
        'cache-control': 'no-store',
        'content-type': 'text/html; charset=utf-8',
        'content-language': 'en',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        vary: 'Accept, Accept-Language',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': /noindex/,
        'permissions-policy': /camera=\(\)/,
      },
      kind,
    )
    t.equal(headers['set-cookie'], undefined, kind)
    t.equal(headers['access-control-allow-origin'], undefined, kind)
  }
})

t.test('only pages with a form send their origin, and only to themselves', async (t) => {
  const links = await startLinks(t)
  for (const [kind, { headers }] of Object.entries(await pages(links))) {
    t.equal(headers['referrer-policy'], withForm.includes(kind) ? 'same-origin' : 'no-referrer', kind)
  }
})

t.test('the content security policy allows what the page contains, and nothing else', async (t) => {
  const links = await startLinks(t)
  for (const [kind, { headers, body }] of Object.entries(await pages(links))) {
    const policy = String(headers['content-security-policy'])
    const scripts = sourcesOf(body, 'script')
    const expected = [
      "default-src 'none'",
      `style-src ${sourcesOf(body, 'style').join(' ')}`,
      ...(scripts.length === 0 ? [] : [`script-src ${scripts.join(' ')}`]),
      'img-src data:',
      `form-action ${withForm.includes(kind) ? "'self'" : "'none'"}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]
    t.equal(policy, expected.join('; '), kind)
    t.equal(body.includes('<form'), withForm.includes(kind), kind)
    t.notMatch(body, / (?:style|on\w+)=| src=|@import|\burl\(/, `${kind} loads nothing`)
    t.notMatch(
      body.replaceAll('xmlns=%22http://www.w3.org/2000/svg%22', ''),
      /https?:|https?%3A/,
      `${kind} names no host`,
    )
  }
})

t.test('JSON has the same protection', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.share()
  const headers = { accept: 'application/json' }
  const answers = [
    await links.request('GET', path, { headers }),
    await links.openJson(path),
    await links.openJson('/unknown'),
    await links.request('POST', path, { headers: { ...headers, 'sec-fetch-site': 'cross-site' } }),
  ]
  t.same(
    answers.map(({ statusCode }) => statusCode),
    [200, 200, 404, 403],
  )
  for (const answer of answers) {
    t.match(answer.headers, {
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'content-type': 'application/json; charset=utf-8',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      vary: 'Accept, Accept-Language',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': /noindex/,
    })
  }
})

t.test('with https links, browsers must stay with https', async (t) => {
  const plain = await startLinks(t)
  const secure = await startLinks(t, { linkBaseUrl: 'https://s.example.org' })
  for (const accept of ['text/html', 'application/json']) {
    const headersOf = async (links: Links) =>
      (await links.request('GET', '/unknown', { headers: { accept } })).headers
    t.equal((await headersOf(plain))['strict-transport-security'], undefined)
    t.equal((await headersOf(secure))['strict-transport-security'], 'max-age=31536000')
  }
})

t.test(
  'the language of the address comes before that of the browser, and the answer to the form keeps it',
  async (t) => {
    const links = await startLinks(t)
    const { path } = await links.share()
    const german = { 'accept-language': 'de' }
    t.match((await links.visit(path, german)).body, '<html lang="de"')
    t.match((await links.visit(`${path}?lang=fr`, german)).body, '<html lang="fr"')
    t.match((await links.submit(`${path}?lang=fr`, {}, german)).body, '<html lang="fr"')
    for (const lang of ['', 'xx', 'FR', 'fr&lang=ja'])
      t.match((await links.visit(`${path}?lang=${lang}`, german)).body, '<html lang="de"', lang)
  },
)
