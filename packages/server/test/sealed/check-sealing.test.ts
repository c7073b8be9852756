import t from 'tap'
import { checkSealing } from '../../src/sealed/check-sealing.ts'

function found(baseUrl: string, linkBaseUrl = baseUrl) {
  return checkSealing({ baseUrl, linkBaseUrl }).map(({ ok, text }) => ({ ok, text }))
}

t.test('a base URL by which browsers cannot encrypt or decrypt is a warning', async (t) => {
  const [finding, ...more] = found('http://sotto.example.org')
  t.match(finding, {
    ok: undefined,
    text: /^SOTTO_BASE_URL is http: browsers encrypt and decrypt by https only/,
  })
  t.strictSame(more, [], 'one sentence, also where both are http')
  t.match(found('https://sotto.example.org', 'http://s.example.org'), [
    { text: /^SOTTO_LINK_BASE_URL is http/ },
  ])
  t.equal(found('http://10.0.0.7:3000').length, 1)
})

for (const url of [
  'https://sotto.example.org',
  'http://localhost:3000',
  'http://127.0.0.1:3000',
  'http://[::1]:3000',
])
  t.test(`nothing is said about ${url}`, async (t) => {
    t.strictSame(found(url), [])
  })
