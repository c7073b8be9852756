import { languages } from '@sotto/core'
import t from 'tap'
import { brandOf, type Page, createLocalizer } from '@sotto/html'
import { gonePage, noticePage, unknownPage } from '../../src/link/link-page.ts'
import { formPage, lockedPage } from '../../src/secrets/open-pages.ts'
import { openedPage } from '../../src/secrets/opened-page.ts'
import { linkTexts } from '@sotto/texts/link'
import type { LocalizedLink } from '../../src/link/localized-link.ts'

const localizedFor = createLocalizer(linkTexts, brandOf())

const expiresAtMicros = Date.UTC(2026, 11, 20, 12, 57) * 1_000
const expiry = { atMicros: expiresAtMicros, inSeconds: 6.9 * 86_400 }
const formId = '0'.repeat(32)
const files = [
  { name: 'contract <final> & signed.pdf', size: 482_113, type: 'application/pdf' },
  { name: 'עברית "1".png', size: 12, type: 'image/png' },
]
const ticket = 'T'.repeat(43)
const attached = { files, ticket, expiresAtMicros: Date.UTC(2026, 10, 20, 13, 57) * 1_000 }
const sealedNote = `sotto-sealed-1.${'A'.repeat(43)}.${'B'.repeat(391)}`
const secret = { label: 'Label', note: 'Note', opensLeft: undefined, expiresAtMicros, from: undefined }

/** Those that are larger than others: with files, and with the format of sealed secrets in their script. */
const maxKibibytes: Readonly<Record<string, number>> = {
  attached: 13,
  sealed: 14,
  'sealed, password': 14,
  'sealed, wrong password': 14,
  'sealed, opened': 17,
  'sealed, attached': 22.5,
  ...Object.fromEntries(['crowded', 'busy', 'failed', 'refused', 'unreadable'].map((kind) => [kind, 12])),
  'locked, sealed': 12,
}

/** One page of each kind. */
function pagesOf(localized: LocalizedLink): Record<string, Page> {
  return {
    waiting: formPage(localized, { passwordRequired: false, formId, expiry }),
    once: formPage(localized, { passwordRequired: false, formId, expiry, opensLeft: 1, from: 'Ann' }),
    thrice: formPage(localized, { passwordRequired: false, formId, expiry, opensLeft: 3 }),
    password: formPage(localized, { passwordRequired: true, formId, expiry }),
    missing: formPage(localized, { passwordRequired: true, formId, notice: 'password_missing' }),
    wrong: formPage(localized, { passwordRequired: true, formId, notice: 'password_wrong' }),
    again: formPage(localized, { passwordRequired: true, formId, notice: 'opened_already' }),
    shown: formPage(localized, { passwordRequired: false, formId, expiry, files }),
    sealed: formPage(localized, {
      passwordRequired: false,
      formId,
      expiry,
      opensLeft: 1,
      from: 'Ann',
      sealed: true,
    }),
    'sealed, password': formPage(localized, {
      passwordRequired: true,
      formId,
      expiry,
      opensLeft: 3,
      sealed: true,
    }),
    'sealed, wrong password': formPage(localized, {
      ...{ passwordRequired: true, formId, expiry, opensLeft: 3, sealed: true, notice: 'password_wrong' },
    }),
    'sealed, opened': openedPage(localized, { ...secret, note: sealedNote, sealed: true }),
    'sealed, attached': openedPage(localized, {
      ...secret,
      note: sealedNote,
      sealed: true,
      attached,
      opensLeft: 0,
    }),
    opened: openedPage(localized, secret),
    attached: openedPage(localized, { ...secret, attached, opensLeft: 0 }),
    last: openedPage(localized, { ...secret, opensLeft: 0 }),
    ...Object.fromEntries(
      [1, 2, 3, 11, 100, 1_000_000].map((opensLeft) => [
        `${opensLeft} left`,
        openedPage(localized, { ...secret, opensLeft }),
      ]),
    ),
    gone: gonePage(localized),
    unknown: unknownPage(localized),
    locked: lockedPage(localized, { atMicros: expiresAtMicros, inSeconds: 1_800 }, false),
    'locked, sealed': lockedPage(localized, { atMicros: expiresAtMicros, inSeconds: 1_800 }, true),
    crowded: noticePage(localized, localized.texts.crowded, 'retry'),
    busy: noticePage(localized, localized.texts.busy, 'retry'),
    failed: noticePage(localized, localized.texts.failed, 'retry'),
    refused: noticePage(localized, localized.texts.refused, 'restart'),
    unreadable: noticePage(localized, localized.texts.unreadable, 'restart'),
  }
}

const textOf = ({ body }: Page): string => body.toString()
const mainOf = (page: Page): string => /<main id="content">([^]*)<\/main>/.exec(textOf(page))?.[1] ?? ''

for (const language of languages) {
  t.test(`every page is complete and small: ${language}`, async (t) => {
    for (const [kind, page] of Object.entries(pagesOf(localizedFor(language)))) {
      const { hasForm, embedded } = page
      const body = textOf(page)
      t.match(body, /^<!doctype html>\n<html lang="\w\w" dir="(?:ltr|rtl)">/, kind)
      t.match(body, /<title>[^<{]+ – Sotto<\/title>/, kind)
      t.equal(body.match(/<h1/g)?.length, 1, kind)
      t.notMatch(mainOf(page), /[{}]|undefined|NaN|Invalid/, `${kind} has no empty placeholder`)
      t.equal(body.includes('<form'), hasForm, kind)
      t.equal(
        body.includes('<script>'),
        embedded.some(({ directive }) => directive === 'script-src'),
        kind,
      )
      t.ok(page.body.length <= (maxKibibytes[kind] ?? 11) * 1_024, `${kind} has ${page.body.length} bytes`)
    }
  })
}

t.test('the page of an opened message with four files has at most 14 KiB in every language', async (t) => {
  const four = { ...secret, from: 'Ann', attached: { ...attached, files: [...files, ...files] } }
  for (const language of languages)
    for (const opensLeft of [undefined, 0, 3, 11]) {
      const { length } = openedPage(localizedFor(language), { ...four, opensLeft }).body
      t.ok(length <= 14 * 1_024, `${length} bytes in ${language}`)
    }
})

t.test('every reference to an element has its target', async (t) => {
  for (const [kind, page] of Object.entries(pagesOf(localizedFor('en')))) {
    const body = textOf(page)
    const ids = new Set([...body.matchAll(/ id="(\w+)"/g)].map(([, id]) => id))
    const references = [...body.matchAll(/ (?:for|aria-describedby)="([\w ]+)"/g)].flatMap(([, list = '']) =>
      list.split(' '),
    )
    for (const id of references) t.ok(ids.has(id), `${kind}: ${id}`)
  }
})

t.test(
  'files are listed before the open where the sender shows them, with sizes and no way to them',
  async (t) => {
    const { shown, waiting } = pagesOf(localizedFor('en'))
    const main = mainOf(shown!)
    t.match(main, 'It comes with 2 files:')
    t.match(main, />contract &lt;final&gt; &amp; signed\.pdf<\/bdi> <small>470 kB</)
    t.match(main, /<bdi [^>]*>עברית &quot;1&quot;\.png<\/bdi> <small>12 bytes</)
    t.notMatch(main, '/f/')
    t.notMatch(textOf(waiting!), 'files', 'nothing of it without files')
  },
)

// Promise (Files): The page of an opened link saves its files under their names, and never shows one
t.test('each file of an opened message is saved under its name, until an hour that is named', async (t) => {
  const { attached: page, opened } = pagesOf(localizedFor('en'))
  const main = mainOf(page!)
  const links = [...main.matchAll(/<a class="button secondary" href="([^"]+)" download="([^"]+)"/g)]
  t.same(
    links.map(([, href, name]) => [href, name]),
    [
      [`/f/${ticket}/1`, 'contract &lt;final&gt; &amp; signed.pdf'],
      [`/f/${ticket}/2`, 'עברית &quot;1&quot;.png'],
    ],
  )
  t.match(main, /until <time datetime="2026-11-20T13:57Z"[^>]*>13:57 UTC<\/time> \(<span[^>]*>in 60 minutes</)
  t.match(main, 'save the files before you close the page')
  t.notMatch(main, /<(?:img|iframe|embed|object|video|audio)/)
  t.notMatch(textOf(opened!), /files|\/f\//, 'nothing of it without files')
})

t.test('the remaining opens have the wording of their plural category', async (t) => {
  const textFor = (opensLeft: number): string =>
    mainOf(openedPage(localizedFor('en'), { ...secret, opensLeft }))
  t.match(textFor(0), 'It is now deleted here.')
  t.match(textFor(1), 'It can be opened 1 more time, until')
  t.match(textFor(2), 'It can be opened 2 more times, until')
  t.match(mainOf(openedPage(localizedFor('en'), secret)), 'You can open it again until')
  t.match(mainOf(openedPage(localizedFor('ar'), { ...secret, opensLeft: 2 })), 'مرتين')
})

t.test('label and note are not in the head, whose title browsers save in their history', async (t) => {
  const page = openedPage(localizedFor('en'), { ...secret, label: 'canary', note: 'canary' })
  t.notMatch(/<head>[^]*<\/head>/.exec(textOf(page))?.[0], 'canary')
})

t.test('the footer is true on every page: it says nothing of the message that was there', async (t) => {
  for (const [kind, page] of Object.entries(pagesOf(localizedFor('en')))) {
    const footer = /<footer[^>]*>([^]*)<\/footer>/.exec(textOf(page))?.[1]
    t.match(footer, 'No account, nothing to install.', kind)
    t.notMatch(footer, /the message|\bit\b/, kind)
  }
})

t.test('the name leads nowhere: a stray tap must not leave a message that is shown once', async (t) => {
  for (const [kind, page] of Object.entries(pagesOf(localizedFor('en'))))
    t.match(textOf(page), /<span class="home"><svg [^>]*>.*<\/svg>Sotto<\/span>/, kind)
})

t.test('the form comes before the facts about the message', async (t) => {
  const main = mainOf(formPage(localizedFor('en'), { passwordRequired: true, formId, expiry }))
  t.match(main, /<h1>[^]*<form[^]*<\/form>[^]*id="hint"[^]*It is deleted on/)
})

t.test(
  'the form says from whom the message is, how often it can be opened, and when it is deleted',
  async (t) => {
    const page = (more: { opensLeft?: number; from?: string }): string =>
      mainOf(formPage(localizedFor('en'), { passwordRequired: false, formId, expiry, ...more }))
    const once = page({ opensLeft: 1, from: 'Ann <Reed>' })
    t.match(once, 'From <bdi translate="no">Ann &lt;Reed&gt;</bdi>. It is still sealed.')
    t.match(once, 'It can be opened <strong>once</strong>. Open it when you can keep a copy.')
    t.match(once, /It is deleted on <time [^>]*>20 December 2026 at 12:57 UTC<\/time> \(in 7 days\)\./)
    t.match(page({ opensLeft: 3 }), 'It can be opened 3 more times.')
    const unlimited = page({})
    t.match(unlimited, '<p class="lead">It is still sealed.</p>')
    t.notMatch(unlimited, 'It can be opened')
  },
)

t.test('the last open says so before the note, and what copies the note is above it', async (t) => {
  const last = mainOf(openedPage(localizedFor('en'), { ...secret, opensLeft: 0, from: 'Ann' }))
  t.match(
    last,
    /<p class="title">From <bdi[^]*<h1[^]*It is now deleted here[^]*data-copy="note"[^]*data-save="note"[^]*<pre id="note"/,
  )
  t.notMatch(mainOf(openedPage(localizedFor('en'), { ...secret, opensLeft: 1 })), 'deleted here')
})

t.test('a page says once that its message is confidential, also where the title says it', async (t) => {
  const first = (label: string, from?: string): unknown =>
    /<div>\s*(\S.*)/.exec(mainOf(openedPage(localizedFor('en'), { ...secret, label, from })))?.[1]
  t.equal(first('Wi-Fi'), '<p class="title">Confidential message</p>')
  const title = (label: string) => `<h1><bdi translate="no">${label}</bdi></h1>`
  for (const label of ['Confidential message, 20 November 2026', 'Vertrauliche Nachricht, 20. November 2026'])
    t.equal(first(label), title(label))
  t.equal(first('Confidential message', 'Ann'), '<p class="title">From <bdi translate="no">Ann</bdi></p>')
})

t.test(
  'a file gets the title for its name, without characters that a file system gives a meaning to',
  async (t) => {
    const names: readonly (readonly [label: string, file: string])[] = [
      ['Router in the basement', 'Router in the basement.txt'],
      ['../../etc/passwd', '..-..-etc-passwd.txt'],
      ['C:\\a*b?"<c>|\n\u202etxt.exe', 'C-a-b-c-txt.exe.txt'],
      ['x'.repeat(200), `${'x'.repeat(80)}.txt`],
    ]
    for (const [label, file] of names)
      t.match(textOf(openedPage(localizedFor('en'), { ...secret, label })), `data-file="${file}"`)
  },
)

t.test(
  'every page can be asked for in another language, except one with a message, which would be lost',
  async (t) => {
    for (const [kind, page] of Object.entries(pagesOf(localizedFor('de')))) {
      const body = textOf(page)
      const hasMessage = body.includes('<pre id="note"')
      t.equal(hasMessage, /^(?:last|(?:sealed, )?(?:opened|attached)|.* left)$/.test(kind), kind)
      for (const tag of languages) t.equal(body.includes(`href="?lang=${tag}"`), !hasMessage, kind)
      if (!hasMessage) t.match(body, 'lang="de" aria-current="true">Deutsch', kind)
    }
  },
)
