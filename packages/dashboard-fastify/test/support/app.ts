import { inspect } from 'node:util'
import type { Uuid } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import Fastify from 'fastify'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { okAsync } from 'neverthrow'
import type { Test } from 'tap'
import type { Later } from '../../src/shared/later.ts'
import { dashboardRoutes, type Sealing } from '../../src/index.ts'
import { linkRoutes, serviceRoutes, sottoServerOptions } from '@sotto/http-fastify'
import { createWorld, type World, type WorldOptions } from '../../../http-fastify/test/support/world.ts'

export const origin = 'http://localhost:3000'
export const formType = 'application/x-www-form-urlencoded'
export const password = 'correct horse battery'
/** The address from which owners choose their password: their accounts know it. */
export const knownAddress = '192.0.2.1'

export interface DashboardOptions extends WorldOptions {
  readonly baseUrl?: string
  readonly linkBaseUrl?: string
  readonly logAddresses?: boolean
  /** True by default: the senders remember what they are given. */
  readonly canMail?: boolean
  readonly canPost?: boolean
  /** How the pages call the identity provider in memory, which is there with it. */
  readonly singleSignOn?: string
  readonly sealing?: Sealing
  /** Immediately by default. */
  readonly later?: Later
}

/** Somebody who is signed in. */
export interface Owner {
  readonly accountId: Uuid
  readonly email: string
  readonly sessionId: Uuid
  /** Of the session. */
  readonly token: string
}

export type Fields = Readonly<Record<string, string>>

export interface Sent {
  readonly as?: Pick<Owner, 'token'> | undefined
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly address?: string | undefined
  readonly body?: string | Buffer | undefined
}

/** The owner's pages beside links and the service's own paths, as a server has them. */
export interface Dashboard extends World {
  readonly app: FastifyInstance
  /** The paths of `dashboardRoutes`, as they were registered, such as `/drafts/:id`. */
  readonly urls: readonly string[]
  readonly logLines: string[]
  /** An owner with a password, signed in. */
  makeOwner(email?: string): Promise<Owner>
  request(method: string, path: string, sent?: Sent): Promise<LightMyRequestResponse>
  get(path: string, sent?: Sent): Promise<LightMyRequestResponse>
  /** Sends a form, without the headers that tell browsers. */
  post(path: string, fields: Fields, sent?: Sent): Promise<LightMyRequestResponse>
  signIn(fields: Fields, sent?: Sent): Promise<LightMyRequestResponse>
  /** Everything that is stored, except what is counted. Two equal snapshots: nothing was changed. */
  snapshot(): string
}

export async function startDashboard(t: Test, options: DashboardOptions = {}): Promise<Dashboard> {
  const { baseUrl = origin, linkBaseUrl = baseUrl, logAddresses, canMail = true, canPost = true } = options
  const later: Later = options.later ?? ((work) => void work())
  const world = createWorld(options)
  const { sotto, memory } = world
  const logLines: string[] = []
  const log = { level: 'trace', stream: { write: (line: string) => void logLines.push(line) } }
  const app = Fastify(sottoServerOptions({ sotto, log }))
  t.teardown(() => app.close())
  const registered = new Set<string>()
  app.addHook('onRoute', ({ url }) => void registered.add(url))
  const { textCipher, clock, identityProvider } = memory
  const { issuer } = identityProvider
  const label = options.singleSignOn
  const singleSignOn = label === undefined ? undefined : { label, issuer, textCipher, clock }
  const urlsOf = { baseUrl, linkBaseUrl }
  const channels = { canMail, canPost }
  const { sealing } = options
  await app.register(dashboardRoutes, {
    ...{ sotto, ...urlsOf, logAddresses, ...channels, singleSignOn, later, sealing },
  })
  const urls = [...registered]
  await app.register(linkRoutes, { sotto, baseUrl, linkBaseUrl })
  const service = { sotto, baseUrl, linkBaseUrl, hasStartPage: false, ready: () => okAsync(undefined) }
  await app.register(serviceRoutes, service)

  const name = new URL(baseUrl).protocol === 'https:' ? '__Host-sotto' : 'sotto'
  const request: Dashboard['request'] = (method, url, { as, headers, address, body } = {}) =>
    app.inject({
      method: method as 'GET',
      url,
      remoteAddress: address ?? knownAddress,
      headers: {
        host: new URL(baseUrl).host,
        accept: 'text/html',
        ...(as && { cookie: `${name}=${as.token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: body }),
    })
  const post: Dashboard['post'] = (path, fields, sent = {}) =>
    request('POST', path, {
      ...sent,
      headers: { 'content-type': formType, ...sent.headers },
      body: new URLSearchParams(fields).toString(),
    })
  let owners = 0
  return {
    ...world,
    app,
    urls,
    logLines,
    async makeOwner(email = `person${(owners += 1)}@example.org`) {
      const { token } = expectOk(await sotto.inviteAccount({ email }))
      const session = expectOk(await sotto.choosePassword({ token, password, address: knownAddress }))
      return { accountId: session.accountId, email, sessionId: session.id, token: session.token }
    },
    request,
    get: (path, sent) => request('GET', path, sent),
    post,
    signIn: (fields, sent) => post('/login', fields, sent),
    snapshot() {
      const { quota: _, signInAttempts: __, ...rest } = memory.data
      return inspect(rest, { depth: Infinity, maxArrayLength: null, maxStringLength: null, sorted: true })
    },
  }
}

/** The value of the session's cookie that an answer sets; `undefined` when it sets none. */
export function sessionOf({ headers }: LightMyRequestResponse): { token: string } | undefined {
  const token = /^(?:__Host-)?sotto=([^;]+);/.exec(String(headers['set-cookie']))?.[1]
  return token === undefined ? undefined : { token }
}

/** Everything of an answer that must be the same for two answers to be identical. The challenge for a passkey is another one each time. */
export function comparable({ statusCode, headers, body }: LightMyRequestResponse): unknown {
  const { date: _, connection: __, ...rest } = headers
  return { statusCode, headers: rest, body: body.replace(/(challenge&quot;:&quot;)[\w-]{64}/g, '$1') }
}

/** What a browser shows of a page's text: its markup, style and script aside. */
export function unescaped(html: string): string {
  const named: Fields = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#13': '\r' }
  return html.replace(/&(amp|lt|gt|quot|#39|#13);/g, (_, name: string) => named[name] ?? '')
}
