import { readFileSync } from 'node:fs'
import { test } from 'tap'
import type { KeyedFile } from '../../src/files/secret-file.ts'
import {
  fileNameError,
  fileTypeOf,
  filesMax,
  joinNote,
  splitNote,
  unknownFileType,
} from '../../src/files/file-rules.ts'

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
  const longest = `${'a'.repeat(127)}/${'b'.repeat(127)}`
  for (const [given, type] of [
    ['Application/PDF; charset=x', 'application/pdf'],
    ['text/plain;charset="a;b/c"', 'text/plain'],
    [' image/svg+xml \t', 'image/svg+xml'],
    ["x-y/!#$%&'*+.^_`|~-1 ; a", "x-y/!#$%&'*+.^_`|~-1"],
    [longest, longest],
  ] as const)
    t.equal(fileTypeOf(given), type)
  t.equal(unknownFileType, 'application/octet-stream')
  for (const given of [
    ...[undefined, '', 'pdf', 'a/b/c', 'a b/c', 'a/b c', '/pdf', 'pdf/', 'pdf/;a', 'a\u00fc/b', '\u212aa/b'],
    ...['text/html\r\nx: y', ';text/html', `a/${'b'.repeat(128)}`, `${'a'.repeat(128)}/b`, 'a/b,c/d'],
  ])
    t.equal(fileTypeOf(given), unknownFileType, given ?? 'none')
  t.end()
})

const key = 'A_-9'.repeat(10).concat('AAA')
const file = {
  ...{ id: '0192f3c4-0000-7000-8000-000000000001', key, name: 'a","\u00fc.pdf' },
  ...{ size: 3, type: 'application/pdf' },
}

test('a note is split as it was joined, and without files it is its text', (t) => {
  for (const files of [[], [file], [file, { ...file, id: 'f2', size: 0 }]])
    for (const text of ['text', 'two\nlines "[]"', ''])
      t.same(splitNote(joinNote(text, files)), { text, files })
  t.equal(joinNote('text', []), 'text')
  t.equal(
    joinNote('text', [file]),
    `text\0[["${file.id}","${key}","a\\",\\"\u00fc.pdf",3,"application/pdf"]]`,
  )
  t.end()
})

test('the longest list of files has less than 9,000 bytes', (t) => {
  const longest = {
    ...file,
    name: '"'.repeat(255),
    size: 2 ** 53 - 1,
    type: `${'a'.repeat(127)}/${'b'.repeat(127)}`,
  }
  t.equal(fileNameError(longest.name), undefined)
  t.equal(fileTypeOf(longest.type), longest.type)
  const bytes = Buffer.byteLength(
    joinNote(
      '',
      Array.from({ length: filesMax }, () => longest),
    ),
  )
  t.ok(bytes > 8_500 && bytes < 9_000, `${bytes}`)
  t.end()
})

test('notes with files are those of the test vectors', (t) => {
  const vectors = new URL('../../../test-kit/vectors/encryption-v1.json', import.meta.url)
  const { notes_with_files } = JSON.parse(readFileSync(vectors, 'utf8')) as {
    readonly notes_with_files: readonly { text: string; files: KeyedFile[]; note: string }[]
  }
  t.equal(notes_with_files.length, 1)
  for (const { text, files, note } of notes_with_files) {
    t.equal(files.length, 2)
    t.equal(joinNote(text, files), note)
    t.same(splitNote(note), { text, files })
  }
  t.end()
})

test('a note whose list of files cannot be read has none', (t) => {
  t.same(splitNote('text\0[]'), { text: 'text', files: [] })
  const { id, name, size, type } = file
  for (const list of [
    ...['', '[', '[]]', 'null', '{}', '"[]"', '1', '[1]', '[null]', '["abcde"]', '[[]]', '[]\0[]'],
    ...['!', '=', '', 'AA'].map((end) => JSON.stringify([[id, `${key.slice(1)}${end}`, name, size, type]])),
    ...[-1, 0.5, 2 ** 53, 1e300, '3', null].map((other) => JSON.stringify([[id, key, name, other, type]])),
    JSON.stringify([[1, key, name, size, type]]),
    JSON.stringify([[id, 1, name, size, type]]),
    JSON.stringify([[id, key, 1, size, type]]),
    JSON.stringify([[id, key, name, size, 1]]),
    JSON.stringify([[id, key, name, size]]),
    JSON.stringify([
      [id, key, name, size, type],
      [id, key, name],
    ]),
  ])
    t.equal(splitNote(`text\0${list}`), undefined, list)
  t.end()
})
