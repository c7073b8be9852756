import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Upload {
  readonly port: number
  readonly path: string
  readonly token?: string | undefined
  /** The part `secret`. */
  readonly secret: string
  /** The length of the file. */
  readonly bytes: number
}

const piece = randomBytes(1_048_576)
const boundary = 'boundary-of-the-bench'
const partHead = (name: string, type: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name=${name}\r\nContent-Type: ${type}\r\n\r\n`
const tail = Buffer.from(`\r\n--${boundary}--\r\n`)

/** Sends one file by form, as fast as it is taken. Resolves with the body of the answer. */
export async function upload({ port, path, token, secret, bytes }: Upload): Promise<string> {
  const head = Buffer.from(
    `${partHead('"secret"', 'application/json')}${secret}\r\n${partHead('"file"; filename="contract.pdf"', 'application/pdf')}`,
  )
  const headers = {
    accept: 'application/json',
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': head.length + bytes + tail.length,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers })
  const answered = once(sent, 'response')
  sent.write(head)
  for (let left = bytes; left > 0; left -= piece.length)
    if (!sent.write(piece.subarray(0, left))) await Promise.race([once(sent, 'drain'), answered])
  sent.end(tail)
  return bodyOf(await answered)
}

/** The body of the answer to a POST without a body. */
export async function post(port: number, path: string): Promise<string> {
  const headers = { accept: 'application/json', 'content-length': 0 }
  const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers }).end()
  return bodyOf(await once(sent, 'response'))
}

/** Resolves when at least so many bytes have arrived, and all of them. */
export async function download(port: number, path: string, bytes: number): Promise<void> {
  const sent = request({ host: '127.0.0.1', port, path }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  let arrived = 0
  answer.on('data', (part: Buffer) => (arrived += part.length))
  await once(answer, 'end')
  if (answer.statusCode !== 200 || arrived < bytes)
    throw new Error(`${path} was answered with ${answer.statusCode} and ${arrived} bytes`)
}

async function bodyOf([answer]: readonly IncomingMessage[]): Promise<string> {
  if (answer === undefined) throw new TypeError('there is no answer')
  const body = await text(answer)
  if ((answer.statusCode ?? 0) >= 300) throw new Error(`an answer is ${answer.statusCode}: ${body}`)
  return body
}
