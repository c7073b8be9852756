import t from 'tap'
import { containsWords, searchWords } from '../../src/folders/searching.ts'

const isFound = (title: string, words: string): boolean => containsWords(title, searchWords(words))

t.test('all words have to occur, in any order and inside of other words', (t) => {
  t.ok(isFound('Router password of the office', 'office router'))
  t.ok(isFound('Router password of the office', '  PASS \t ice '))
  t.notOk(isFound('Router password of the office', 'router garage'))
  t.end()
})

// Promise (The owner's pages): A search finds titles whatever their case and accents
t.test('neither case nor accents count, in whichever form they were typed', (t) => {
  for (const [title, words] of [
    ['Café Noël', 'cafe noel'],
    ['Cafe\u0301', 'CAFÉ'],
    ['Straße 5', 'STRASSE'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδος', 'ΟΔΟΣΗ'.slice(0, 4)],
    ['İstanbul', 'istanbul'],
    ['ısı', 'ISI'],
    ['Ｆｕｌｌ width', 'full'],
    ['ﬁle', 'FILE'],
    ['Ёлка', 'елка'],
    ['مُحَمَّد', 'محمد'],
    ['パスワード', 'パス'],
  ] as const) {
    t.ok(isFound(title, words), title)
  }
  t.notOk(isFound('が', 'か'), 'a mark that makes another letter')
  t.end()
})

t.test('a text of spaces has no words', (t) => {
  t.strictSame(searchWords(' \t\u3000'), [])
  t.end()
})
