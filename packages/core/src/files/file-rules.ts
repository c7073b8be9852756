import type { KeyedFile, SecretFile } from './secret-file.ts'
import type { AddedFiles } from './shapes.ts'
import type { FieldError, NewSecretRule } from '../shared/errors.ts'
import { hasUnseen, isSeen } from '../shared/shown-text.ts'
import { utf8ByteLength } from '../shared/text.ts'

/** How many files a secret has at most. */
export const filesMax = 10

/** How long the name of a file is at most, in bytes of UTF-8: what file systems take. */
export const fileNameMaxBytes = 255

/** What a file is that no media type was given for (RFC 2046, section 4.5.1). */
export const unknownFileType = 'application/octet-stream'

/** A media type, perhaps with parameters: two tokens (RFC 9110, sections 5.6.2 and 8.3.1), at most 127 characters each (RFC 6838, section 4.2). */
const fileType = /^\s*([\w!#$%&'*+.^`|~-]{1,127}\/[\w!#$%&'*+.^`|~-]{1,127})\s*(?:;|$)/

/**
 * What no name of a file has, whatever stands beside it: a separator of paths, a control character (Unicode category Cc, property
 * Bidi_Control), half of a surrogate pair. Pages look for it with browsers that know no more of patterns.
 */
export const wrongInFileName = /[/\\\p{Cc}\p{Bidi_Control}\p{Surrogate}]/u

/** What a name must not be, because it means a directory. */
const directories = ['.', '..']

/** The rule that the name of a file breaks; `undefined` when it breaks none. A name is never changed so that it breaks none. */
export function fileNameError(name: string): 'empty' | 'too_long' | 'not_a_file_name' | undefined {
  if (name === '') return 'empty'
  if (wrongInFileName.test(name) || directories.includes(name)) return 'not_a_file_name'
  if (!isSeen(name) || hasUnseen(name)) return 'not_a_file_name'
  return utf8ByteLength(name) > fileNameMaxBytes ? 'too_long' : undefined
}

/** The media type without parameters, in lower case; {@link unknownFileType} for anything else. */
export function fileTypeOf(given = ''): string {
  return fileType.exec(given)?.[1]?.toLowerCase() ?? unknownFileType
}

/** Stands between a note and its files in what is encrypted. No note has it. */
const separator = '\0'

/** What is encrypted of a note: its text, and its files with their keys. Without files it is the text. */
export function joinNote(text: string, files: readonly KeyedFile[]): string {
  if (files.length === 0) return text
  const list = files.map(({ id, key, name, size, type }) => [id, key, name, size, type])
  return text + separator + JSON.stringify(list)
}

/** The key of a file: 32 bytes in base64url. */
const fileKey = /^[\w-]{43}$/

/** A note as {@link joinNote} joined it; `undefined` when what follows the text is no list of files. */
export function splitNote(
  note: string,
): { readonly text: string; readonly files: readonly KeyedFile[] } | undefined {
  const at = note.indexOf(separator)
  if (at === -1) return { text: note, files: [] }
  const list = parsed(note.slice(at + 1))
  if (!Array.isArray(list)) return undefined
  const files = list.map(keyedFileOf)
  return files.every((file) => file !== undefined) ? { text: note.slice(0, at), files } : undefined
}

function keyedFileOf(item: unknown): KeyedFile | undefined {
  const [id, key, name, size, type] = (Array.isArray(item) ? item : []) as readonly unknown[]
  if (typeof id !== 'string' || typeof key !== 'string' || !fileKey.test(key)) return undefined
  if (typeof name !== 'string' || typeof type !== 'string') return undefined
  return typeof size === 'number' && Number.isSafeInteger(size) && size >= 0
    ? { id, key, name, size, type }
    : undefined
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** What is encrypted of a file for its owner: its name, size and type. */
export function fileAboutText({ name, size, type }: SecretFile): string {
  return JSON.stringify([name, size, type])
}

/** Reads what {@link fileAboutText} wrote. */
export function parseFileAbout(text: string): SecretFile {
  const [name, size, type] = JSON.parse(text) as [string, number, string]
  return { name, size, type }
}

/** What is wrong with a file that is the `number`th of its secret, from 1; `undefined` when nothing is. */
export function newFileError(name: string, number: number): FieldError<NewSecretRule> | undefined {
  if (number > filesMax) return { field: 'files', rule: 'too_many', limit: filesMax }
  const rule = fileNameError(name)
  if (rule === undefined) return undefined
  return rule === 'too_long' ? { field: 'files', rule, limit: fileNameMaxBytes } : { field: 'files', rule }
}

/** What a file counts at least, in bytes: what the smallest takes on a disk. */
export const countedMinBytes = 4_096

/** What a file counts of what the files of its account may have together. @param storedBytes how long its ciphertext is */
export function countedBytes(storedBytes: number): number {
  return Math.max(storedBytes, countedMinBytes)
}

/** The part of a request's files that is in its digest. Empty without files, so that the digests of other requests stay as they were. */
export function digestedFiles({ upload, showsFiles = false }: AddedFiles): readonly unknown[] {
  if (upload === undefined || upload.files.length === 0) return []
  const files = upload.files.map(({ name, size, type }, at) => [name, size, type, upload.digests[at]])
  return [files, showsFiles]
}

/** A file without what only the server needs. */
export function shownFile({ name, size, type }: SecretFile): SecretFile {
  return { name, size, type }
}
