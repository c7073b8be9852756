import type { KeyedFile, SecretFile } from '../entities/secret-file.ts'
import { hasBidiControl, hasControlCharacter, hasLoneSurrogate, utf8ByteLength } from './text.ts'

/** How many files a secret has at most. */
export const filesMax = 10

/** How long the name of a file is at most, in bytes of UTF-8: what file systems take. */
export const fileNameMaxBytes = 255

/** What a file is that no media type was given for (RFC 2046, section 4.5.1). */
export const unknownFileType = 'application/octet-stream'

/** A media type: two tokens (RFC 9110, sections 5.6.2 and 8.3.1), at most 127 characters each (RFC 6838, section 4.2). */
const fileType = /^[\w!#$%&'*+.^`|~-]{1,127}\/[\w!#$%&'*+.^`|~-]{1,127}$/

/** What a name must not be, because it means a directory. */
const directories = ['.', '..']

/** Which rule the name of a file breaks; `undefined` when it breaks none. It is kept as it is: a name is never made into another one. */
export function fileNameError(name: string): 'empty' | 'too_long' | 'not_a_file_name' | undefined {
  if (name === '') return 'empty'
  if (/[/\\]/.test(name) || directories.includes(name)) return 'not_a_file_name'
  if (hasControlCharacter(name) || hasLoneSurrogate(name) || hasBidiControl(name)) return 'not_a_file_name'
  return utf8ByteLength(name) > fileNameMaxBytes ? 'too_long' : undefined
}

/** The media type without parameters, in lower case; {@link unknownFileType} for what is none. */
export function fileTypeOf(given: string | undefined): string {
  const [type = ''] = (given ?? '').split(';', 1)
  const trimmed = type.trim().toLowerCase()
  return fileType.test(trimmed) ? trimmed : unknownFileType
}

/** Stands between a note and its files in what is encrypted. No note has it. */
const separator = '\0'

/** What is encrypted of a note: its text, and its files with their keys. Without files it is the text. */
export function joinNote(text: string, files: readonly KeyedFile[]): string {
  if (files.length === 0) return text
  const list = files.map(({ id, key, name, size, type }) => [id, key, name, size, type])
  return text + separator + JSON.stringify(list)
}

/** A note as {@link joinNote} joined it. */
export function splitNote(note: string): { readonly text: string; readonly files: readonly KeyedFile[] } {
  const at = note.indexOf(separator)
  if (at === -1) return { text: note, files: [] }
  const list = JSON.parse(note.slice(at + 1)) as [string, string, string, number, string][]
  return {
    text: note.slice(0, at),
    files: list.map(([id, key, name, size, type]) => ({ id, key, name, size, type })),
  }
}

/** A file without what only the server needs. */
export function shownFile({ name, size, type }: SecretFile): SecretFile {
  return { name, size, type }
}

/**
 * The bytes that a `Range` asks for, of a content of `size` bytes (RFC 9110, section 14.2): one range of bytes. All of it without the field, and
 * for one that is malformed, has another unit or several ranges, as section 14.2 allows; `unsatisfiable` when it begins after the end.
 */
export function rangeOf(
  field: string | undefined,
  size: number,
): { readonly start: number; readonly end: number; readonly isPart: boolean } | 'unsatisfiable' {
  const all = { start: 0, end: size, isPart: false }
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(field ?? '') ?? []
  if (first === '' && last === '') return all
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size, isPart: true }
  }
  if (last !== '' && Number(last) < Number(first)) return all
  if (Number(first) >= size) return 'unsatisfiable'
  const end = last === '' ? size : Math.min(Number(last) + 1, size)
  return { start: Number(first), end, isPart: true }
}
