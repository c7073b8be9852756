import fc from 'fast-check'
import t from 'tap'
import { escapeText, filled, filledText, inLatin1, markup, trusted } from '../src/html.ts'

/** Reads text with references as a browser does, as far as {@link escapeText} writes them. */
const read = (markup: string): string =>
  markup
    .replace(/\r\n?/g, '\n')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

t.test('escaped text contains no markup, and a browser reads the original text from it', async (t) => {
  const text = fc.string({
    unit: fc.constantFrom('<', '>', '&', '"', "'", '\r', '\n', 'a', '&lt;', '&#13;', '\u2028', '😀'),
  })
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(text, (given) => {
        const markup = escapeText(given)
        return (
          !/[<>"'\r]/.test(markup) &&
          !/&(?!(?:amp|lt|gt|quot|#39|#13);)/.test(markup) &&
          read(markup) === given
        )
      }),
    ),
  )
  t.doesNotThrow(() =>
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (given) => read(escapeText(given)) === given)),
  )
})

t.test(
  'a text in Latin-1 is the same text for a browser, with references for what is not Latin-1',
  async (t) => {
    t.equal(inLatin1('a <é> 語😀').text, 'a &lt;é&gt; &#35486;&#128512;')
  },
)

t.test('templates escape every text, at any depth', async (t) => {
  const evil = '<script>"&\''
  const safe = '&lt;script&gt;&quot;&amp;&#39;'
  t.equal(markup`<p title="${evil}">${evil}</p>`.text, `<p title="${safe}">${safe}</p>`)
  t.equal(markup`${[evil, markup`<b>${evil}</b>`]}`.text, `${safe}<b>${safe}</b>`)
  t.equal(markup`${undefined}${false}${0}${''}`.text, '0')
  t.equal(markup`${trusted('<br>')}`.text, '<br>')
})

t.test('sentences are escaped, and their placeholders are replaced by text or markup', async (t) => {
  t.equal(filled('a & {x}, {y}{z}', { x: '<', y: markup`<b>1</b>` }).text, 'a &amp; &lt;, <b>1</b>')
})

t.test('the indentation of a template is removed, that of its values is not', async (t) => {
  t.equal(
    markup`<p>
      ${'a\n  b'}
    </p>`.text,
    '<p>\na\n  b\n</p>',
  )
})

t.test('a sentence as plain text is escaped once, where it becomes markup', async (t) => {
  const sentence = filledText("d'ici {when}", { when: '<5>' })
  t.equal(sentence, "d'ici <5>")
  t.equal(markup`${sentence}`.text, 'd&#39;ici &lt;5&gt;')
})
