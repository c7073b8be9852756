import type { LanguageFacts } from '../language-facts.ts'

export const language: LanguageFacts = {
  name: 'Español',
  locale: 'es',
  direction: 'ltr',
  error: 'Error: ',
  comma: ', ',
}
