import t from 'tap'
import { attachment } from '../../../src/http/answers/attachment.ts'

t.test('a plain name is quoted as it is', (t) => {
  t.equal(attachment('contract v2 (final).pdf'), 'attachment; filename="contract v2 (final).pdf"')
  t.end()
})

t.test('any other name is there twice, once with its characters replaced', (t) => {
  t.equal(attachment('Ünï.txt'), `attachment; filename="_n_.txt"; filename*=UTF-8''%C3%9Cn%C3%AF.txt`)
  t.equal(attachment('50%.txt'), `attachment; filename="50_.txt"; filename*=UTF-8''50%25.txt`)
  t.equal(attachment('a"b\\c'), `attachment; filename="a_b_c"; filename*=UTF-8''a%22b%5Cc`)
  t.equal(
    attachment("\u{1f511}'(*).txt"),
    `attachment; filename="_'(*).txt"; filename*=UTF-8''%F0%9F%94%91%27%28%2A%29.txt`,
  )
  t.end()
})
