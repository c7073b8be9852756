import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findFreePort } from '@sotto/system'
import t, { type Test } from 'tap'
import { startSender } from '../support/remote.ts'
import { readVersion } from '../../src/version.ts'

// `sotto verify` and `sotto scripts`, against a server and what may stand in front of one.

type Change = (answer: { status: number; headers: Headers; body: string }) => void

/** Passes requests on to a server, and changes what it answers. */
async function startProxy(
  t: Test,
  url: string,
): Promise<{ origin: string; change: Change; asked: string[] }> {
  const proxy = { origin: '', change: ((_) => undefined) as Change, asked: [] as string[] }
  const answer = async (
    { method = '', url: path = '', headers }: IncomingMessage,
    response: ServerResponse,
  ) => {
    proxy.asked.push(`${method} ${path}`)
    const got = await fetch(new URL(path, url), { method, headers: { accept: headers.accept ?? '' } })
    const changed = { status: got.status, headers: new Headers(got.headers), body: await got.text() }
    changed.headers.delete('content-length')
    changed.headers.delete('connection')
    proxy.change(changed)
    response.writeHead(changed.status, [...changed.headers].flat()).end(changed.body)
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  proxy.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}

const policyName = 'content-security-policy'
/** Replaces a part of the policy, which has to be there. */
const policy =
  (from: string | RegExp, to: string): Change =>
  ({ headers }) => {
    const before = headers.get(policyName) ?? ''
    headers.set(policyName, before.replace(from, to))
    if (headers.get(policyName) === before) throw new Error(`no ${String(from)}`)
  }
/** Replaces a part of the page, which has to be there. */
const page =
  (from: string, to: string): Change =>
  (answer) => {
    if (!answer.body.includes(from)) throw new Error(`no ${from}`)
    answer.body = answer.body.replace(from, to)
  }

/** What may be done to a page, and one sentence that says it. */
const changes: Readonly<Record<string, readonly [Change, RegExp]>> = {
  'a byte of the script': [page('var form = ', 'var  form = '), /another script: sha256-/],
  'a second script': [page('</body>', '<script>1</script></body>'), /another script: sha256-/],
  'the same script twice': [
    (answer) => (answer.body += /<script>[^]*<\/script>/.exec(answer.body)?.[0] ?? ''),
    /another script: sha256-/,
  ],
  'a script from elsewhere': [
    page('</body>', '<SCRIPT src=//x.test></SCRIPT></body>'),
    /another script: <script src=\/\/x\.test>/,
  ],
  'a handler': [page('<h1', '<h1 onclick="x()"'), /another element: <h1 onclick=/],
  'a handler in a tag of several lines': [page('<h1', '<h1\nclass=a\nONclick = x'), /another element: <h1/],
  'a frame': [page('</main>', '<iframe srcdoc="x"></iframe></main>'), /another element: <iframe/],
  'another base': [page('<title>', '<base href="//x.test"><title>'), /another element: <base/],
  'a refresh': [page('<title>', '<meta http-equiv="refresh" content="0"><title>'), /another element: <meta/],
  'a link that is a script': [
    page('</main>', '<a href="javascript:x()">a</a></main>'),
    /another element: <a /,
  ],
  'any script': [policy(/script-src/, "script-src 'unsafe-inline'"), /another policy directive: script-src/],
  'a second source': [
    policy(/script-src/, 'script-src x.test'),
    /another policy directive: script-src x\.test/,
  ],
  'a directive before ours': [policy(/^/, 'script-src *; '), /another policy directive: script-src \*/],
  requests: [policy(/^/, "connect-src 'self'; "), /another policy directive: connect-src 'self'/],
  'sheets from elsewhere': [policy('style-src', 'style-src x.test'), /another policy directive: style-src x/],
  'nothing by default': [
    policy("default-src 'none'; ", ''),
    /lacks the policy directive: default-src 'none'/,
  ],
  'base addresses': [policy("base-uri 'none'", ''), /lacks the policy directive: base-uri 'none'/],
  forms: [policy("form-action 'self'", 'form-action *'), /lacks the policy directive: form-action 'self'/],
  'no policy': [
    ({ headers }) => {
      headers.delete(policyName)
    },
    /lacks the policy directive: script-src/,
  ],
  'another type': [
    ({ headers }) => {
      headers.set('content-type', 'text/html; charset=utf-16')
    },
    /another content-type: text\/html; charset=utf-16/,
  ],
  'a long page': [(answer) => (answer.body += ' '.repeat(1_100_000)), /too long/],
  'another address': [(answer) => (answer.status = 302), /leads to another address/],
  'an error': [(answer) => (answer.status = 500), /answered with status 500/],
}

// Promise (Encrypted in the browser): sotto verify notices a changed byte of the script, a second script and a weakened policy
t.test('the page of a sealed link is compared with this release', async (t) => {
  const sender = await startSender(t)
  const { stdout } = await sender.run(['share', '--label', 'l', '--sealed', '--password-stdin'], {
    stdin: 'p\nn',
  })
  const link = stdout.trim()
  const { pathname, hash } = new URL(link)
  const scripts = await sender.json<{ name: string; digest: string }[]>(['scripts'])
  const digest = scripts.find(({ name }) => name === 'link')?.digest

  t.match(await sender.run(['verify', link]), { code: 0, stderr: '', stdout: `release ${readVersion()}` })
  t.same(await sender.json(['verify', '-'], { stdin: `<${link}>.\n` }), { version: readVersion(), digest })
  const proxy = await startProxy(t, sender.url)
  const behind = `${proxy.origin}${pathname}${hash}`
  t.match(await sender.run(['verify', behind]), { code: 0 }, 'a proxy that changes nothing')
  t.same(proxy.asked, [`GET ${pathname}`], 'the key is not sent, and nothing is opened')
  proxy.change = ({ headers }) => {
    headers.append(policyName, 'upgrade-insecure-requests')
  }
  t.match(await sender.run(['verify', behind]), { code: 0 }, 'a policy beside ours allows nothing more')

  for (const [name, [change, stderr]] of Object.entries(changes)) {
    proxy.change = change
    t.match(await sender.run(['verify', behind]), { code: 1, stdout: '', stderr }, name)
  }
  proxy.change = page('var form = ', 'var  form = ')
  const { stderr } = await sender.run(['verify', behind, '--json'])
  t.match(JSON.parse(stderr), { error: { code: 'page_differs', message: readVersion() } })
  for (const status of [429, 503]) {
    proxy.change = (answer) => (answer.status = status)
    t.match(await sender.run(['verify', behind]), { code: 6 }, String(status))
  }
  t.match(await sender.run(['open', link, '--password-stdin'], { stdin: 'p\n' }), { code: 0, stdout: 'n' })
})

t.test('a link that is not sealed, one that is gone, and a server that is', async (t) => {
  const sender = await startSender(t)
  const { stdout } = await sender.run(['share', '--label', 'l'], { stdin: 'n' })
  const verify = (link: string) => sender.run(['verify', link])
  t.match(await verify(stdout.trim()), { code: 1, stdout: '', stderr: /not encrypted in the browser\n$/ })
  t.match(await verify(`${sender.url}/${'A'.repeat(43)}`), { code: 3, stdout: '' })
  const nobody = `http://127.0.0.1:${await findFreePort()}/${'A'.repeat(43)}`
  t.match(await verify(nobody), { code: 5, stdout: '', stderr: /no service answers there \(ECONNREFUSED\)/ })
  t.match(await verify('ftp://x'), { code: 2 })
  t.match(await sender.run(['verify', '-'], { stdin: 'x\n' }), { code: 2 })
})

t.test('the digests of all scripts are printed as a release has them', async (t) => {
  const sender = await startSender(t)
  const { code, stdout } = await sender.run(['scripts'])
  t.equal(code, 0)
  t.match(stdout, /^(?:sha256-[\w+/]{43}= {2}[a-z-]+\n){3,}$/)
  t.match(stdout, / {2}link\n/)
  for (const name of [
    'opened-files',
    'answer',
    'new-secret-files',
    'secret',
    'new-request',
    'answer-to-request',
  ])
    t.match(stdout, `  ${name}\n`)
})
