import t from 'tap'
import { parseRequestContent, requestContentText } from '../../src/requests/request.ts'

t.test('what is encrypted of a request is read as it was written', (t) => {
  const link = { token: `${'A-_z'.repeat(10)}AAA` }
  for (const content of [
    { title: 'Router', text: '', link },
    { title: ' a  b ', text: '\n\nTwo\nlines 🔑\n', link },
    { title: 'Router', text: 'Its password', link, key: `BA${'_-'.repeat(42)}A` },
  ])
    t.strictSame(parseRequestContent(requestContentText(content)), content)
  t.equal(requestContentText({ title: 'Router', text: '', link }), `${link.token} Router\n`, 'as before')
  for (const other of [
    `${link.token}.AAA a\nb`,
    `${link.token}. a\nb`,
    '',
    'A title\ntext',
    `${link.token} a title`,
    `${link.token}A a\nb`,
  ])
    t.equal(parseRequestContent(other), undefined)
  t.end()
})
