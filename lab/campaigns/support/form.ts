const boundary = 'boundary-of-the-campaign'

/** The Content-Type of {@link formOf}. */
export const formType = `multipart/form-data; boundary=${boundary}`

/** A form that creates a secret with one file. */
export function formOf(json: string, file: Buffer): Buffer {
  const head = (disposition: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`
  const begin = `${head('name="secret"')}${json}\r\n${head('name="file"; filename="a file"')}`
  return Buffer.concat([Buffer.from(begin), file, Buffer.from(`\r\n--${boundary}--\r\n`)])
}
