import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createNetServer, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import type { Teardown } from './installation.ts'

/** What a test has received, one entry for each message. */
export interface Receiver<Message> {
  readonly url: string
  readonly received: Message[]
  /** Waits until so many messages have come, or what a filter takes of them. */
  until(count: number, wanted?: (message: Message) => boolean): Promise<readonly Message[]>
}

/** A message as a webhook's receiver gets it. */
export interface Posted {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Answers a message with a status; `undefined` never answers. */
export type Answer = (posted: Posted) => number | undefined

/** An HTTP server on loopback that takes webhook messages. */
export async function startHttpReceiver(t: Teardown, answer: Answer = () => 204): Promise<Receiver<Posted>> {
  const messages = createMessages<Posted>()
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const posted = { path: request.url ?? '', headers: request.headers, body }
      messages.add(posted)
      const status = answer(posted)
      if (status !== undefined) response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { ...messages, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** A mail server on loopback that asks for a password. Each message is a mail as it was sent. */
export async function startMailReceiver(
  t: Teardown,
  { user, pass }: { readonly user: string; readonly pass: string },
): Promise<Receiver<string>> {
  const messages = createMessages<string>()
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth(auth, _session, done) {
      const isKnown = auth.username === user && auth.password === pass
      done(isKnown ? null : new Error('refused'), { user })
    },
    onData(stream, _session, done) {
      void text(stream).then((mail) => {
        messages.add(mail)
        done()
      })
    },
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  return { ...messages, url: `smtp://${user}:${encodeURIComponent(pass)}@127.0.0.1:${port}` }
}

/** A mail server that takes connections and says nothing. */
export async function startSilentServer(t: Teardown): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createNetServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    sockets.forEach((socket) => socket.destroy())
    server.close()
  })
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function createMessages<Message>() {
  const received: Message[] = []
  let waiting: (() => void)[] = []
  return {
    received,
    add(message: Message) {
      received.push(message)
      const woken = waiting
      waiting = []
      woken.forEach((wake) => wake())
    },
    async until(count: number, wanted: (message: Message) => boolean = () => true) {
      while (received.filter(wanted).length < count)
        await new Promise<void>((resolve) => waiting.push(resolve))
      return received.filter(wanted)
    },
  }
}
