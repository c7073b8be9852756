import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { documents, root, text } from './support/documents.ts'

t.test('every relative link of the documents leads to a file, and to a heading of it', async (t) => {
  t.ok(documents.length > 10)
  for (const document of documents)
    for (const link of linksOf(document)) t.ok(leads(document, link), `${document}: ${link}`)
})

t.test('a link that leads nowhere is noticed', async (t) => {
  t.notOk(leads('README.md', 'docs/no-such-file.md'))
  t.notOk(leads('README.md', 'ARCHITECTURE.md#no-such-heading'))
  t.ok(leads('README.md', 'ARCHITECTURE.md#inside-the-core'))
  t.ok(linksOf('README.md').includes('docs/screenshots/opened-dark.png'), 'pictures are links too')
})

t.test('every decision is linked from the list, which the architecture links, and links back', async (t) => {
  const decisions = documents.filter((path) => /^docs\/decisions\/[a-z0-9-]+\.md$/.test(path))
  t.ok(decisions.length >= 9)
  const list = linksOf('docs/decisions/README.md')
  t.ok(linksOf('ARCHITECTURE.md').includes('docs/decisions/README.md'))
  for (const path of decisions) {
    t.ok(list.includes(path.replace('docs/decisions/', '')), path)
    t.match(text(path), /\]\(\.\.\/\.\.\/ARCHITECTURE\.md/, path)
    t.ok(text(path).split('\n').length <= 40, `${path} is short`)
  }
})

/** The relative targets of a document's links and pictures, outside code. */
function linksOf(document: string): string[] {
  const prose = text(document)
    .replaceAll(/^```[^]*?^```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)]
    .map(([, link, attribute = '']) => link ?? attribute)
    .filter((link) => !/^[a-z]+:/.test(link))
}

function leads(document: string, link: string): boolean {
  const [path = '', heading] = link.split('#')
  const target = path === '' ? document : join(dirname(document), path)
  if (!existsSync(join(root, target))) return false
  return heading === undefined || headingsOf(target).includes(heading)
}

/** The ids that a forge gives to headings: lower case, without punctuation, with hyphens for spaces. */
function headingsOf(document: string): string[] {
  return [...text(document).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
