import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Chance } from '../support/chance.ts'

/** A message about an open that a receiver has seen, whatever it answered. */
export interface SeenOpen {
  readonly id: string
  readonly secretId: string
  /** Opens counted by then, as the message says. */
  readonly opens: number
  /** When the open was, in milliseconds since the epoch. */
  readonly atMillis: number
}

/** What the receivers have seen. */
export interface Seen {
  readonly posts: readonly SeenOpen[]
  /** The ids of the posts that the receiver has taken. */
  readonly taken: ReadonlySet<string>
  /** The ids in the Message-ID of the mails that the mail server has taken, each as often as it came. */
  readonly mails: readonly string[]
}

export interface Receivers {
  readonly webhookUrl: string
  readonly smtpUrl: string
  readonly seen: Seen
  /** Makes them take everything immediately from now on. */
  beReliable(): void
  close(): Promise<void>
}

interface Changing {
  posts: SeenOpen[]
  taken: Set<string>
  mails: string[]
  isReliable: boolean
}

/** A webhook's receiver and a mail server that fail now and then: before they take a message, after they have taken it, slowly. */
export async function startReceivers(chance: Chance): Promise<Receivers> {
  const changing: Changing = { posts: [], taken: new Set(), mails: [], isReliable: false }
  const web = createServer((request, response) => {
    void receive(request, response, chance, changing).catch(() => response.destroy())
  })
  web.listen(0, '127.0.0.1')
  await once(web, 'listening')
  const mail = await startMailServer(chance, changing)
  return {
    webhookUrl: `http://127.0.0.1:${(web.address() as AddressInfo).port}/events`,
    smtpUrl: `smtp://127.0.0.1:${mail.port}`,
    seen: changing,
    beReliable: () => (changing.isReliable = true),
    async close() {
      web.closeAllConnections()
      await Promise.all([new Promise((resolve) => web.close(resolve)), mail.close()])
    },
  }
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  chance: Chance,
  { posts, taken, isReliable }: Changing,
): Promise<void> {
  const id = String(request.headers['webhook-id'])
  const { timestamp, data } = JSON.parse(await text(request)) as {
    readonly timestamp: string
    readonly data: { readonly secret_id: string; readonly opens: number }
  }
  posts.push({ id, secretId: data.secret_id, opens: data.opens, atMillis: Date.parse(timestamp) })
  const dice = isReliable ? 100 : chance.between(1, 100)
  if (dice <= 10) return void response.writeHead(500).end()
  if (dice <= 13) return void response.writeHead(429, { 'retry-after': '1' }).end()
  if (dice <= 17) return void response.destroy()
  taken.add(id)
  // Taken, but the sender does not learn it.
  if (dice <= 23) return void response.destroy()
  if (dice <= 30) await new Promise((resolve) => setTimeout(resolve, chance.between(50, 400)))
  response.writeHead(204).end()
}

/** What is used of the package smtp-server. */
interface MailServerModule {
  readonly SMTPServer: new (options: object) => {
    listen(port: number, host: string, callBack: () => void): { address(): AddressInfo }
    close(callBack: () => void): void
    on(event: 'error', listener: () => void): void
  }
}

async function startMailServer(
  chance: Chance,
  changing: Changing,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const { SMTPServer } = createRequire(
    new URL('../../../packages/adapter-mail/package.json', import.meta.url),
  )('smtp-server') as MailServerModule
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onData(stream: NodeJS.ReadableStream, _session: object, done: (error?: Error) => void) {
      text(stream as AsyncIterable<Uint8Array> & NodeJS.ReadableStream).then(
        (mail) => done(takeMail(mail, chance, changing)),
        () => undefined, // the sender was killed
      )
    },
  })
  server.on('error', () => undefined)
  const listening = await new Promise<{ address(): AddressInfo }>((resolve) => {
    const net = server.listen(0, '127.0.0.1', () => resolve(net))
  })
  return {
    port: listening.address().port,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** The error to answer with, if the mail is not taken. */
function takeMail(mail: string, chance: Chance, { mails, isReliable }: Changing): Error | undefined {
  const dice = isReliable ? 100 : chance.between(1, 100)
  // Greylisting, as mail servers answer a sender that they do not know yet.
  if (dice <= 15) return Object.assign(new Error('come back later'), { responseCode: 451 })
  mails.push(/^Message-ID: <([^@>]+)@/im.exec(mail)?.[1] ?? 'a mail without Message-ID')
  return undefined
}
