import t from 'tap'
import { noteElement } from '../src/note.ts'

const inside = (note: string): string =>
  /^<pre[^>]*>([^]*)<\/pre>$/.exec(noteElement(note).text)?.[1] ?? 'no element'

t.test('the line feed that the parser drops is not part of the note', async (t) => {
  t.equal(inside('text'), '\ntext')
  t.equal(inside('\ntext\n'), '\n\ntext\n')
})

t.test('carriage returns are preserved, and a lone one breaks the line', async (t) => {
  t.equal(inside('a\r\nb'), '\na&#13;\nb')
  t.equal(inside('a\rb'), '\na<span class="cr">&#13;</span>b')
  t.equal(inside('\r\r\n\r'), '\n<span class="cr">&#13;</span>&#13;\n<span class="cr">&#13;</span>')
})

// Promise (Opening a link): Nothing in a note is interpreted
t.test('nothing in a note is interpreted as markup', async (t) => {
  t.equal(inside('</pre><script>x</script>'), '\n&lt;/pre&gt;&lt;script&gt;x&lt;/script&gt;')
  t.equal(inside('&#13;'), '\n&amp;#13;', 'text that looks like a reference')
})
