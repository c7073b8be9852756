import {
  mailSenderContract,
  runContract,
  type MailSenderHarness,
  type MailSenderUnderTest,
} from '@sotto/test-kit'
import { SMTPServer } from 'smtp-server'
import type { AddressInfo, Socket } from 'node:net'
// Sending the first mail loads it, which no case should have to wait for.
import 'nodemailer'
import t from 'tap'
import { createMailSender } from '../src/index.ts'
import { refusal } from './support/smtp-server.ts'

type Behaviour = Parameters<MailSenderUnderTest['serve']>[0]

const harness: MailSenderHarness = {
  supports: ['defers', 'rejects', 'hangs', 'closes', 'absent'],
  async open() {
    const server = await openServer()
    const { port } = server
    const options = {
      smtpUrl: `smtp://127.0.0.1:${port}`,
      from: 'sotto@sender.example',
      baseUrl: 'https://sotto.example',
    }
    // Only a server that hangs is waited for in vain: any other one may be slow on a busy machine.
    const [hasty, patient] = [
      createMailSender({ ...options, timeoutMillis: 1_000 }),
      createMailSender(options),
    ]
    let isHanging = false
    return {
      ...server,
      sender: { send: (mail) => (isHanging ? hasty : patient).send(mail) },
      withinMillis: 20_000,
      serve(behaviour) {
        isHanging = behaviour === 'hangs'
        return server.serve(behaviour)
      },
      async dispose() {
        hasty.close()
        patient.close()
        await server.serve('absent')
      },
    }
  },
}

runContract(t.test, mailSenderContract, harness)

/** A mail server whose behaviour changes, at the same port. */
async function openServer(): Promise<
  Pick<MailSenderUnderTest, 'serve' | 'taken'> & { readonly port: number }
> {
  let behaviour: Behaviour = 'takes'
  let taken = 0
  const sockets = new Set<Socket>()
  const { server } = new SMTPServer({
    logger: false,
    disableReverseLookup: true,
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, callback) {
      if (behaviour === 'hangs') return
      if (behaviour === 'closes') for (const socket of sockets) socket.destroy()
      else callback(behaviour === 'takes' ? null : refusal(behaviour === 'defers' ? 451 : 550))
    },
    onData(stream, _session, callback) {
      stream.resume()
      stream.on('end', () => {
        taken += 1
        callback()
      })
    },
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    port,
    taken: () => taken,
    async serve(next) {
      behaviour = next
      if (next !== 'absent') return server.listening ? undefined : listen(port)
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
