import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { DIRECTORIES, fieldsOf, repositoryOfCheckout, withFields } from '../repository.mjs'

const root = join(import.meta.dirname, '..', '..')

t.test('every package names the repository that the checkout names', (t) => {
  const web = repositoryOfCheckout() ?? ''
  t.match(web, /^https:/)
  for (const directory of DIRECTORIES) {
    const text = readFileSync(join(root, directory, 'package.json'), 'utf8')
    t.equal(text, withFields(text, fieldsOf(web, directory)), `run npm run write repository -- ${web}`)
  }
  t.end()
})

t.test('another repository replaces the fields and nothing else', (t) => {
  const before =
    '{\n  "name": "a",\n  "license": "MIT",\n  "bugs": {\n    "url": "b"\n  },\n  "type": "module"\n}\n'
  const after = JSON.parse(withFields(before, fieldsOf('https://git.test/sotto', 'packages/a'))) as object
  t.strictSame(Object.keys(after), ['name', 'license', 'repository', 'homepage', 'bugs', 'type'])
  t.match(after, {
    repository: { type: 'git', url: 'git+https://git.test/sotto.git', directory: 'packages/a' },
    homepage: 'https://git.test/sotto#readme',
    bugs: { url: 'https://git.test/sotto/issues' },
  })
  t.end()
})
