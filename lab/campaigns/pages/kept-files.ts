import { checkAnswer } from './check.ts'
import { bodyOf } from './fill.ts'
import { entriesOf, formsOf, type Entries, type PageForm } from './forms.ts'
import { descendants, type ReadPage } from './html.ts'
import { arrivedName, type SentFile } from './sent-files.ts'
import { ask, count, type Read, type Visit } from './visit.ts'
import type { Answer, Request } from './world.ts'

/** The files of a draft before its form was sent, without those that were ticked; `undefined` when they are not known. */
export function keptFiles(
  { owner }: Visit,
  { action, fields, takesFiles }: PageForm,
  entries: Entries,
): readonly SentFile[] | undefined {
  if (action === '/secrets/new') return []
  const before = owner.files.get(idIn(action))
  if (!takesFiles || before === undefined) return before
  const ids = fields.flatMap(({ name, options: [id] }) => (/^remove-\d/.test(name) ? [id] : []))
  // Files that cannot be read any more are removed with the next change.
  return before.filter((_, at) => ids[at] !== undefined && !entries.some(([, value]) => value === ids[at]))
}

/** What a form was taken with: its page lists the files, and recipients of its link get them. */
export async function checkFiles(
  visit: Visit,
  entries: Entries,
  files: readonly SentFile[] | undefined,
  { headers }: Answer,
): Promise<void> {
  const location = String(headers.location)
  const id = idIn(location)
  if (files === undefined) {
    visit.owner.files.delete(id)
    return
  }
  visit.owner.files.set(id, files)
  const answer = await ask(visit, { method: 'GET', path: location })
  checkList(location, answer.page, files)
  const url = answer.page?.elements.find(({ attributes }) => attributes['id'] === 'link')?.text
  const isNew = location.startsWith('/secrets/') && entries.some(([name]) => name === 'note')
  // Messages about an open would change the database at any time.
  const isQuiet = !entries.some(([name]) => name === 'notify')
  if (isNew && isQuiet && url !== undefined) await receive(visit, new URL(url), entries, files)
}

function idIn(path: string): string {
  return /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(path)?.[0] ?? ''
}

/** Somebody opens a link and saves the files. */
async function receive(
  visit: Visit,
  { host, pathname }: URL,
  entries: Entries,
  files: readonly SentFile[],
): Promise<void> {
  const sent = new Map(entries)
  const get = (path: string) => askAsRecipient(visit, host, { method: 'GET', path })
  const first = await get(pathname)
  checkList('the link before it is opened', first.page, sent.has('show-files') ? files : [])
  const form = first.forms.find(({ method }) => method === 'post')
  if (form === undefined) throw new Error('the link has no form')
  const password = sent.get('password') ?? ''
  const entered = new Map(password === '' ? [] : [['password', password] as const])
  const typed = bodyOf('form', entriesOf(form, 0, entered))
  const opened = await askAsRecipient(visit, host, { method: 'POST', path: pathname, ...typed })
  const links = checkList('the opened link', opened.page, files)
  for (const [at, { bytes }] of files.entries()) {
    const saved = await get(new URL(links[at] ?? '', `http://${host}`).pathname)
    const isSaved = saved.headers['content-disposition']?.startsWith('attachment')
    if (saved.status !== 200 || !isSaved || !saved.bytes.equals(bytes))
      throw new Error(
        `file ${at + 1} of ${files.length}: ${saved.status}, ${saved.bytes.length} bytes of ${bytes.length}`,
      )
    count(visit.figures, 'files saved, each as it was sent')
  }
}

async function askAsRecipient(
  { world, owner, other, figures }: Visit,
  host: string,
  request: Request,
): Promise<Read> {
  const headers = { 'x-forwarded-for': owner.address, ...request.headers, host }
  const answer = await world.send({ ...request, headers })
  count(figures, 'requests')
  const page = checkAnswer(request, answer, {
    absent: [...other.confidential, ...owner.hidden],
    linkOrigin: `http://${host}`,
  })
  return { ...answer, page, forms: page === undefined ? [] : formsOf(page) }
}

/** Throws when a page does not list exactly these files. @returns where each one leads */
function checkList(
  where: string,
  page: ReadPage | undefined,
  files: readonly SentFile[],
): readonly (string | undefined)[] {
  const lists =
    page?.elements.filter(({ name, attributes }) => name === 'ul' && attributes['class'] === 'files') ?? []
  const rows = lists.flatMap(({ children }) => children.map(descendants))
  const textsOf = (row: (typeof rows)[number], tag: string) =>
    row.filter(({ name }) => name === tag).map(({ text }) => text)
  const shown = rows.map((row) => [...textsOf(row, 'bdi'), ...textsOf(row, 'small')].join(' | '))
  const lang = page?.elements[0]?.attributes['lang'] ?? ''
  const expected = files.map(({ name, bytes }) => `${arrivedName(name)} | ${sizeText(bytes.length, lang)}`)
  if (JSON.stringify(shown) !== JSON.stringify(expected))
    throw new Error(`${where} lists ${JSON.stringify(shown)} instead of ${JSON.stringify(expected)}`)
  return rows.map((row) => row.find(({ name }) => name === 'a')?.attributes['href'])
}

/** Rounded down, in the language of the page. */
function sizeText(bytes: number, lang: string): string {
  const kilobytes = bytes / 1_024
  const isSmall = kilobytes < 1
  const value = isSmall ? bytes : kilobytes < 100 ? Math.floor(kilobytes * 10) / 10 : Math.floor(kilobytes)
  const unit = isSmall ? 'byte' : 'kilobyte'
  return value.toLocaleString(lang, { style: 'unit', unit, unitDisplay: isSmall ? 'long' : 'short' })
}
