import t from 'tap'
import { createWriter } from '../../src/letter/writer.ts'

t.test('a placeholder in the name of the service is not filled', (t) => {
  const { fill } = createWriter('en', '{url}')
  t.equal(fill('{name} {url}', { url: 'x' }), '{url} x')
  t.end()
})
