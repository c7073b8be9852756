import { connect, type Socket } from 'node:net'

/** A minimal HTTP/1.1 client, so that one processor is enough to keep a server busy. */
export interface Connection {
  /**
   * Sends a request. Resolves with the status when the whole answer has arrived. Rejects when the answer lacks the text that it must
   * contain. One request at a time.
   */
  request(text: string, contains?: string): Promise<number>
  readonly bytes: () => number
  close(): void
}

/** Connects to 127.0.0.1. */
export function openConnection(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const reading = createReading()
    const socket: Socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(65_536),
        callback: (length, buffer) => {
          try {
            reading.take(buffer as Buffer, length)
          } catch (error) {
            reading.fail(error as Error)
          }
          return true
        },
      },
    })
    socket.once('error', reject)
    socket.once('close', () => reading.fail(new Error('the server closed a connection')))
    socket.once('connect', () => {
      resolve({
        request: (text, contains) => {
          const answer = reading.next(contains)
          socket.write(text, 'latin1')
          return answer
        },
        bytes: reading.bytes,
        close: () => socket.destroy(),
      })
    })
  })
}

/** Reads answers one after another: with a Content-Length, or chunked without CR LF in their text, like JSON. */
function createReading() {
  let waiting: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined
  let status = 0
  /** Bytes of the body that are missing; `undefined` between answers, -1 while a chunked body is read. */
  let missing: number | undefined
  let tail = ''
  let bytes = 0
  let contains: string | undefined
  /** The answer so far, if it is searched. */
  let answer = ''

  function begin(buffer: Buffer, length: number): void {
    const end = buffer.indexOf('\r\n\r\n')
    if (end === -1 || end >= length) throw new Error('the headers arrived in pieces')
    const head = buffer.toString('latin1', 0, end + 2)
    status = Number(head.slice(9, 12))
    const at = indexOfLength(head)
    tail = ''
    missing = at === -1 ? -1 : Number.parseInt(head.slice(at + 18, at + 30)) - (length - end - 4)
  }

  return {
    bytes: () => bytes,
    next: (needed: string | undefined): Promise<number> =>
      new Promise((resolve, reject) => {
        contains = needed
        answer = ''
        waiting = { resolve, reject }
      }),
    fail: (error: Error): void => waiting?.reject(error),
    take(buffer: Buffer, length: number): void {
      bytes += length
      if (contains !== undefined) answer += buffer.toString('latin1', 0, length)
      if (missing === undefined) begin(buffer, length)
      else if (missing > 0) missing -= length
      if (missing === -1) {
        tail = (tail + buffer.toString('latin1', Math.max(0, length - 7), length)).slice(-7)
        if (tail !== '\r\n0\r\n\r\n') return
      } else if (missing !== 0) return
      missing = undefined
      if (contains !== undefined && !answer.includes(contains))
        throw new Error(`an answer with the status ${status} lacks ${contains}: ${bodyOf(answer)}`)
      waiting?.resolve(status)
    },
  }
}

/** Node.js writes the names of headers as its program gives them, most others begin each word with a capital. */
function indexOfLength(head: string): number {
  const at = head.indexOf('\r\ncontent-length: ')
  return at === -1 ? head.indexOf('\r\nContent-Length: ') : at
}

function bodyOf(answer: string): string {
  return answer
    .slice(answer.indexOf('\r\n\r\n') + 4)
    .slice(0, 300)
    .trim()
}
