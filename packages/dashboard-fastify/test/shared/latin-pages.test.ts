import { isStringOneByteRepresentation } from 'node:v8'
import { type Language, languages, secretStatuses } from '@sotto/core'
import t from 'tap'
import { dashboardPage } from '../../src/folders/dashboard-page.ts'
import { dashboardTexts } from '@sotto/texts/dashboard'
import { brandOf, languageNames, localize } from '@sotto/html'

/** Whether a language has the Latin script. */
const isLatin = (language: Language): boolean => new Intl.Locale(language).maximize().script === 'Latn'

const at = 1_800_000_000_000_000
const folder = { id: 'f', label: 'Büro', createdAtMicros: at, secretsCount: 2, draftsCount: 0 }
const secret = {
  id: 's',
  folderId: 'f',
  label: 'Contraseña & <clé>',
  createdAtMicros: at,
  openLimit: 2,
  notify: false,
  hasPassword: true,
  link: { token: 'x', createdAtMicros: at },
  expiresAtMicros: at + 1,
  opens: 1,
  opensLeft: 1,
  openedAtMicros: [at],
  news: 0,
  lockedUntilMicros: undefined,
  isDisabled: false,
  hasNote: true,
  filesCount: 2,
}

t.test(
  'what follows the head of a list in a Latin script has one byte for each character in V8',
  async (t) => {
    for (const language of languages) {
      const { body } = dashboardPage(localize(language, dashboardTexts[language], brandOf()), {
        folders: [folder],
        folder: undefined,
        total: { all: 3, drafts: 0, news: 0 },
        secrets: secretStatuses.map((status) => ({ ...secret, status })),
        status: undefined,
        counts: { all: 3, waiting: 1, opened: 1, finished: 1 },
        nowMicros: at,
        linkOrigin: 'https://example.org',
        older: '/dashboard?after=x',
        isContinued: true,
        hasCorruption: false,
        done: undefined,
        query: {},
      })
      const [, afterHead = ''] = body.toString().split('</head>')
      t.equal(/^[\0-\xff]+$/.test(afterHead), isLatin(language), language)
      t.ok(isStringOneByteRepresentation(languageNames[language].text))
    }
  },
)
