import t from 'tap'
import {
  formPage,
  gonePage,
  lockedPage,
  noticePage,
  openedPage,
  type Page,
} from '../../../src/link/pages/pages.ts'
import { languageTags } from '../../../src/link/texts/languages.ts'
import { voiceOf, type Voice } from '../../../src/link/texts/voice.ts'

const expiresAtMicros = Date.UTC(2026, 11, 20, 12, 57) * 1_000
const formId = '0'.repeat(32)
const secret = { label: 'Label', note: 'Note', opensLeft: undefined, expiresAtMicros }

/** One page of each kind. */
function pagesOf(voice: Voice): Record<string, Page> {
  return {
    waiting: formPage(voice, { passwordRequired: false, formId, expiresAtMicros }),
    password: formPage(voice, { passwordRequired: true, formId, expiresAtMicros }),
    missing: formPage(voice, { passwordRequired: true, formId, notice: 'password_missing' }),
    wrong: formPage(voice, { passwordRequired: true, formId, notice: 'password_wrong' }),
    again: formPage(voice, { passwordRequired: true, formId, notice: 'opened_already' }),
    opened: openedPage(voice, secret),
    last: openedPage(voice, { ...secret, opensLeft: 0 }),
    ...Object.fromEntries(
      [1, 2, 3, 11, 100, 1_000_000].map((opensLeft) => [
        `${opensLeft} left`,
        openedPage(voice, { ...secret, opensLeft }),
      ]),
    ),
    gone: gonePage(voice),
    locked: lockedPage(voice, 1_800),
    crowded: noticePage(voice, voice.texts.crowded, 'retry'),
    busy: noticePage(voice, voice.texts.busy, 'retry'),
    failed: noticePage(voice, voice.texts.failed, 'retry'),
    refused: noticePage(voice, voice.texts.refused, 'restart'),
    unreadable: noticePage(voice, voice.texts.unreadable, 'restart'),
  }
}

const mainOf = ({ body }: Page): string => /<main>([^]*)<\/main>/.exec(body)?.[1] ?? ''

for (const language of languageTags) {
  t.test(`every page is whole and small: ${language}`, async (t) => {
    for (const [kind, page] of Object.entries(pagesOf(voiceOf(language)))) {
      const { body, hasForm, hasScript } = page
      t.match(body, /^<!doctype html>\n<html lang="\w\w" dir="(?:ltr|rtl)">/, kind)
      t.match(body, /<title>[^<{]+ – Sotto<\/title>/, kind)
      t.equal(body.match(/<h1/g)?.length, 1, kind)
      t.notMatch(mainOf(page), /[{}]|undefined|NaN|Invalid/, `${kind} has no gap`)
      t.equal(body.includes('<form'), hasForm, kind)
      t.equal(body.includes('<script>'), hasScript, kind)
      t.ok(Buffer.byteLength(body) <= 10 * 1024, `${kind} has ${Buffer.byteLength(body)} bytes`)
    }
  })
}

t.test('what refers to another element finds it', async (t) => {
  for (const [kind, { body }] of Object.entries(pagesOf(voiceOf('en')))) {
    const ids = new Set([...body.matchAll(/ id="(\w+)"/g)].map(([, id]) => id))
    const references = [...body.matchAll(/ (?:for|aria-describedby)="([\w ]+)"/g)].flatMap(([, list = '']) =>
      list.split(' '),
    )
    for (const id of references) t.ok(ids.has(id), `${kind}: ${id}`)
  }
})

t.test('what remains is said in the number that the language wants', async (t) => {
  const said = (opensLeft: number): string => mainOf(openedPage(voiceOf('en'), { ...secret, opensLeft }))
  t.match(said(0), 'This was the last time.')
  t.match(said(1), 'It can be opened 1 more time, until')
  t.match(said(2), 'It can be opened 2 more times, until')
  t.match(mainOf(openedPage(voiceOf('en'), secret)), 'You can open it again until')
  t.match(mainOf(openedPage(voiceOf('ar'), { ...secret, opensLeft: 2 })), 'مرتين')
})

t.test('neither label nor note gets into the title, where the history would keep it', async (t) => {
  const { body } = openedPage(voiceOf('en'), { ...secret, label: 'canary', note: 'canary' })
  t.notMatch(/<head>[^]*<\/head>/.exec(body)?.[0], 'canary')
})
