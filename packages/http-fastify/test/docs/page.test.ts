import { createHash } from 'node:crypto'
import t from 'tap'
import { markup } from '../../src/docs/markup.ts'
import { docsPage } from '../../src/docs/page.ts'
import { openApiDocument } from '../../src/index.ts'
import { createWorld } from '../support/world.ts'

const document = openApiDocument({
  baseUrl: 'https://api.example.org',
  linkBaseUrl: 'https://s.example.org',
  limits: createWorld().ports.limits,
})
const page = docsPage(document)

t.test('shows every path, status and field of the document', async (t) => {
  for (const [path, item] of Object.entries(document.paths)) {
    t.match(page.html, `<code>${path}</code>`)
    for (const operation of Object.values(item)) {
      for (const status of Object.keys(operation.responses))
        t.match(page.html, `<th scope="row">${status}</th>`)
    }
  }
  for (const schema of Object.values(document.components.schemas)) {
    for (const name of Object.keys((schema as { properties?: object }).properties ?? {}))
      t.match(page.html, `>${name}</code>`)
  }
})

t.test('loads nothing and runs nothing; its policy allows its own style alone', async (t) => {
  t.notMatch(page.html, /<script|<link|<img|<iframe|@import|url\(|\son\w+=|style="/)
  const style = /<style>([^<]*)<\/style>/.exec(page.html)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  t.equal(
    page.headers['content-security-policy'],
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
})

t.test(
  'is well-formed: every tag is closed, every id is there once, every jump leads somewhere',
  async (t) => {
    const open: string[] = []
    for (const [, slash, name = ''] of page.html.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
      if (name === 'meta') continue
      if (slash === '') open.push(name)
      else t.equal(open.pop(), name)
    }
    t.same(open, [])
    const ids = [...page.html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
    t.equal(new Set(ids).size, ids.length)
    for (const [, target] of page.html.matchAll(/href="#([^"]*)"/g))
      t.ok(ids.includes(target), String(target))
  },
)

t.test('can be read by everybody: language, title, headings in order, named regions', async (t) => {
  t.match(page.html, '<html lang="en">')
  t.match(page.html, /<title>[^<]+<\/title>/)
  const levels = [...page.html.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level))
  t.equal(levels.filter((level) => level === 1).length, 1)
  for (const [at, level] of levels.entries()) t.ok(at === 0 || level <= levels[at - 1]! + 1, `heading ${at}`)
  for (const [tag] of page.html.matchAll(/<div class="scroll"[^>]*>/g))
    t.match(tag, /tabindex="0" role="region" aria-label="[^"]+"/)
})

t.test('whatever is no markup is escaped', async (t) => {
  t.equal(
    markup`<p title="${'"'}">${"<b>&'"} ${markup`<i>${1}</i>`}${undefined}</p>`.markup,
    '<p title="&quot;">&lt;b&gt;&amp;&#39; <i>1</i></p>',
  )
})
