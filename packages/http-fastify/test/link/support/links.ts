import type { AddressInfo } from 'node:net'
import {
  createAccount,
  createFolder,
  createSecret,
  type NewSecret,
  type Ports,
  type ShareableSecret,
} from '@sotto/core'
import {
  createFakeCipher,
  createManualClock,
  createMemoryQuota,
  createMemoryStorage,
  createSeededRandom,
  noonMicros,
  type ManualClock,
  type MemoryStorage,
} from '@sotto/test-kit'
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { linkRoutes } from '../../../src/link/link-routes.ts'
import { sottoServerOptions } from '../../../src/server-options.ts'

export const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
export const formType = 'application/x-www-form-urlencoded'

export interface LinksOptions {
  readonly baseUrl?: string
  readonly linkBaseUrl?: string
  /** Puts other ports in the place of the fakes. */
  readonly replace?: (ports: Ports) => Partial<Ports>
  /** Runs on Fastify's own defaults, as somebody else's application may, which log every request with its URL. */
  readonly withFastifyDefaults?: boolean
  /** Before the links are registered. */
  readonly prepare?: (app: FastifyInstance) => void
}

export interface Sent {
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer | undefined
}

/** Links on an application of their own, on fakes, and one folder to put secrets into. */
export interface Links {
  readonly app: FastifyInstance
  readonly clock: ManualClock
  readonly storage: MemoryStorage
  /** Everything that was logged, from the finest level on. */
  readonly logLines: string[]
  /** Keeps a secret and gives its link away. */
  share(fields?: Partial<NewSecret>): Promise<{ secret: ShareableSecret; path: string }>
  /** How often it was opened so far. */
  opens(secret: ShareableSecret): number | undefined
  /** Listens on a free port of 127.0.0.1 and tells which. */
  listen(): Promise<number>
  request(method: string, path: string, sent?: Sent): Promise<LightMyRequestResponse>
  /** As a browser asks for a page. */
  visit(path: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  /** As a browser sends the form of a page. */
  submit(
    path: string,
    fields: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>
  /** As a program opens a link. */
  openJson(path: string, body?: unknown): Promise<LightMyRequestResponse>
}

export async function startLinks(t: Test, options: LinksOptions = {}): Promise<Links> {
  const { linkBaseUrl = 'http://localhost:3000', baseUrl = linkBaseUrl } = options
  const clock = createManualClock(noonMicros)
  const storage = createMemoryStorage()
  const fakes = createFakes(storage, clock)
  const ports = { ...fakes, ...options.replace?.(fakes) }
  const logLines: string[] = []
  const log = { level: 'trace', stream: { write: (line: string) => void logLines.push(line) } }
  const app = Fastify(options.withFastifyDefaults ? { logger: log } : sottoServerOptions({ ports, log }))
  options.prepare?.(app)
  await app.register(linkRoutes, { ports, baseUrl, linkBaseUrl })
  t.teardown(() => app.close())
  const { id: accountId } = (await createAccount(fakes, { email: 'owner@example.org' }))._unsafeUnwrap()
  const { id: folderId } = (await createFolder(fakes, { accountId, label: 'Folder' }))._unsafeUnwrap()

  const request: Links['request'] = (method, url, { headers = {}, body } = {}) =>
    app.inject({
      method: method as 'GET',
      url,
      headers: { host: new URL(linkBaseUrl).host, ...headers },
      ...(body === undefined ? {} : { payload: body }),
    })
  return {
    app,
    clock,
    storage,
    logLines,
    async share(fields) {
      const input = { accountId, folderId, label: 'Secret', note: 'note', ...fields }
      const secret = (await createSecret(fakes, input))._unsafeUnwrap()
      return { secret, path: `/${secret.link.token}` }
    },
    opens: ({ id }) => storage.data.secrets.get(id)?.opens,
    async listen() {
      await app.listen({ host: '127.0.0.1', port: 0 })
      return (app.server.address() as AddressInfo).port
    },
    request,
    visit: (path, headers) => request('GET', path, { headers: { accept: browserAccept, ...headers } }),
    submit: (path, fields, headers) =>
      request('POST', path, {
        headers: {
          accept: browserAccept,
          'content-type': formType,
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
        body: new URLSearchParams(fields).toString(),
      }),
    openJson: (path, body) =>
      request('POST', path, {
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      }),
  }
}

function createFakes(storage: MemoryStorage, clock: ManualClock): Ports {
  return {
    ...storage,
    ...createFakeCipher(),
    quota: createMemoryQuota(),
    clock,
    random: createSeededRandom(1),
    limits: { noteMaxBytes: 65_536, quota: { perMinute: 60, perDay: 1_440 } },
  }
}

/** The id in the form of a page. */
export function formIdOf({ body }: LightMyRequestResponse): string {
  return /name="form_id" value="([0-9a-f]{32})"/.exec(body)?.[1] ?? 'no form id'
}

/** The headers that tell answers apart; date and connection are of the moment. */
export function tellingHeaders({ headers }: LightMyRequestResponse): Record<string, unknown> {
  const { date: _, connection: __, ...rest } = headers
  return rest
}
