import { createHash } from 'node:crypto'
import t from 'tap'
import { brandOf } from '@sotto/html'
import { openApiDocument } from '../../../src/index.ts'
import { docsPage } from '../../../src/service/docs/page.ts'
import { operationsOf } from '../../../src/openapi/types.ts'
import { createWorld } from '../../support/world.ts'

const document = openApiDocument({
  baseUrl: 'https://api.example.org',
  linkBaseUrl: 'https://s.example.org',
  policy: createWorld().sotto.policy,
})
const page = docsPage(document, brandOf())

t.test('shows every path, status and field of the document', async (t) => {
  for (const { path, operation } of operationsOf(document)) {
    t.match(page.html, `<code>${path}</code>`)
    for (const status of Object.keys(operation.responses))
      t.match(page.html, `<th scope="row">${status}</th>`)
  }
  for (const schema of Object.values(document.components.schemas)) {
    for (const name of Object.keys((schema as { properties?: object }).properties ?? {}))
      t.match(page.html, `>${name}</code>`)
  }
})

t.test('loads nothing and runs nothing, and its policy allows only its own styles and icon', async (t) => {
  t.notMatch(
    page.html,
    /<script|<img|<iframe|@import|url\(|\son\w+=|style="|<link(?! rel="icon" href="data:)/,
  )
  const styles = [...page.html.matchAll(/<style>([^<]*)<\/style>/g)].map(([, text = '']) => text)
  const sources = styles.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  t.equal(
    page.headers['content-security-policy'],
    `default-src 'none'; style-src ${sources.join(' ')}; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
  )
})

t.test(
  'is well-formed: every tag is closed, every id is unique, every link within the page has a target',
  async (t) => {
    const open: string[] = []
    for (const [, slash, name = ''] of page.html.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
      if (['meta', 'link', 'path', 'rect', 'circle'].includes(name)) continue
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

t.test('is accessible: language, title, headings in order, named regions', async (t) => {
  t.match(page.html, '<html lang="en" dir="ltr">')
  t.match(page.html, /<title>[^<]+<\/title>/)
  const levels = [...page.html.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level))
  t.equal(levels.filter((level) => level === 1).length, 1)
  for (const [at, level] of levels.entries()) t.ok(at === 0 || level <= levels[at - 1]! + 1, `heading ${at}`)
  for (const [tag] of page.html.matchAll(/<div class="scroll"[^>]*>/g))
    t.match(tag, /tabindex="0" role="region" aria-label="[^"]+"/)
})

t.test('shows how a link is opened, and on which origin', async (t) => {
  t.match(page.html, '<code>/{link_token}</code> on <code>https://s.example.org</code>')
  t.match(page.html, 'JSON: the object <a href="#schema-OpenRequest">OpenRequest</a>, optional.')
  t.match(page.html, 'Form: the object <a href="#schema-OpenForm">OpenForm</a>, optional.')
  t.match(page.html, '<td>integer or null</td>')
  t.notMatch(page.html, '/api/folders</code> on <code>')
})
