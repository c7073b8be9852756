import t from 'tap'
import { isPlainJson, multipartOf } from '../../../src/http/request/headers.ts'

const accepts = (...headers: [string, string][]) => isPlainJson({ rawHeaders: headers.flat() })

t.test('JSON in UTF-8 is accepted in every spelling', async (t) => {
  const spellings = [
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json ; Charset="utf-8"',
    'application/json;charset="ut\\f-8"',
    'application/json;',
    'application/json; ;charset=utf-8 ;',
  ]
  for (const type of spellings) t.equal(accepts(['content-type', type]), true, type)
})

// Promise (The JSON API): Other media types and any Content-Encoding: 415
t.test('other types, charsets and parameters are refused', async (t) => {
  const refused = [
    '',
    'text/plain',
    'application/jsonp',
    'application/json+x',
    'application/problem+json',
    'application/json, application/json',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf8',
    'application/json; charset="utf-8',
    'application/json; charset=utf-8; charset=utf-8',
    'application/json; charset',
    'application/json; charset =utf-8',
    'application/json; version=1',
    'application/json charset=utf-8',
  ]
  for (const type of refused) t.equal(accepts(['content-type', type]), false, JSON.stringify(type))
})

t.test('no Content-Type and two of them are refused', async (t) => {
  t.equal(accepts(), false)
  t.equal(accepts(['Content-Type', 'application/json'], ['content-type', 'application/json']), false)
})

t.test('any Content-Encoding is refused', async (t) => {
  for (const coding of ['gzip', 'identity', '']) {
    t.equal(accepts(['content-type', 'application/json'], ['Content-Encoding', coding]), false, coding)
  }
})

t.test('a form with files says where its parts end', async (t) => {
  const boundaryOf = (...types: string[]) =>
    multipartOf({ rawHeaders: types.flatMap((type) => ['content-type', type]) })
  const accepted: Readonly<Record<string, string>> = {
    'multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW':
      '----WebKitFormBoundary7MA4YWxkTrZu0gW',
    'Multipart/Form-Data;Charset=UTF-8;BOUNDARY="a b:c"': 'a b:c',
    [`multipart/form-data; boundary=${'x'.repeat(70)}`]: 'x'.repeat(70),
  }
  for (const [type, boundary] of Object.entries(accepted)) t.same(boundaryOf(type), { boundary }, type)
  const without = [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    'multipart/form-data; boundary="a "',
    'multipart/form-data; boundary="a\\"b"',
    'multipart/form-data; boundary="é"',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
    'multipart/form-data; boundary=a; boundary=b',
    'multipart/form-data; boundary=a; charset=latin1',
    'multipart/form-data; boundary=a; x=y',
    'multipart/form-data; boundary',
  ]
  for (const type of without) t.same(boundaryOf(type), { boundary: undefined }, type)
  for (const type of [
    '',
    'multipart/mixed; boundary=a',
    'multipart/form-datax; boundary=a',
    'application/json',
  ])
    t.equal(boundaryOf(type), undefined, type)
  const two = 'multipart/form-data; boundary=a'
  t.equal(boundaryOf(two, two), undefined)
  t.equal(multipartOf({ rawHeaders: ['content-type', two, 'content-encoding', 'gzip'] }), undefined)
})
