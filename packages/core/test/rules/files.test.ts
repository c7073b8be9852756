import { test } from 'tap'
import {
  fileNameError,
  fileTypeOf,
  joinNote,
  rangeOf,
  splitNote,
  unknownFileType,
} from '../../src/rules/files.ts'

test('a name of a file is a name without a path that every file system takes', (t) => {
  for (const name of ['contract.pdf', 'Vertrag ü.pdf', '契約.pdf', '.env', '...', 'a'.repeat(255), ' x '])
    t.equal(fileNameError(name), undefined, name)
  for (const [name, error] of [
    ['', 'empty'],
    ['.', 'not_a_file_name'],
    ['..', 'not_a_file_name'],
    ['a/b', 'not_a_file_name'],
    ['..\\b', 'not_a_file_name'],
    ['a\0b', 'not_a_file_name'],
    ['a\nb', 'not_a_file_name'],
    ['a\u0085b', 'not_a_file_name'],
    ['a\ud800', 'not_a_file_name'],
    ['gpj.\u202Eexe', 'not_a_file_name'],
    ['a'.repeat(256), 'too_long'],
    ['ü'.repeat(128), 'too_long'],
  ] as const)
    t.equal(fileNameError(name), error, JSON.stringify(name))
  t.end()
})

test('a media type is kept without parameters, and anything else is bytes', (t) => {
  t.equal(fileTypeOf('Application/PDF; charset=x'), 'application/pdf')
  t.equal(fileTypeOf(' image/svg+xml '), 'image/svg+xml')
  for (const given of [undefined, '', 'pdf', 'a/b/c', 'a b/c', 'text/html\r\nx: y', `a/${'b'.repeat(128)}`])
    t.equal(fileTypeOf(given), unknownFileType, given ?? 'none')
  t.end()
})

test('a note is split as it was joined, and without files it is its text', (t) => {
  const file = { id: 'f1', key: 'k1', name: 'a","\u00fc.pdf', size: 3, type: 'application/pdf' }
  for (const files of [[], [file], [file, { ...file, id: 'f2', size: 0 }]])
    for (const text of ['text', 'two\nlines "[]"']) t.same(splitNote(joinNote(text, files)), { text, files })
  t.equal(joinNote('text', []), 'text')
  t.end()
})

test('a range is read as RFC 9110 has it', (t) => {
  const all = { start: 0, end: 100, isPart: false }
  for (const [field, expected] of [
    [undefined, all],
    ['bytes=0-', [0, 100]],
    ['bytes=0-0', [0, 1]],
    ['bytes=99-', [99, 100]],
    ['bytes=10-19', [10, 20]],
    ['bytes=10-1000', [10, 100]],
    ['bytes=-10', [90, 100]],
    ['bytes=-1000', [0, 100]],
    ['BYTES=5-6', [5, 7]],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=20-10', all],
    ['bytes=0-1,5-6', all],
    ['items=0-1', all],
    ['bytes=-', all],
    ['bytes=a-b', all],
    ['bytes=99999999999999999999-', all],
  ] as const)
    t.same(
      rangeOf(field, 100),
      Array.isArray(expected) ? { start: expected[0], end: expected[1], isPart: true } : expected,
      field ?? 'none',
    )
  t.same(rangeOf('bytes=0-', 0), 'unsatisfiable')
  t.same(rangeOf(undefined, 0), { start: 0, end: 0, isPart: false })
  t.end()
})
