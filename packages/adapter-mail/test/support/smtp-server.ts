import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { AddressInfo, Socket } from 'node:net'
import type { Test } from 'tap'

/** A mail as a server got it. */
export interface Received {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
  readonly secure: boolean
  readonly user: unknown
  /** Which connection brought it. */
  readonly session: string
}

export interface TestServer {
  readonly port: number
  readonly received: readonly Received[]
  /** Ends the connection that is open, as servers do with one that is idle. */
  endConnection(): Promise<void>
}

/** A mail server on this machine, which takes everything that the options do not refuse. */
export async function startServer(t: Test, options: SMTPServerOptions = {}): Promise<TestServer> {
  const received: Received[] = []
  let open: Socket | undefined
  const closed = Promise.withResolvers<undefined>()
  const server = new SMTPServer({
    logger: false,
    disableReverseLookup: true,
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onClose: () => {
      closed.resolve(undefined)
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('latin1'),
          secure: session.secure,
          user: session.user as unknown,
          session: session.id,
        })
        callback()
      })
    },
    ...options,
  })
  // A client that refuses the certificate, or leaves: what it makes of that is its own test.
  server.on('error', () => undefined)
  const listening = server.listen(0, '127.0.0.1')
  listening.on('connection', (socket: Socket) => (open = socket))
  await new Promise((resolve) => listening.once('listening', resolve))
  t.teardown(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = listening.address() as AddressInfo
  const endConnection = async (): Promise<void> => {
    open?.end()
    await closed.promise
  }
  return { port, received, endConnection }
}

/** A refusal with a status, and a text that must not get any further. */
export function refusal(responseCode: number, text = 'canary-of-the-server'): Error {
  return Object.assign(new Error(text), { responseCode })
}

/** Reads a mail with a parser that shares no code with the sender. */
export async function parsed({ raw }: Pick<Received, 'raw'>): Promise<Email> {
  return PostalMime.parse(Buffer.from(raw, 'latin1'))
}
