import type { LanguageFacts } from '../language-facts.ts'

export const language: LanguageFacts = {
  name: 'Deutsch',
  locale: 'de',
  direction: 'ltr',
  error: 'Fehler: ',
  comma: ', ',
}
