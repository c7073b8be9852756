/// <reference lib="esnext.intl" />
import { languages, type Language, type Mail, type MailContent } from '@sotto/core'
import t from 'tap'
import { htmlOf } from '../../src/letter/html.ts'
import { letterOf, type Letter } from '../../src/letter/letter.ts'
import { textOf } from '../../src/letter/text.ts'
import { readHtml } from '../support/html.ts'
import { contents, makeMail, noonMicros, opened } from '../support/mails.ts'

const base = new URL('https://sotto.example')
const page = 'https://sotto.example/secrets/019a0000-0000-7000-8000-000000000003'
const request = 'https://sotto.example/requests/019a0000-0000-7000-8000-000000000005'
const settings = 'https://sotto.example/settings/notifications'
const resetPage = 'https://sotto.example/login/reset'
const confirmLink = 'https://sotto.example/confirm/canary_token'
const oneTimeLink = 'https://sotto.example/welcome/canary_token'

/** The elements of a mail. None of them loads anything, unless by a style. */
const harmless = new Set('html head meta title body div p bdi h1 table tbody tr th td a hr'.split(' '))

function letter(content: MailContent, parts: Partial<Mail> = {}, name = 'Sotto'): Letter {
  return letterOf({ mail: makeMail({ content, ...parts }), name, base })
}

/** What each kind of mail has, in every language. */
const structures: Readonly<
  Record<
    keyof typeof contents,
    {
      paragraphs: number
      facts: number
      action: string | undefined
      notes: number
      addresses: readonly string[]
    }
  >
> = {
  opened: { paragraphs: 0, facts: 4, action: page, notes: 2, addresses: [page, settings] },
  openedOften: { paragraphs: 0, facts: 4, action: page, notes: 2, addresses: [page, settings] },
  usedUp: { paragraphs: 1, facts: 4, action: page, notes: 2, addresses: [page, settings] },
  locked: { paragraphs: 1, facts: 4, action: page, notes: 2, addresses: [page, settings] },
  expired: { paragraphs: 1, facts: 2, action: undefined, notes: 2, addresses: [page, settings] },
  answered: { paragraphs: 1, facts: 4, action: request, notes: 2, addresses: [request, settings] },
  answeredLast: { paragraphs: 2, facts: 4, action: request, notes: 2, addresses: [request, settings] },
  unanswered: { paragraphs: 1, facts: 2, action: undefined, notes: 2, addresses: [request, settings] },
  invite: { paragraphs: 2, facts: 1, action: oneTimeLink, notes: 1, addresses: [oneTimeLink] },
  reset: { paragraphs: 2, facts: 1, action: oneTimeLink, notes: 1, addresses: [oneTimeLink] },
  confirm: { paragraphs: 1, facts: 1, action: confirmLink, notes: 1, addresses: [confirmLink] },
  passwordChanged: { paragraphs: 2, facts: 1, action: resetPage, notes: 0, addresses: [resetPage] },
  emailChanged: { paragraphs: 2, facts: 1, action: undefined, notes: 0, addresses: [] },
  mailsOff: { paragraphs: 2, facts: 1, action: undefined, notes: 1, addresses: [settings] },
  emailTaken: { paragraphs: 2, facts: 1, action: undefined, notes: 0, addresses: [] },
  test: { paragraphs: 1, facts: 0, action: undefined, notes: 0, addresses: [] },
}

for (const language of languages) {
  for (const [kind, { addresses, action, ...counts }] of Object.entries(structures)) {
    t.test(`${kind} in ${language} has its parts, in text and HTML alike`, (t) => {
      const it = letter(contents[kind as keyof typeof contents], { language })
      const { paragraphs, facts, notes } = it
      t.same({ paragraphs: paragraphs.length, facts: facts.length, notes: notes.length }, counts)
      t.equal(it.action?.url, action)
      const read = readHtml(htmlOf(it))
      for (const whole of [textOf(it), read.text]) {
        const said = [
          it.name,
          it.heading,
          ...paragraphs,
          ...notes,
          ...facts.flatMap(({ term, value }) => [term, value]),
          ...(it.action ? [it.action.text, it.action.url] : []),
        ]
        for (const part of said) t.ok(whole.includes(part), part)
        t.same([...new Set(whole.match(/https:\/\/[\w./-]+/g) ?? [])], addresses)
      }
      t.end()
    })
  }
}

// Promise (Mails): A mail loads nothing and runs nothing
t.test('no mail loads or runs anything, and its HTML is valid', (t) => {
  for (const language of languages) {
    for (const content of Object.values(contents)) {
      const { errors, elements } = readHtml(htmlOf(letter(content, { language })))
      t.same(errors, [])
      const root = elements.find(({ name }) => name === 'html')
      t.same(root?.attributes, { lang: language, dir: new Intl.Locale(language).getTextInfo().direction })
      const names = new Set(elements.map(({ name }) => name))
      for (const name of names) t.ok(harmless.has(name), name)
      for (const { attributes } of elements) {
        t.notOk(Object.keys(attributes).some((name) => name.startsWith('on') || name === 'src'))
        t.notMatch(attributes['style'] ?? '', /url\(|@import/)
      }
    }
  }
  t.end()
})

t.test('an invitation says who invites, and to which service', (t) => {
  for (const language of languages) {
    const { subject, paragraphs } = letter(contents.invite, { language }, 'Example Ltd')
    t.match(subject, 'Example Ltd')
    t.match(paragraphs[0], 'Example Ltd')
    t.match(paragraphs[0], 'sotto.example')
  }
  t.end()
})

t.test('an Arabic mail runs from right to left where a reader keeps only the body', (t) => {
  const { elements } = readHtml(htmlOf(letter(contents.opened, { language: 'ar' })))
  t.same(
    elements.filter(({ attributes }) => attributes['dir'] === 'rtl').map(({ name }) => name),
    ['html', 'div'],
  )
  t.end()
})

const hostile = `<img src=x onerror=alert(1)> "quoted" 'single' & &amp; </td></table><script>canary</script> {name} {url}`

// Promise (Mails): A label in a mail is text, whatever it holds
t.test('a label is text, whatever it holds', (t) => {
  for (const language of languages) {
    const it = letter({ ...opened(), label: hostile }, { language })
    const { errors, elements, text } = readHtml(htmlOf(it))
    t.same(errors, [])
    t.ok(text.includes(hostile), 'readable as it is')
    t.notOk(elements.some(({ name }) => name === 'img' || name === 'script'))
    t.ok(textOf(it).includes(hostile))
  }
  t.end()
})

t.test('the name of the service is text, whatever it holds', (t) => {
  for (const content of Object.values(contents)) {
    const { errors, elements, text } = readHtml(htmlOf(letter(content, {}, hostile)))
    t.same(errors, [])
    t.ok(text.includes(hostile))
    t.notOk(elements.some(({ name }) => name === 'img' || name === 'script'))
  }
  t.end()
})

t.test('an address with quotes stays inside its attribute', (t) => {
  const url = `https://sotto.example/welcome/"onclick='x'>&amp;`
  const { errors, elements } = readHtml(htmlOf(letter({ ...contents.invite, url })))
  t.same(errors, [])
  const links = elements.filter(({ name }) => name === 'a')
  t.same(
    links.map(({ attributes }) => attributes['href']),
    [url, url],
  )
  t.end()
})

t.test('a label cannot forge lines of the text, nor turn it around', (t) => {
  const label = 'Router\r\n\r\nOpens left: 9\u2028x\u202egnp'
  const text = textOf(letter({ ...opened(), label }))
  t.equal(text.match(/^Opens left/gm)?.length, 1)
  t.ok(text.includes('Title: Router\ufffd\ufffd\ufffd\ufffdOpens left: 9\ufffdx\ufffdgnp\n'))
  t.end()
})

t.test('without a label nothing stands for it', (t) => {
  t.notMatch(textOf(letter(contents.opened)), /Title|undefined/)
  t.end()
})

t.test('counts and times are written as the language does', (t) => {
  const expected: Readonly<Partial<Record<Language, readonly [string, string, string]>>> = {
    en: ['Your secret was opened 12 times', '20 December 2026 at 12:57 UTC', '2,345'],
    de: ['Ihre Nachricht wurde 12 Mal geöffnet', '20. Dezember 2026 um 12:57 UTC', '2.345'],
    fr: ['Votre message a été ouvert 12 fois', '20 décembre 2026 à 12:57 UTC', '2\u202f345'],
    es: ['Su mensaje se ha abierto 12 veces', '20 de diciembre de 2026 a las 12:57 UTC', '2345'],
    ar: ['فُتحت رسالتك 12 مرة', '20 ديسمبر 2026 في 12:57 م UTC', '2,345'],
    ja: ['メッセージが 12 回開かれました', '2026年12月20日 12:57 UTC', '2,345'],
  }
  for (const [language, parts] of Object.entries(expected)) {
    const { heading, facts } = letter(contents.openedOften, { language: language as Language })
    t.same([heading, facts[0]?.value, facts[1]?.value], parts)
  }
  t.end()
})

t.test('what cannot be opened without limit says how often it still can', (t) => {
  const left = (opensLeft: number | undefined): string | undefined =>
    letter(opened({ opensLeft })).facts.find(({ term }) => term === 'Opens left')?.value
  t.same([left(undefined), left(3), left(0)], ['No limit', '3', '0'])
  t.end()
})

t.test('the time is that of the event, not of the mail', (t) => {
  const { facts } = letter(contents.opened, { atMicros: noonMicros + 3_600_000_000 })
  t.match(facts[0], { term: 'Time', value: /12:57 UTC/ })
  t.end()
})

t.test('pages are found beside the base address, with or without a slash', (t) => {
  const mail = makeMail()
  const slash = letterOf({ mail, name: 'Sotto', base: new URL('https://sotto.example/') })
  t.equal(slash.action?.url, page)
  t.end()
})
