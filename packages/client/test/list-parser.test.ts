import t from 'tap'
import { createListParser } from '../src/list-parser.ts'
import { exampleSecret, listAnswer } from './support/service.ts'

function entriesIn(pieces: Iterable<string>): unknown[] {
  const parser = createListParser()
  const entries = [...pieces].flatMap((piece) => parser.push(piece))
  parser.end()
  return entries
}

const entries = [exampleSecret, { nested: [{ deep: ['}', '{', '"', '\\'] }] }, {}]

t.test('a list reads the same wherever it is cut', async (t) => {
  const text = listAnswer(entries)
  t.strictSame(entriesIn([text]), entries, 'in one piece')
  t.strictSame(entriesIn(text), entries, 'character by character, surrogate pairs whole')
  t.strictSame(entriesIn(text.split('')), entries, 'character by character, surrogate pairs cut')
  for (let at = 0; at <= text.length; at += 1) {
    t.strictSame(entriesIn([text.slice(0, at), text.slice(at)]), entries)
  }
})

t.test('an entry is there as soon as its last character is', async (t) => {
  const parser = createListParser()
  t.strictSame(parser.push('{"success":true,"version":"1.0","data":[{"a":1'), [])
  t.strictSame(parser.push('}'), [{ a: 1 }])
  t.strictSame(parser.push(',{"a":2},{"a":'), [{ a: 2 }])
})

t.test('an empty list, and spaces between everything', async (t) => {
  t.strictSame(entriesIn([listAnswer([])]), [])
  t.strictSame(entriesIn([JSON.stringify({ success: true, data: [{ a: 1 }, { a: 2 }] }, null, 2)]), [
    { a: 1 },
    { a: 2 },
  ])
})

t.test('a list without any of its last characters is cut off', async (t) => {
  const text = listAnswer(entries)
  for (let end = 1; end < text.length; end += 1) {
    t.throws(() => entriesIn([text.slice(0, end)]), { code: 'network_failure' }, text.slice(0, end))
  }
})

for (const text of [
  '',
  'null',
  '[]',
  '{"success":true}',
  '{"success":true,"data":{}}',
  '{"success":true,"data":{"x":{}}}',
  '{"success":false,"data":[]}',
  '{"success":true,"other":[{}],"data":[]}',
  '{"success":true,"data":[{},]}',
  '{"success":true,"data":[{}{}]}',
  '{"success":true,"data":[{},,{}]}',
  '{"success":true,"data":[,{}]}',
  '{"success":true,"data":[{"a":}]}',
  '{"success":true,"data":[]}]}',
  '{"success":true,"data":[{}]}{}',
]) {
  t.test(`no list: ${text}`, async (t) => {
    t.throws(() => entriesIn([text]), { code: 'malformed_answer' })
    t.throws(() => entriesIn(text), { code: 'malformed_answer' })
  })
}
