import { SottoError } from './errors.ts'

/**
 * A form of fields, as a part of JSON with this name, and of files (RFC 7578). Its content stays where it is until it is sent. `FormData` is the same and is not
 * used: in Node.js 24 a call with one that holds a file that changed since never ends.
 */
export function formOf(part: string, fields: object, files: readonly File[]): Blob {
  const random = crypto.getRandomValues(new Uint8Array(16))
  const boundary = `sotto-${Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
  const head = (name: string, type: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name=${name}\r\nContent-Type: ${type}\r\n\r\n`
  const parts = files.flatMap((file) => {
    const type = file.type === '' ? 'application/octet-stream' : file.type
    return ['\r\n', head(`"file"; filename="${escaped(file.name)}"`, type), file]
  })
  const first = head(`"${part}"`, 'application/json') + JSON.stringify(fields)
  return new Blob([first, ...parts, `\r\n--${boundary}--\r\n`], {
    type: `multipart/form-data; boundary=${boundary}`,
  })
}

/** A file's name as browsers escape it (HTML, "multipart/form-data encoding algorithm"). */
function escaped(name: string): string {
  return name.replace(/[\n\r"]/g, encodeURIComponent)
}

/** Adds the names of the files that cannot be read to an error, where that is what went wrong. */
export async function namingFiles(error: unknown, files: readonly File[]): Promise<unknown> {
  if (!(error instanceof SottoError) || error.code !== 'file_unreadable') return error
  const names: string[] = []
  for (const file of files)
    await file
      .slice(0, 1)
      .arrayBuffer()
      .catch(() => names.push(file.name))
  if (names.length === 0) return error
  const message = `A file cannot be read, or has changed: ${names.join(', ')}.`
  return new SottoError('file_unreadable', message, { cause: error.cause })
}
