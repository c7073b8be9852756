import type { LanguageFacts } from '../language-facts.ts'

export const language: LanguageFacts = {
  name: 'Français',
  locale: 'fr',
  direction: 'ltr',
  error: 'Erreur\u00a0: ',
  comma: ', ',
}
