import fc from 'fast-check'
import t from 'tap'
import { fileNameError } from '../../src/files/file-rules.ts'
import { labelError, shortNameError } from '../../src/shared/fields.ts'
import { emailError } from '../../src/accounts/email.ts'
import { newRequestErrors } from '../../src/requests/request-fields.ts'
import { hasUnseen, isSeen, shownLines, shownText } from '../../src/shared/shown-text.ts'

/** By what they do: one example or more of each kind. */
const unseen = {
  'overrides and embeddings': ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e'],
  isolates: ['\u2066', '\u2067', '\u2068', '\u2069'],
  'marks of direction': ['\u200e', '\u200f', '\u061c'],
  'zero-width characters': ['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u034f', '\u180e'],
  'invisible operators': ['\u2061', '\u2062', '\u2063', '\u2064'],
  separators: ['\u2028', '\u2029'],
  fillers: ['\u115f', '\u1160', '\u3164', '\uffa0', '\u17b4'],
  'variation selectors': ['\ufe00', '\ufe0e', '\ufe0f', '\u180b', '\u{e0100}', '\u{e01ef}'],
  tags: ['\u{e0001}', '\u{e0020}', '\u{e0041}', '\u{e007f}'],
  annotations: ['\ufff9', '\ufffa', '\ufffb'],
  'controls of notations': ['\u{1bca0}', '\u{1d173}', '\u{13430}'],
}

/** What people write, with characters in it that nobody sees but that belong to it. */
const written = [
  'Familie 👨‍👩‍👧‍👦, 👩🏽‍⚕️ und 🏴‍☠️',
  '❤️‍🔥 ☺︎ 1️⃣ #️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇩🇪 👍🏽',
  'می‌خواهم', // Persian: a non-joiner inside a word
  'PDF‌های ۱۳۹۰‌ها', // Persian endings after an abbreviation and a number
  'ه‍.ش', // an abbreviation that ends joined
  'शक्‍ति क्‌ष', // Devanagari: half forms
  'ශ්‍රී ලංකා', // Sinhala: a conjunct
  'র‍্যাব', // Bengali
  'ന്‍', // Malayalam: a chillu at the end of a word
  'ភាសា\u200bខ្មែរ', // Khmer: words are separated by a space without width
  '葛\u{e0100}城', // a variant of an ideograph in a name
  'ᠮᠣᠩᠭᠣᠯ\u180bᠠ',
  'Ünïcödé naïve Ελλάδα Україна 日本語 한국어 ไทย עברית العربية',
  'L’été\u00a0: 5\u202f000\u00a0€, 全角\u3000空白', // spaces of their own width
  '\u0600 ١٢٣', // a sign that is seen although it is a format character
  '\uf8ff',
  '⠓⠑⠇⠇⠕⠀⠺',
]

t.test('what nobody sees is refused in every text that people are shown', (t) => {
  for (const [kind, characters] of Object.entries(unseen)) {
    for (const character of characters) {
      const name = `${kind}: U+${character.codePointAt(0)?.toString(16) ?? ''}`
      for (const text of [`a${character}b`, `${character}ab`, `ab${character}`]) {
        t.strictSame(labelError(text), { rule: 'invisible_character' }, name)
        t.strictSame(shortNameError(text), { rule: 'invisible_character' }, name)
        t.equal(fileNameError(`${text}.pdf`), 'not_a_file_name', name)
        t.strictSame(emailError(`${text}@example.org`), { rule: 'not_an_email' }, name)
        t.strictSame(requestErrors({ title: text, text }), [
          'title invisible_character',
          'text invisible_character',
        ])
      }
      t.strictSame(labelError(character), { rule: 'empty' }, `${name} alone`)
    }
  }
  t.end()
})

t.test('a text of which nothing is seen is empty', (t) => {
  for (const text of ['', ' ', '\u00a0', '\u2003\u3000', '\u200b \ufeff', '\u2800', '\u3164', '\u{1d159}']) {
    const name = JSON.stringify(text)
    t.notOk(isSeen(text), name)
    t.strictSame(labelError(text), { rule: 'empty' }, name)
    t.ok(fileNameError(text), name)
    t.equal(shownText(text), '\ufffd', name)
  }
  t.end()
})

t.test('what belongs to what is seen stays, in all scripts', (t) => {
  for (const text of written) {
    t.equal(labelError(text), undefined, text)
    t.equal(fileNameError(`${text.replaceAll('/', '')}.pdf`), undefined, text)
    t.strictSame(requestErrors({ title: text, text: `${text}\n\n\t${text}` }), [], text)
    t.equal(shownText(text), text)
  }
  t.end()
})

t.test('a joiner, a selector or a tag has to stand where it means something', (t) => {
  for (const text of [
    'pay\u200cpal', // between Latin letters
    'pay\u200dpal',
    'می\u200c', // at the end of a word
    '\u200cمی',
    'می\u200c\u200cخواهم', // twice
    'क्\u200d\u200dष',
    '👨\u200d\u200d👩',
    '👨\u200dx',
    'a\u200bb',
    '1\ufe0f',
    'a\ufe0f',
    '👍\ufe0f\ufe0f',
    '葛\u{e0100}\u{e0101}',
    '🏴\u{e0068}\u{e0069}\u{e007f}', // letters that no flag has
    '😀\u{e0068}\u{e0069}',
  ])
    t.ok(hasUnseen(text), JSON.stringify(text))
  t.end()
})

t.test('what is shown of any text breaks the rule no more', (t) => {
  const parts = fc.constantFrom(
    ...Object.values(unseen).flat(),
    ...written,
    'a',
    ' ',
    '\n',
    '\0',
    '\ud800',
    'म',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(parts).map((all) => all.join('')),
      ),
      (text) => {
        const shown = shownText(text)
        return !hasUnseen(shown) && isSeen(shown) && (hasUnseen(text) || !isSeen(text) || shown === text)
      },
    ),
  )
  t.equal(shownText('a\u202egpj.exe'), 'a\ufffdgpj.exe')
  t.equal(shownText('\u200bمی‌خواهم\u200c 👨‍👩‍👧\u200d'), '\ufffdمی‌خواهم\ufffd 👨‍👩‍👧\ufffd')
  t.equal(shownLines('one\u2028\n\t\n \ntwo\u202e'), 'one\ufffd\n\t\n \ntwo\ufffd')
  t.end()
})

function requestErrors(fields: { readonly title: string; readonly text: string }): readonly string[] {
  const errors = newRequestErrors({ answersAllowed: 1, lifetimeSeconds: 60, ...fields })
  return errors.map(({ field, rule }) => `${field} ${rule}`)
}
