import type { Agent as HttpAgent } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import type { SendFailed, WebhookRequest, WebhookSender } from '@sotto/core'
import { toWireWebhookEvent } from '@sotto/wire'
import { err, ResultAsync, type Result } from 'neverthrow'
import { createAddressRules, type AddressRules } from './addresses.ts'
import { HttpAgentByReceiver, HttpsAgentByReceiver } from './agents.ts'
import { createLookup } from './lookup.ts'
import { http } from './node-http.ts'
import { post } from './post.ts'
import { createResolver, type ResolveName } from './resolve-name.ts'
import { signatureHeaders } from './signature.ts'
import { retry, verdictOf } from './verdict.ts'
import { readWebhookUrl } from './webhook-url.ts'

/** What may be posted to, and how. */
export interface WebhookSenderOptions {
  /**
   * Addresses and CIDR ranges that may be posted to although they are not public, and by `http:` too. Each is `isAddressRange`. By
   * default none.
   */
  readonly allow?: readonly string[] | undefined
  /** The header `User-Agent`, such as `Sotto/1.2.0`. By default `Sotto`. */
  readonly userAgent?: string | undefined
  /** Certificates (PEM) that receivers' certificates are checked against. By default those that Node trusts. */
  readonly ca?: string | undefined
  /** How long a message may take in all, in milliseconds. By default 9,500: the port allows 10 seconds, and a busy machine is late. */
  readonly timeoutMillis?: number | undefined
  /** How long a connection stays open that is not used, in milliseconds. By default 4,000: less than receivers usually keep one. */
  readonly idleMillis?: number | undefined
  /** Finds the addresses of a name. By default DNS, and where `allow` has ranges the hosts file of the machine too. */
  readonly resolveName?: ResolveName | undefined
}

/** A `WebhookSender` with connections of its own, to be closed when the process stops. */
export interface NodeWebhookSender extends WebhookSender {
  /** Closes every connection. Messages that are being sent fail. */
  close(): void
}

const reasons = {
  not_a_url: 'not a URL',
  not_https: 'not https',
  address_not_allowed: 'address not allowed',
} as const

/**
 * Posts messages as Standard Webhooks describe them, to public addresses and those that `allow` names. Connections stay open for a
 * while, for further messages to the same URL: an address is checked when its connection is made. Redirects are not followed and proxies of
 * the environment not used.
 * @throws TypeError when an option is out of bounds
 */
export function createWebhookSender(options: WebhookSenderOptions = {}): NodeWebhookSender {
  const { allow = [], userAgent = 'Sotto', timeoutMillis = 9_500 } = options
  const rules = createAddressRules(allow)
  http.validateHeaderValue('user-agent', userAgent)
  const agents = createAgents(rules, options)
  const attempt = async (request: WebhookRequest): Promise<Result<void, SendFailed>> => {
    const { url: text, secret, message, atMicros } = request
    const url = readWebhookUrl(text, rules)
    if (url.isErr()) return err(retry(reasons[url.error.rule]))
    const body = JSON.stringify(toWireWebhookEvent(message))
    const signed = signatureHeaders({ id: message.id, secret, body, atMicros })
    if (!signed) return err({ ...retry('signing secret malformed'), verdict: 'never' })
    const headers = { 'content-type': 'application/json', 'user-agent': userAgent, ...signed }
    const agent = url.value.protocol === 'https:' ? agents.https : agents.http
    return verdictOf(await post({ url: url.value, headers, body, agent, timeoutMillis }), atMicros)
  }
  return {
    checkUrl: (url) => readWebhookUrl(url, rules).map(() => undefined),
    send: (request) =>
      ResultAsync.fromPromise(attempt(request), () => retry('not sent')).andThen((result) => result),
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

function createAgents(
  rules: AddressRules,
  {
    ca,
    idleMillis = 4_000,
    resolveName = createResolver({ alsoHosts: !rules.isEmpty }),
  }: WebhookSenderOptions,
): { readonly http: HttpAgent; readonly https: HttpsAgent } {
  // Callers bound how many connections are open, by how much they send. A message that waited here for one would fail because other
  // receivers are slow.
  const connections = {
    keepAlive: true,
    maxFreeSockets: 16, // of one URL
    timeout: idleMillis,
    autoSelectFamily: true,
  } as const
  return {
    http: new HttpAgentByReceiver({ ...connections, lookup: createLookup(resolveName, rules.isNamed) }),
    https: new HttpsAgentByReceiver({
      ...connections,
      lookup: createLookup(resolveName, rules.isAllowed),
      rejectUnauthorized: true, // whatever the environment says
      ...(ca !== undefined && { ca }),
    }),
  }
}
