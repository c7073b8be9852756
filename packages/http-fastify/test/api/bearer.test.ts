import t from 'tap'
import { credentialsOf } from '../../src/api/authentication.ts'

const read = (...values: string[]) =>
  credentialsOf({ rawHeaders: values.flatMap((value) => ['Authorization', value]) })

t.test('a bearer token is read, in whatever case its scheme is written', async (t) => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
    t.same(read(`${scheme} abc.DEF-_~+/09==`), { kind: 'token', token: 'abc.DEF-_~+/09==' }, scheme)
  }
  t.same(read('Bearer   abc'), { kind: 'token', token: 'abc' }, 'several spaces')
})

t.test('the name of the header may be in any case', async (t) => {
  t.same(credentialsOf({ rawHeaders: ['aUTHORIZATION', 'Bearer abc'] }), { kind: 'token', token: 'abc' })
})

t.test('no header and another scheme are no credentials', async (t) => {
  t.same(read(), { kind: 'none' })
  for (const value of ['Basic dXNlcjpwYXNz', 'Digest username="x"', 'Negotiate', 'Bearerabc']) {
    t.same(read(value), { kind: 'none' }, value)
  }
})

t.test('a malformed header is not the same as a missing one', async (t) => {
  for (const value of [
    '',
    'Bearer',
    'Bearer ',
    'Bearer a b',
    'Bearer a,b',
    'Bearer ä',
    'Bearer =',
    '"Bearer" a',
    'Bearer\ta',
  ]) {
    t.same(read(value), { kind: 'malformed' }, JSON.stringify(value))
  }
})

t.test('two headers are malformed, even if they are equal', async (t) => {
  t.same(read('Bearer abc', 'Bearer abc'), { kind: 'malformed' })
  t.same(read('Basic abc', 'Bearer abc'), { kind: 'malformed' })
})
