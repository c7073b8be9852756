import t from 'tap'
import { startLinks } from '../support/links.ts'

const taken = [
  '.',
  ',',
  ')',
  '>',
  '"',
  "'",
  ']',
  '/',
  '%3E',
  '%22',
  '%E2%80%A6',
  '%2F',
  '%5D',
  ').',
  '/.',
  '//',
  '/)."',
]

// Promise (Opening a link): A link that is followed by punctuation is the link
t.test('punctuation after a token leads to the bare link, and nothing is looked up', async (t) => {
  const links = await startLinks(t)
  const { secret, path } = await links.share({ openLimit: 1 })
  const unknown = `/${'A'.repeat(43)}`
  for (const token of [path, unknown]) {
    for (const rest of taken) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await links.request(method, `${token}${rest}?utm=x`)
        t.equal(answer.statusCode, 303, `${method} ${rest}`)
        t.equal(answer.headers.location, token, rest)
        t.match(answer.headers, { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      }
    }
  }
  t.equal(links.opens(secret), 0)
  t.notMatch(links.logLines.join(''), path.slice(1))
})

// Promise (Opening a link): A link that is followed by punctuation is the link
t.test(
  'a POST to a token with punctuation after it opens, because a redirect would make it a GET',
  async (t) => {
    const links = await startLinks(t)
    const { secret, path } = await links.share({ openLimit: taken.length + 1 })
    for (const rest of taken) t.equal((await links.openJson(`${path}${rest}?utm=x`)).statusCode, 200, rest)
    t.equal(links.opens(secret), taken.length)
    t.equal((await links.openJson(`/${'A'.repeat(43)}.`)).statusCode, 404)
    t.equal(
      (await links.request('POST', `${path}/`, { headers: { origin: 'https://evil.example' } })).statusCode,
      403,
    )
    t.equal(
      (await links.request('POST', `${path}/`, { headers: { 'content-type': 'text/plain' } })).statusCode,
      415,
    )
    t.equal(links.opens(secret), taken.length)
    t.notMatch(links.logLines.join(''), path.slice(1))
  },
)

t.test('nothing else after a token leads anywhere, or opens', async (t) => {
  const links = await startLinks(t)
  const { secret, path } = await links.share({ openLimit: 1 })
  for (const rest of ['a', '-', '.a', '/a', '/a/', '%20', ';', '..%2Fx', '/../x.']) {
    const { statusCode, headers } = await links.visit(`${path}${rest}`)
    t.equal(statusCode, 404, rest)
    t.equal(headers.location, undefined)
    t.equal((await links.openJson(`${path}${rest}`)).statusCode, 404, rest)
  }
  for (const short of [path.slice(0, -1), `/${'!'.repeat(43)}`]) {
    t.equal((await links.visit(`${short}.`)).statusCode, 404)
    t.equal((await links.openJson(`${short}.`)).statusCode, 404)
  }
  t.equal(links.opens(secret), 0)
  t.equal((await links.openJson(path)).statusCode, 200, 'the link itself opens')
})
