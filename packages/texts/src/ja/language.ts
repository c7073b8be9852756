import type { LanguageFacts } from '../language-facts.ts'

export const language: LanguageFacts = {
  name: '日本語',
  locale: 'ja',
  direction: 'ltr',
  error: 'エラー：',
  comma: ' ',
}
