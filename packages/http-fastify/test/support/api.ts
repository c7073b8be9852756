import type { Uuid } from '@sotto/core'
import Fastify, { type FastifyInstance, type InjectOptions, type LightMyRequestResponse } from 'fastify'
import { okAsync } from 'neverthrow'
import type { Test } from 'tap'
import {
  apiRoutes,
  openApiDocument,
  serviceRoutes,
  sottoServerOptions,
  type ApiRoutesOptions,
  type SottoServerOptions,
} from '../../src/index.ts'
import { createConformance, type Conformance } from './conformance.ts'
import { createWorld, type World, type WorldOptions } from './world.ts'

export const oneHost = 'http://localhost:3000'

/** A server with one account that has one folder and one token of both scopes. */
export interface Api extends World {
  readonly app: FastifyInstance
  readonly accountId: Uuid
  readonly folderId: Uuid
  readonly token: string
  readonly logLines: string[]
  readonly conformance: Conformance
  /** A request with the token of the account; a body is sent as JSON. The answer is checked against the document. */
  call(method: string, url: string, body?: unknown, headers?: Headers): Promise<LightMyRequestResponse>
  /** Any request. The answer is checked against the document if the path is one of the API. */
  inject(options: InjectOptions & { readonly url: string }): Promise<LightMyRequestResponse>
}

export type Headers = Record<string, string | string[]>

export interface ApiOptions extends WorldOptions {
  readonly baseUrl?: string
  readonly linkBaseUrl?: string
  readonly server?: Partial<SottoServerOptions>
  readonly authenticate?: ApiRoutesOptions['authenticate']
  readonly loginPage?: ApiRoutesOptions['loginPage']
  readonly logAddresses?: ApiRoutesOptions['logAddresses']
  /** Called before the plugins are registered. */
  readonly prepare?: (app: FastifyInstance) => void
}

export async function startApi(t: Test, options: ApiOptions = {}): Promise<Api> {
  const world = createWorld(options)
  const { sotto } = world
  const origins = {
    baseUrl: options.baseUrl ?? oneHost,
    linkBaseUrl: options.linkBaseUrl ?? options.baseUrl ?? oneHost,
  }
  const logLines: string[] = []
  const log = { level: 'trace', stream: { write: (line: string) => void logLines.push(line) } }
  const app = Fastify(sottoServerOptions({ sotto, log, ...options.server }))
  const { authenticate, loginPage, logAddresses } = options
  options.prepare?.(app)
  await app.register(apiRoutes, { prefix: '/api', sotto, authenticate, loginPage, logAddresses, ...origins })
  await app.register(serviceRoutes, { ...origins, sotto, ready: () => okAsync() })
  t.teardown(() => app.close())

  const accountId = await world.makeAccount()
  const folderId = await world.makeFolder(accountId)
  const token = await world.makeToken(accountId)
  const conformance = createConformance(openApiDocument({ ...origins, policy: sotto.policy }))
  const inject: Api['inject'] = async (request) => {
    const answer = await app.inject(request)
    const { statusCode: status, headers, body } = answer
    if (/^\/api(?:\/|$)/.test(request.url))
      conformance(request.method ?? 'GET', request.url, { status, headers, body })
    return answer
  }
  const call: Api['call'] = (method, url, body, headers = {}) =>
    inject({
      method: method,
      url,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    })
  return { ...world, app, accountId, folderId, token, logLines, conformance, call, inject }
}

/** Everything of an answer that must be the same for two answers to be identical. */
export function comparable({ statusCode, headers, body }: LightMyRequestResponse): unknown {
  const { date: _, connection: __, 'retry-after': ___, ...rest } = headers
  const compared = Object.entries(rest).filter(([name]) => !name.startsWith('x-ratelimit-'))
  return { statusCode, headers: Object.fromEntries(compared), body }
}

/** The `x-ratelimit-*` headers of an answer. */
export function quotaOf({
  headers,
}: Pick<LightMyRequestResponse, 'headers'>): [limit: unknown, remaining: unknown] {
  return [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]
}
