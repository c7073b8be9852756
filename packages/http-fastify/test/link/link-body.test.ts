import t from 'tap'
import { bodyTypeOf } from '../../src/link/link-body.ts'

const requestWith = (...rawHeaders: string[]) => ({
  rawHeaders,
  headers: Object.fromEntries(
    rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1]]] : [])),
  ),
})

t.test('the headers decide how the body is read', async (t) => {
  const form = 'application/x-www-form-urlencoded'
  t.equal(bodyTypeOf(requestWith()), 'none')
  t.equal(bodyTypeOf(requestWith('Content-Length', '0')), 'none')
  t.equal(bodyTypeOf(requestWith('Content-Type', 'application/json')), 'json')
  t.equal(bodyTypeOf(requestWith('Content-Type', 'application/json; charset=utf-8')), 'json')
  t.equal(bodyTypeOf(requestWith('Content-Type', form)), 'form')
  t.equal(bodyTypeOf(requestWith('Content-Type', `${form.toUpperCase()} ; Charset="UTF-8"`)), 'form')
  const others = [
    ['Content-Length', '1'],
    ['Content-Type', 'text/plain'],
    ['Content-Type', 'multipart/form-data; boundary=x'],
    ['Content-Type', ''],
    ['Content-Type', `${form}; charset=latin1`],
    ['Content-Type', 'application/json; charset=utf-16'],
    ['Content-Type', form, 'Content-Encoding', 'gzip'],
    ['Content-Encoding', 'gzip'],
    ['Content-Type', form, 'Content-Type', 'application/json'],
  ]
  for (const headers of others) t.equal(bodyTypeOf(requestWith(...headers)), undefined, headers.join(': '))
})
