import t from 'tap'
import { parsePartHead } from '../../../src/http/bodies/part-head.ts'

const parse = (...lines: string[]) => parsePartHead(Buffer.from(lines.join('\r\n')))
const named = (parameters: string) => parse(`Content-Disposition: form-data; name="file"${parameters}`)

t.test('names are read as browsers and other clients write them', (t) => {
  const spellings: Readonly<Record<string, string>> = {
    '; filename="a.txt"': 'a.txt',
    '; filename=a.txt': 'a.txt',
    ';filename=""': '',
    '; FileName="Ünï {}; x=y.txt" ;size=3': 'Ünï {}; x=y.txt',
    '; filename="a%22b%0D%0Ac%25%zz.txt"': 'a"b\r\nc%25%zz.txt',
    '; filename="a\\"b\\\\c"': 'a"b\\c',
    '; filename="C:\\dir\\a"': 'C:\\dir\\a',
    '; filename="a\\"': 'a\\',
    '; filename="a\\\\"; size=3': 'a\\',
    "; filename*=UTF-8''%E2%82%AC%20rates": '€ rates',
    "; filename=fallback; filename*=utf-8'en'%E2%82%AC": '€',
    "; filename*=utf-8''%E2%82%AC; filename=fallback": '€',
  }
  for (const [sent, fileName] of Object.entries(spellings))
    t.same(named(sent), { name: 'file', fileName, type: undefined }, sent)
  t.same(named(''), { name: 'file', fileName: undefined, type: undefined })
  t.match(parse('content-disposition: form-data;name=a%22'), { name: 'a%22' })
  t.match(parse('content-disposition: form-data;name="a%22"'), { name: 'a"' })
  t.end()
})

t.test('a type is given as it was sent', (t) => {
  const file = 'Content-Disposition: form-data; name="file"'
  t.match(parse(file, 'Content-Type: Text/HTML; charset=x '), { type: 'Text/HTML; charset=x' })
  t.match(parse('CONTENT-TYPE:a/b', 'X: y', file, 'content-transfer-encoding: Binary'), { type: 'a/b' })
  t.end()
})

t.test('what is malformed or there twice is refused', (t) => {
  const refused = [
    '; filename="a',
    '; filename="a"b',
    '; filename="a"; filename="b"',
    "; filename*=utf-8''a; filename*=utf-8''b",
    "; filename*=iso-8859-1''a",
    '; filename*=a',
    '; filename*="utf-8\'\'a"',
    "; filename*=utf-8''%E2%82",
    '; filename*=',
    '; name=x',
    '; x',
    '; =x',
    ' filename=a',
    '; filename = a',
    ';',
  ]
  for (const sent of refused) t.equal(named(sent), undefined, sent)
  for (const value of [
    'form-data',
    'form-data; filename=a',
    'attachment; name="file"',
    'form-datax; name=a',
    '',
  ])
    t.equal(parse(`Content-Disposition: ${value}`), undefined, value)
  t.end()
})

// Promise (Requests): No text takes longer to read than its length
t.test('a head takes a time that its length bounds, whatever is in it', (t) => {
  const start = 'Content-Disposition: form-data; name="'
  const long = (text: string): string => text.repeat(4_096 / text.length)
  const heads = [
    // A pattern with two readings of a backslash takes seconds for this one, and hours for the next ones.
    start + '\\'.repeat(40),
    ...['\\', '\\\\', '\\"', '\\\\"', '"', '\\a', '%22'].flatMap((text) => [
      start + long(text),
      `${start}${long(text)}\0`,
    ]),
    `x:${long(' ')}\0`,
    `x:${long('\t ')}\0`,
    `${start}a"${long(' ')}x`,
    `${start}a"${long('; ')}`,
  ]
  const before = process.cpuUsage()
  for (const head of heads) {
    parse(head)
    // All of them together take less than 5 ms.
    const { user } = process.cpuUsage(before)
    if (!t.ok(user < 500_000, `${user} µs: ${head.slice(38, 48)}`)) break
  }
  t.end()
})

t.test('names that are not UTF-8 are refused', (t) => {
  t.equal(parsePartHead(Buffer.from('Content-Disposition: form-data; name="\xe9"', 'latin1')), undefined)
  t.end()
})
