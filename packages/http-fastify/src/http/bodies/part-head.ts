/** What the headers of a part say. */
export interface PartHead {
  /** The name of its field. */
  readonly name: string
  /** The name of the file at its sender's; `undefined` for a field without a file, empty where no file was chosen. */
  readonly fileName: string | undefined
  /** The part's media type, as it was sent. */
  readonly type: string | undefined
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The codings that change nothing. All others are deprecated here (RFC 7578, section 4.7). */
const plainCodings: readonly (string | undefined)[] = [undefined, '7bit', '8bit', 'binary']

/**
 * Reads the headers of a part (RFC 7578, section 4.2) without the empty line after them. `undefined` when they are not UTF-8, or one of them is
 * malformed, folded or there twice: what one reader leaves out, another one may take.
 */
export function parsePartHead(bytes: Uint8Array): PartHead | undefined {
  const headers = headersOf(bytes)
  const disposition = headers && dispositionOf(headers.get('content-disposition') ?? '')
  const name = disposition?.get('name')
  if (!plainCodings.includes(headers?.get('content-transfer-encoding')?.toLowerCase())) return undefined
  if (headers === undefined || disposition === undefined || name === undefined) return undefined
  const fileName = disposition.get('filename*') ?? disposition.get('filename')
  return { name, fileName, type: headers.get('content-type') }
}

/** A name (RFC 9110, section 5.1) and a value without control characters. */
const header = /^([!#$%&'*+.^_`|~0-9a-z-]+):[ \t]*(?![ \t])((?:\t|\P{Cc})*)$/iu

function headersOf(bytes: Uint8Array): ReadonlyMap<string, string> | undefined {
  const headers = new Map<string, string>()
  for (const line of (decoded(bytes) ?? '').split('\r\n')) {
    const [, name = '', value = ''] = header.exec(line) ?? []
    if (name === '' || headers.has(name.toLowerCase())) return undefined
    headers.set(name.toLowerCase(), value.trimEnd())
  }
  return headers
}

/**
 * A parameter, whose value is a token or quoted. Clients that are no browsers put a backslash before a quotation mark or a backslash in a
 * value; a browser may send one as the last character. Each character can be read in one way only, so that no text takes longer than its
 * length.
 */
const parameter =
  /[ \t]*;[ \t]*([!#$&'+.^_`|~0-9a-z-]+\*?)=(?:"((?:[^"\\]|\\(?:\\|"(?!$)|(?!\\|"(?!$))))*)"|([^\s";]*))/iy

/** The parameters of `form-data`, by lower-case name. */
function dispositionOf(value: string): ReadonlyMap<string, string> | undefined {
  const parameters = new Map<string, string>()
  const kind = /^form-data(?=$|[ \t;])/i.exec(value)?.[0]
  if (kind === undefined) return undefined
  for (let at = kind.length; at < value.length; at = parameter.lastIndex) {
    parameter.lastIndex = at
    const [, name = '', quoted, token = ''] = parameter.exec(value) ?? []
    const key = name.toLowerCase()
    const text = key.endsWith('*') ? extendedText(token) : quoted === undefined ? token : unquoted(quoted)
    if (key === '' || text === undefined || parameters.has(key)) return undefined
    parameters.set(key, text)
  }
  return parameters
}

/** Browsers send a quotation mark and line breaks of a name as escapes, and nothing else (HTML, “multipart/form-data encoding algorithm”). */
function unquoted(text: string): string {
  return text.replace(/\\(["\\])/g, '$1').replace(/%(?:22|0D|0A)/gi, (escape) => decodeURIComponent(escape))
}

/** A value in the form of RFC 8187. Browsers do not send it. */
function extendedText(value: string): string | undefined {
  const [, encoded = '%'] = /^utf-8'[^']*'([^']*)$/i.exec(value) ?? []
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}
