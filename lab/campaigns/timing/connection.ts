import { once } from 'node:events'
import { connect } from 'node:net'

/** One kept-alive connection that carries one request at a time. */
export interface Connection {
  /** Sends the bytes of a request. Microseconds until the first byte of its answer arrives, and the whole answer. */
  time(request: Buffer, delayMicros: number): Promise<{ readonly micros: number; readonly answer: string }>
  close(): void
}

/** Connects to a server on this machine. */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  await once(socket, 'connect')
  return {
    time: (request, delayMicros) =>
      new Promise((resolve, reject) => {
        let answer = ''
        let micros = 0
        const receive = (bytes: Buffer) => {
          micros ||= Number(process.hrtime.bigint() - began) / 1000
          answer += bytes.toString('latin1')
          if (!isWhole(answer)) return
          socket.off('data', receive).off('error', reject)
          resolve({ micros, answer })
        }
        socket.on('data', receive).on('error', reject)
        const began = process.hrtime.bigint()
        wait(began, delayMicros)
        socket.write(request)
      }),
    close: () => void socket.destroy(),
  }
}

function isWhole(answer: string): boolean {
  const head = answer.indexOf('\r\n\r\n')
  if (head < 0) return false
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(answer)?.[1])
  return answer.length >= head + 4 + length
}

/** Waits without giving the processor away: timers are a hundred times too coarse. */
function wait(began: bigint, micros: number): void {
  if (micros === 0) return
  const end = began + BigInt(micros * 1000)
  while (process.hrtime.bigint() < end);
}
