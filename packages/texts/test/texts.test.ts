import { languages, type Language } from '@sotto/core'
import { globSync, readFileSync } from 'node:fs'
import t from 'tap'
import { dashboardTexts } from '../src/dashboard.ts'
import { linkTexts } from '../src/link.ts'

type Wordings = Readonly<Record<string, string>>

const pagesIn = (tag: Language) => ({ ...dashboardTexts[tag], link: linkTexts[tag] })
const textsOf = (tag: Language) => flat(pagesIn(tag), pagesIn('en'))
/** A text or its wordings for a number, by the path of its key. */
const english = new Map(textsOf('en'))

/** Words that both languages have, by the path of the key. */
const sameAsEnglish: Readonly<Partial<Record<Language, readonly string[]>>> = {
  de: [
    'accessTokens.name',
    'passkeys.heading',
    'secrets.fields.note',
    'secrets.secret.link',
    'webhooks.heading',
  ],
  es: ['secrets.secret.no', 'webhooks.heading'],
  fr: ['sessions.heading', 'notifications.heading', 'webhooks.heading'],
}

/** Characters of a typewriter, in whose place every language has others. */
const typewriter = /["']|\.{3}/

/** Characters of English or of a typewriter, in whose place the language has its own. */
const foreign: Readonly<Partial<Record<Language, RegExp>>> = {
  en: /["']|\.{3}/,
  de: /["'’”]|\.{3}|\u00a0/,
  fr: /["'“”]|\.{3}|[^\u00a0][:;?!»]|«[^\u00a0]/,
  es: /["']|\.{3}|^[^¿]*\?|^[^¡]*!|[“”]/,
  ar: /["',;?“”]|\.{3}/,
  ja: /["'“”,;:?!()]|\.{3}|[^\x20-\x7e\d}] (?![\w{])|[。、]\s/,
}

/** An address has its own punctuation. */
const address = /https:\/\/[a-z./]*/g

/** Latin letters that may stand in a text of another script. */
const latin =
  /API|JavaScript|JSON|NUL|QR|ada@example\.org|https:\/\/[a-z./]*|\bhttps\b|webhook-signature|Standard Webhooks|\((?:read|write)\)|（(?:read|write)）|\{\w+\}/g

t.test('each language has the keys of the English texts', async (t) => {
  const keys = [...english.keys()].toSorted()
  t.ok(keys.length > 300)
  for (const tag of languages)
    t.same(
      textsOf(tag)
        .map(([path]) => path)
        .toSorted(),
      keys,
      tag,
    )
})

t.test('each text has the placeholders of the English one', async (t) => {
  for (const tag of languages) {
    const wrong = sentences(tag).filter(
      ([path, text]) => placeholders(text) !== placeholders(englishAt(path)),
    )
    t.same(wrong, [], tag)
  }
})

t.test('no text begins or ends with a space, or is empty', async (t) => {
  for (const tag of languages)
    t.same(
      everyText(tag).filter(([, text]) => text === '' || text.trim() !== text),
      [],
      tag,
    )
})

t.test('each text with a number has a wording for each plural category of its language', async (t) => {
  t.ok(plurals('en').length > 5)
  for (const tag of languages) {
    const needed = new Intl.PluralRules(tag).resolvedOptions().pluralCategories.toSorted()
    for (const [path, wordings] of plurals(tag))
      t.same(Object.keys(wordings).toSorted(), needed, `${tag} ${path}`)
  }
})

t.test('only a wording for a single number omits it', async (t) => {
  for (const tag of languages) {
    const wrong = wordingsOf(tag).filter(([path, category, wording]) => {
      const needed = placeholders(englishAt(path))
      const withoutNumber = placeholders(englishAt(path).replace(/\{(?:count|limit)\}/, ''))
      const isOmitted = placeholders(wording) === withoutNumber && isSingleNumber(tag, category)
      return !isOmitted && placeholders(wording) !== needed
    })
    t.same(wrong, [], tag)
  }
})

t.test('nothing is left in English by mistake', async (t) => {
  const englishWordings = new Set(wordingsOf('en').map(([, , wording]) => wording))
  for (const tag of languages.filter((each) => each !== 'en')) {
    const same = sentences(tag).filter(([path, text]) => text === englishAt(path))
    t.same(
      same.map(([path]) => path),
      sameAsEnglish[tag] ?? [],
      tag,
    )
    t.same(
      wordingsOf(tag).filter(([, , wording]) => englishWordings.has(wording)),
      [],
      tag,
    )
  }
})

t.test('each language has its own script and punctuation', async (t) => {
  for (const tag of languages)
    t.same(
      everyText(tag).filter(([, text]) => (foreign[tag] ?? typewriter).test(text.replaceAll(address, ''))),
      [],
      tag,
    )
  for (const tag of languages.filter((each) => new Intl.Locale(each).maximize().script !== 'Latn'))
    t.same(
      everyText(tag).filter(([, text]) => /[A-Za-z]/.test(text.replaceAll(latin, ''))),
      [],
      tag,
    )
})

t.test('a text that names a button names it as the button does', async (t) => {
  for (const tag of languages) {
    const { notifications, drafts, secrets } = dashboardTexts[tag]
    const { newSecret, fields } = secrets
    t.match(drafts.list.none.lead, newSecret.saveDraft, tag)
    t.match(notifications.lead, fields.notify, tag)
  }
})

t.test('no text says that the server cannot read what it keeps', async (t) => {
  for (const tag of languages) {
    const { drafts, secrets } = dashboardTexts[tag]
    const { operator } = linkTexts[tag].ready
    for (const text of [secrets.newSecret.draftHint, drafts.lead, operator])
      t.match(text, /\bserver\b|servidor|serveur|الخادم|サーバー/i, `${tag}: ${text}`)
    const onlyYou = /nobody but|only you|nur Sie|solo usted|vous seul|أحد غيرك|ご自分だけ|ご自分にだけ/i
    t.same(
      everyText(tag).filter(([, text]) => onlyYou.test(text)),
      [],
      tag,
    )
  }
})

t.test('a button that cancels differs from the button beside it', async (t) => {
  for (const tag of languages) {
    const { common, accessTokens, accounts, drafts, folders, secrets, webhooks } = dashboardTexts[tag]
    const buttons = [
      webhooks.delete,
      accessTokens.revoke,
      accounts.settings.deletion.heading,
      secrets.secret.destroy,
    ]
    t.notOk([...buttons, drafts.delete, folders.delete].includes(common.cancel), tag)
  }
})

t.test('a page names each text', async (t) => {
  const packages = new URL('../../', import.meta.url)
  const files = globSync('{html,http-fastify,dashboard-fastify}/src/**/*.ts', { cwd: packages })
  const source = files.map((name) => readFileSync(new URL(name, packages), 'utf8')).join('\n')
  // The errors of fields have the names of the core's rules.
  for (const path of [...english.keys()].filter((each) => !each.startsWith('common.fieldErrors.')))
    t.ok(new RegExp(`\\b${/([a-zA-Z]\w*)(?:\.\d+)?$/.exec(path)?.[1] ?? ''}\\b`).test(source), path)
})

// Promise (The owner's pages): One word for one thing: secret, title, text, delete
t.test('no English text has the words of the API or of the code', async (t) => {
  const others = /\b(?:notes?|labels?|revok\w+|destroy\w*|eras\w+)\b/i
  t.same(
    everyText('en').filter(([, text]) => others.test(text)),
    [],
  )
})

t.test('owners read the same words as recipients', async (t) => {
  for (const tag of languages) {
    const { signIn, common, secrets } = dashboardTexts[tag]
    t.equal(signIn.password, linkTexts[tag].password.label, tag)
    t.equal(common.showPassword, linkTexts[tag].password.show, tag)
    t.equal(secrets.secret.copied, linkTexts[tag].opened.copied, tag)
  }
})

/** The texts of a language in the shape of the English ones: the wordings for a number stay together. */
function flat(value: unknown, shape: unknown, path = ''): [string, string | Wordings][] {
  if (typeof value === 'string') return [[path, value]]
  if (Object.keys(shape as object).join() === 'one,other') return [[path, value as Wordings]]
  return Object.entries(value as object).flatMap(([key, inner]) =>
    flat(inner, (shape as Wordings)[key], path === '' ? key : `${path}.${key}`),
  )
}

function sentences(tag: Language): [string, string][] {
  return textsOf(tag).flatMap(([path, text]) => (typeof text === 'string' ? [[path, text]] : []))
}

function plurals(tag: Language): [string, Wordings][] {
  return textsOf(tag).flatMap(([path, text]) => (typeof text === 'string' ? [] : [[path, text]]))
}

function wordingsOf(tag: Language): [path: string, category: string, wording: string][] {
  return plurals(tag).flatMap(([path, wordings]) =>
    Object.entries(wordings).map(([category, wording]): [string, string, string] => [
      path,
      category,
      wording,
    ]),
  )
}

function everyText(tag: Language): [string, string][] {
  return [
    ...sentences(tag),
    ...wordingsOf(tag).map(([path, category, text]): [string, string] => [`${path}.${category}`, text]),
  ]
}

/** The English text at the path of its key; of the wordings for a number, the one for most numbers. */
function englishAt(path: string): string {
  const text = english.get(path)
  return (typeof text === 'string' ? text : text?.['other']) ?? ''
}

function placeholders(text: string): string {
  return [...text.matchAll(/\{[^}]*\}/g)]
    .map(([name]) => name)
    .toSorted()
    .join()
}

/** Whether a plural category holds one number only, as the dual in Arabic and unlike “one” in French, which holds 0 and 1. */
function isSingleNumber(tag: Language, category: string): boolean {
  const rules = new Intl.PluralRules(tag)
  const numbers = Array.from({ length: 200 }, (_, number) => number)
  return numbers.filter((number) => rules.select(number) === category).length === 1
}
