import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

/** What is used of the package standardwebhooks, whose verifier refuses a timestamp that is more than five minutes off. */
interface Verifier {
  readonly Webhook: new (secret: string) => {
    verify(body: string, headers: Readonly<Record<string, string>>): unknown
  }
}

/** How long it takes to answer: long enough that another server can take the lease of a message meanwhile, if it believes that it may. */
const answersAfterMillis = 400

/** A receiver of webhooks, on a machine whose clock is right. */
export interface Receiver {
  urlOf(owner: string): string
  /** Verifies the messages to this owner with this secret. */
  verifyWith(owner: string, secret: string): void
  /** The ids of the messages that came, each as often as it came. */
  readonly ids: readonly string[]
  /** Why messages were refused by the verifier. */
  readonly refused: readonly string[]
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const adapter = new URL('../../../packages/adapter-webhook/package.json', import.meta.url)
  const { Webhook } = createRequire(adapter)('standardwebhooks') as Verifier
  const verifiers = new Map<string, InstanceType<typeof Webhook>>()
  const ids: string[] = []
  const refused: string[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request)
      const headers = request.headers as Readonly<Record<string, string>>
      ids.push(headers['webhook-id'] ?? 'no id')
      try {
        verifiers.get(request.url ?? '')?.verify(body, headers)
      } catch (error) {
        refused.push(error instanceof Error ? error.message : String(error))
      }
      await pause(answersAfterMillis)
      response.writeHead(204).end()
    })().catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    urlOf: (owner) => `${origin}/${owner}`,
    verifyWith: (owner, secret) => void verifiers.set(`/${owner}`, new Webhook(secret)),
    ids,
    refused,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
