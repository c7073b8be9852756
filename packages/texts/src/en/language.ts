import type { LanguageFacts } from '../language-facts.ts'

export const language: LanguageFacts = {
  name: 'English',
  locale: 'en-GB',
  direction: 'ltr',
  error: 'Error: ',
  comma: ', ',
}
