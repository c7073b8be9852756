import t from 'tap'
import { authorityOf, pathOf, routableUrl } from '../../../src/http/request/target.ts'

t.test('a URL that the router can decode is unchanged', async (t) => {
  for (const url of ['/', '/api/folders', '/api/secret/a%2Fb?x=%zz', '/%C3%A4', '/api/%66olders#x'])
    t.equal(routableUrl(url), url)
})

t.test('percent signs that do not begin valid UTF-8 are taken literally', async (t) => {
  t.equal(routableUrl('/api/secret/%zz'), '/api/secret/%25zz')
  t.equal(routableUrl('/api/secret/%'), '/api/secret/%25')
  t.equal(routableUrl('/api/secret/%2'), '/api/secret/%252')
  t.equal(routableUrl('/api/secret/%ff?q=%ff'), '/api/secret/%25ff?q=%ff')
  t.equal(routableUrl('/%61pi/%C3%28'), '/%61pi/%25C3%2528', 'the valid part is decoded')
})

t.test('every routable URL can be decoded', async (t) => {
  for (let byte = 0; byte < 256; byte += 1) {
    const escape = `%${byte.toString(16).padStart(2, '0')}`
    for (const url of [`/${escape}`, `/${escape}${escape}`, `/%e2%82${escape}`, `/%${escape}`]) {
      t.doesNotThrow(() => decodeURIComponent(routableUrl(url)), url)
    }
  }
})

t.test('the origin is removed from the absolute form', async (t) => {
  t.equal(routableUrl('http://localhost:3000/api/folders?x'), '/api/folders?x')
  t.equal(routableUrl('HTTPS://localhost'), '/')
  t.equal(routableUrl('http://localhost?x=1'), '/?x=1')
  t.equal(authorityOf('http://localhost:3000/api'), 'localhost:3000')
  t.equal(authorityOf('/http://localhost/'), undefined)
})

t.test('any other form becomes an unknown path', async (t) => {
  t.equal(routableUrl('*'), '/*')
  t.equal(routableUrl('example.org:443'), '/example.org:443')
  t.equal(routableUrl(''), '/')
})

t.test('the path ends where the query or fragment begins', async (t) => {
  t.equal(pathOf('/a/b?c#d'), '/a/b')
  t.equal(pathOf('/a#b?c'), '/a')
  t.equal(pathOf('/a'), '/a')
})
