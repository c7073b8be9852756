import type { LanguageFacts } from '../language-facts.ts'

export const language: LanguageFacts = {
  name: 'العربية',
  locale: 'ar',
  direction: 'rtl',
  error: 'خطأ: ',
  comma: '\u060c ',
}
