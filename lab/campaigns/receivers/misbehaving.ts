import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import type { Chance } from '../support/chance.ts'

/** What a webhook's receiver does instead of taking a message. */
export const misdeeds = [
  'hangs',
  'hangs after its status',
  'answers byte by byte',
  'closes',
  'resets',
  'breaks off its body',
  'redirects',
  'answers without end',
  'says 429 for ever',
  'says 500',
  'is not HTTP',
  'informs without end',
  'changes the protocol',
  'has no TLS',
  'is gone',
] as const

export type Misdeed = (typeof misdeeds)[number]

/** Where in a session a mail server misbehaves. */
const steps = ['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'message'] as const
type Step = (typeof steps)[number]

export interface Misbehaving {
  /** When each webhook was told of each secret, in milliseconds since the epoch, by {@link keyOf}. Only what it took. */
  readonly taken: ReadonlyMap<string, number>
  /** The ids of messages about each secret. */
  readonly ids: ReadonlyMap<string, ReadonlySet<string>>
  /** The ids of the mails that were taken. */
  readonly mails: ReadonlySet<string>
  /** Messages that arrived, whatever the answer was. */
  posts(): number
  readonly smtpUrl: string
  /** The address of the mailbox whose mails are refused for good. */
  readonly refusedMailbox: string
  /** Requests that should never have come: those of followed redirects. */
  followed(): number
  goodUrl(owner: number): string
  badUrl(misdeed: Misdeed, owner: number): string
  /** Makes all of them take everything, or misbehave; those that are gone or have no TLS never change. */
  behave(how: 'good' | 'bad'): void
  close(): void
}

interface Changing {
  readonly taken: Map<string, number>
  readonly ids: Map<string, Set<string>>
  readonly mails: Set<string>
  isGood: boolean
  posts: number
  followed: number
}

/** The key of a webhook's address and a secret. */
export function keyOf(url: string, secretId: string): string {
  return `${new URL(url).pathname} ${secretId}`
}

/** A good receiver, bad ones and a mail server, all of which behave once they are told to. */
export async function startMisbehaving(chance: Chance): Promise<Misbehaving> {
  const changing: Changing = {
    taken: new Map(),
    ids: new Map(),
    mails: new Set(),
    isGood: true,
    posts: 0,
    followed: 0,
  }
  const sockets = new Set<Socket>()
  const web = createHttpServer((request, response) => {
    receive(request, response, chance, changing).catch(() => response.destroy())
  })
  const mail = createServer((socket) => converse(socket, chance, changing))
  for (const server of [web, mail])
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    })
  const [webPort, mailPort] = await Promise.all([listen(web), listen(mail)])
  const urlOf = (name: string, owner: number, scheme = 'http'): string =>
    `${scheme}://127.0.0.1:${webPort}/${encodeURIComponent(name)}/canary-path-${owner}`
  return {
    taken: changing.taken,
    ids: changing.ids,
    mails: changing.mails,
    posts: () => changing.posts,
    smtpUrl: `smtp://127.0.0.1:${mailPort}`,
    refusedMailbox: 'refused@example.org',
    followed: () => changing.followed,
    goodUrl: (owner) => urlOf('good', owner),
    badUrl: (misdeed, owner) => urlOf(misdeed, owner, misdeed === 'has no TLS' ? 'https' : 'http'),
    behave(how) {
      changing.isGood = how === 'good'
    },
    close() {
      for (const socket of sockets) socket.destroy()
      web.close()
      mail.close()
    },
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  chance: Chance,
  changing: Changing,
): Promise<void> {
  const [, name = ''] = decodeURIComponent(request.url ?? '').split('/')
  if (name === 'followed') changing.followed += 1
  const id = String(request.headers['webhook-id'])
  const { data } = JSON.parse(await text(request)) as { readonly data: { readonly secret_id: string } }
  changing.posts += 1
  const ids = changing.ids.get(data.secret_id) ?? new Set()
  changing.ids.set(data.secret_id, ids.add(id))
  const misdeed = misdeeds.find((each) => each === name)
  const isBad = misdeed !== undefined && (!changing.isGood || misdeed === 'is gone')
  if (!isBad || lies.has(misdeed)) {
    const key = `${request.url ?? ''} ${data.secret_id}`
    if (!changing.taken.has(key)) changing.taken.set(key, Date.now())
  }
  if (isBad) answers[misdeed](response, chance)
  else response.writeHead(204).end()
}

/** Misdeeds whose status says that the message was taken: it counts as taken, whatever follows. */
const lies: ReadonlySet<string> = new Set<Misdeed>([
  'breaks off its body',
  'answers without end',
  'answers byte by byte',
])

/** The next byte of a slow answer comes after so many milliseconds. */
const byteMillis = 200

const answers: Readonly<Record<Misdeed, (response: ServerResponse, chance: Chance) => void>> = {
  hangs: () => undefined,
  'hangs after its status': (response) => response.writeHead(500, { 'content-length': '10' }).flushHeaders(),
  'answers byte by byte': ({ socket }) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
  closes: ({ socket }) => void socket?.end(),
  resets: ({ socket }) => void socket?.resetAndDestroy(),
  'breaks off its body': ({ socket }) =>
    void socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\nhalf a body'),
  redirects: (response, chance) =>
    void response.writeHead(chance.pick([301, 302, 303, 307, 308]) ?? 302, { location: '/followed/1' }).end(),
  'answers without end': (response) => {
    response.writeHead(200)
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  },
  'says 429 for ever': (response, chance) => {
    const absurd = [
      '99999999999999999999',
      '-1',
      'tomorrow',
      'Fri, 31 Dec 9999 23:59:59 GMT',
      '1e9',
      '0',
      '86401',
    ]
    response.writeHead(429, { 'retry-after': chance.pick(absurd) }).end()
  },
  'says 500': (response) => void response.writeHead(500).end('canary-answer'),
  'is not HTTP': ({ socket }) => void socket?.end('220 canary-answer ESMTP\r\n'.repeat(100)),
  'informs without end': (response) => {
    const more = (): void => {
      if (response.destroyed || response.socket?.destroyed === true) return
      response.writeEarlyHints({ link: '</x>; rel=preload' })
      setTimeout(more, 20).unref()
    }
    more()
  },
  'changes the protocol': ({ socket }) =>
    void socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: canary\r\n\r\n'),
  // What is posted to it never arrives: it expects no TLS.
  'has no TLS': (response) => void response.destroy(),
  'is gone': (response) => void response.writeHead(410).end(),
}

function drip(socket: Socket | null, bytes: string): void {
  if (socket === null || socket.destroyed || bytes === '') return
  socket.write(bytes.slice(0, 1))
  setTimeout(() => drip(socket, bytes.slice(1)), byteMillis).unref()
}

const good: Readonly<Record<Step, string>> = {
  greeting: '220 mail.test',
  EHLO: '250 mail.test',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  message: '250 taken',
}

/** A session of SMTP that goes wrong at one step, or does not. */
function converse(socket: Socket, chance: Chance, changing: Changing): void {
  const wrong = changing.isGood || chance.happens(20) ? undefined : chance.pick(steps)
  const misdeed = chance.pick(misdeedsOfMail)
  const answer = (step: Step): void => {
    if (step !== wrong) socket.write(`${good[step]}\r\n`)
    else misdeed?.(socket, good[step])
  }
  let mail: string[] | undefined
  let isRefused = false
  answer('greeting')
  const lines = createInterface({ input: socket })
  lines.on('error', () => undefined) // the sender has left
  lines.on('line', (line) => {
    if (mail !== undefined) {
      if (line !== '.') return void mail.push(line)
      const id = /^Message-ID: <([^@>]+)@/im.exec(mail.join('\n'))?.[1]
      if (wrong !== 'message' || misdeed === slowly) changing.mails.add(id ?? 'a mail without Message-ID')
      mail = undefined
      answer('message')
      return
    }
    if (line.startsWith('RCPT')) isRefused = line.includes('refused@')
    const step = steps.find((command) => line.startsWith(command))
    if (step === undefined) return void socket.write(line.startsWith('QUIT') ? '221 bye\r\n' : '250 ok\r\n')
    if (step === 'RCPT' && isRefused) return void socket.write('550 nobody here\r\n')
    if (step === 'DATA') mail = []
    answer(step)
  })
}

/** So it is taken all the same. */
const slowly = (socket: Socket, answer: string): void => drip(socket, `${answer}\r\n`)

const misdeedsOfMail: readonly ((socket: Socket, answer: string) => void)[] = [
  () => undefined,
  (socket) => void socket.end(),
  (socket) => void socket.resetAndDestroy(),
  slowly,
  (socket) => void socket.write('451 canary-answer\r\n'),
  (socket) => void socket.write(`421 ${'x'.repeat(200_000)}\r\n`),
  (socket) => void socket.write('250-canary-answer\r\n'.repeat(5_000)),
  (socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n'),
]
