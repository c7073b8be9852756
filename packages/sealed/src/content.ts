import { fromBase64url, fromUtf8, toBase64url, utf8, type Bytes } from './bytes.ts'

/** A file of a sealed content, as its list names it. */
export interface SealedFile {
  /** What it is encrypted under: 16 bytes. */
  readonly key: Bytes
  readonly name: string
  /** The file's size, in bytes. */
  readonly size: number
  /** The file's media type. */
  readonly type: string
}

/** What is encrypted: a text, and the list of its files. The files themselves are encrypted one by one. */
export interface Content {
  readonly text: string
  readonly files: readonly SealedFile[]
}

/** A content as it is encrypted; `undefined` for one that cannot be: an empty one, a text with NUL or half of a surrogate pair. */
export function contentBytes({ text, files }: Content): Bytes | undefined {
  if (/[\0\p{Surrogate}]/u.test(text) || (text === '' && files.length === 0)) return undefined
  const list = files.map(({ key, name, size, type }) => [toBase64url(key), name, size, type])
  return utf8(files.length === 0 ? text : `${text}\0${JSON.stringify(list)}`)
}

/** Reads what {@link contentBytes} made; `undefined` for everything else. Its names were chosen by whoever sealed it. */
export function readContent(bytes: Bytes): Content | undefined {
  const whole = fromUtf8(bytes)
  if (whole === undefined) return undefined
  const at = whole.indexOf('\0')
  if (at === -1) return { text: whole, files: [] }
  const files = readFiles(whole.slice(at + 1))
  return files && { text: whole.slice(0, at), files }
}

function readFiles(json: string): readonly SealedFile[] | undefined {
  try {
    const files = (JSON.parse(json) as readonly (readonly unknown[])[]).map(readFile)
    return files.every((file) => file !== undefined) ? files : undefined
  } catch {
    return undefined
  }
}

function readFile([encodedKey, name, size, type]: readonly unknown[]): SealedFile | undefined {
  const key = typeof encodedKey === 'string' ? fromBase64url(encodedKey) : undefined
  if (key?.length !== 16 || typeof name !== 'string' || typeof type !== 'string') return undefined
  return Number.isSafeInteger(size) && (size as number) >= 0
    ? { key, name, size: size as number, type }
    : undefined
}
