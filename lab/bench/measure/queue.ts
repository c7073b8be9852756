import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expectOk } from '@sotto/test-kit'
import { memoryMiB } from '../processes/program.ts'
import { startServer } from '../processes/servers.ts'
import { withSotto } from '../stores/store.ts'

export interface Queue {
  /** Messages that waited for one webhook, whose receiver takes each immediately. */
  readonly messages: number
  /** How many of them arrived a second, from the first to the last. */
  readonly rate: number
  /** Messages that waited for a webhook whose receiver takes none. */
  readonly waiting: number
  /** The resident memory with them, some seconds after the start, minus that of the server that had sent everything. */
  readonly extraMiB: number
}

interface QueuePlan {
  readonly messages: number
  readonly waiting: number
  /** How long a server is left alone before its memory is read. */
  readonly restMillis: number
}

/** Links whose opens are reported. Messages about one link are sent one after another. */
const links = 500
const opensAtOnce = 250
/** The limit of opens of each link. Opens that wait would be reported together if it were larger or missing. */
const openLimit = 1_000
/** The server may connect to the receiver, which is on this machine. */
const settings = { SOTTO_WEBHOOK_ALLOW: '127.0.0.0/8' }

/** Queues messages about opens while no server runs, then starts one and watches what it does with them. */
export async function measureQueue(
  directory: string,
  { messages, waiting, restMillis }: QueuePlan,
): Promise<Queue> {
  const receiver = await startReceiver()
  try {
    const tokens = await prepare(directory, receiver.url)
    await open(directory, tokens, messages)
    const sending = await startServer({ directory, freeOfQuota: true, settings })
    const rate = await receiver.rateOf(messages)
    await pause(restMillis)
    const before = memoryMiB(sending.pid).now
    await sending.stop()

    receiver.refuse()
    await open(directory, tokens, waiting)
    const holding = await startServer({ directory, freeOfQuota: true, settings })
    await pause(restMillis)
    const extraMiB = Math.max(0, memoryMiB(holding.pid).now - before)
    await holding.stop()
    return { messages, rate, waiting, extraMiB }
  } finally {
    receiver.close()
  }
}

async function startReceiver() {
  const ids = new Set<string>()
  let isRefusing = false
  let firstMillis = 0
  const server = createServer((request, response) => {
    if (ids.size === 0) firstMillis = performance.now()
    if (!isRefusing) ids.add(String(request.headers['webhook-id']))
    request.resume()
    response.writeHead(isRefusing ? 503 : 204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    refuse: () => (isRefusing = true),
    /** Waits until so many different messages have arrived. */
    async rateOf(count: number): Promise<number> {
      while (ids.size < count) await pause(5)
      return count / ((performance.now() - firstMillis) / 1000)
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function prepare(directory: string, url: string): Promise<readonly string[]> {
  return withSotto(directory, settings, async (sotto) => {
    const { id: accountId } = expectOk(await sotto.createAccount({ email: 'owner@example.org' }))
    const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'Folder' }))
    expectOk(await sotto.createWebhook({ accountId, url }))
    const secret = { accountId, folderId, label: 'Secret', note: 'a note', notify: true, openLimit }
    const made = await Promise.all(Array.from({ length: links }, () => sotto.createSecret(secret)))
    return made.map((each) => expectOk(each).link.token)
  })
}

function open(directory: string, tokens: readonly string[], count: number): Promise<void> {
  return withSotto(directory, settings, async (sotto) => {
    for (let opened = 0; opened < count; opened += opensAtOnce) {
      const some = Array.from({ length: Math.min(opensAtOnce, count - opened) }, (_, at) =>
        sotto.openSecret({ token: tokens[(opened + at) % tokens.length] ?? '' }),
      )
      for (const each of await Promise.all(some)) expectOk(each)
    }
  })
}
