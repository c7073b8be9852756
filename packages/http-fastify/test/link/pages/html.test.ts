import fc from 'fast-check'
import t from 'tap'
import { escapeText, filled, markup, trusted } from '../../../src/link/pages/html.ts'

/** What a browser makes of text with references, as far as {@link escapeText} writes them. */
const read = (markup: string): string =>
  markup
    .replace(/\r\n?/g, '\n')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

t.test('escaped text has no markup left and reads as it was', async (t) => {
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

t.test('templates escape every text, however deep it stands', async (t) => {
  const evil = '<script>"&\''
  const safe = '&lt;script&gt;&quot;&amp;&#39;'
  t.equal(markup`<p title="${evil}">${evil}</p>`.text, `<p title="${safe}">${safe}</p>`)
  t.equal(markup`${[evil, markup`<b>${evil}</b>`]}`.text, `${safe}<b>${safe}</b>`)
  t.equal(markup`${undefined}${false}${0}${''}`.text, '0')
  t.equal(markup`${trusted('<br>')}`.text, '<br>')
})

t.test('sentences are filled with text or markup, and escaped themselves', async (t) => {
  t.equal(filled('a & {x}, {y}{z}', { x: '<', y: markup`<b>1</b>` }).text, 'a &amp; &lt;, <b>1</b>')
})
