import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'

/** What a server does instead of answering. */
export type Misdeed = (socket: Socket) => void

/** Where in a session: at the greeting, at a command, or once the message has come. */
export type Step = 'greeting' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'message'

export interface RawServer {
  readonly port: number
  /** How many connections there were. */
  readonly connections: () => number
}

const answers: Readonly<Record<Step, string>> = {
  greeting: '220 raw.test',
  EHLO: '250 raw.test',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  message: '250 taken',
}

/** A server that answers as it should until a step, where it does something else. */
export async function startRawServer(t: Test, step: Step, misdeed: Misdeed): Promise<RawServer> {
  let connections = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    converse(socket, step, misdeed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

function converse(socket: Socket, wrong: Step, misdeed: Misdeed): void {
  const answer = (step: Step): void => {
    if (step === wrong) misdeed(socket)
    else socket.write(`${answers[step]}\r\n`)
  }
  let inMessage = false
  createInterface({ input: socket }).on('line', (line) => {
    if (inMessage) {
      inMessage = line !== '.'
      if (!inMessage) answer('message')
      return
    }
    const step = (['EHLO', 'MAIL', 'RCPT', 'DATA'] as const).find((command) => line.startsWith(command))
    if (step === undefined) return
    inMessage = step === 'DATA'
    answer(step)
  })
  answer('greeting')
}
