import type { AddressInfo } from 'node:net'
import type { NewFiles, NewSecret, SecretRequest, ShareableSecret } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import { ok } from 'neverthrow'
import type { Test } from 'tap'
import { sottoServerOptions } from '../../src/http/server/server-options.ts'
import { linkRoutes } from '../../src/link-routes.ts'
import { openApiDocument } from '../../src/service/openapi/document.ts'
import { createConformance } from './conformance.ts'
import { inPieces } from './multipart.ts'
import { createWorld, type World, type WorldOptions } from './world.ts'

export const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
export const formType = 'application/x-www-form-urlencoded'

export interface LinksOptions extends Pick<WorldOptions, 'replace' | 'files'> {
  readonly baseUrl?: string
  readonly linkBaseUrl?: string
  /** Uses Fastify's own defaults, as an embedding application may, which log every request with its URL. */
  readonly withFastifyDefaults?: boolean
  /** Runs before the links are registered. */
  readonly prepare?: (app: FastifyInstance) => void
  readonly logAddresses?: boolean
}

export interface Sent {
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer | undefined
}

/** Links on an application of their own, with one folder for secrets. */
export interface Links extends Pick<World, 'sotto' | 'memory' | 'clock'> {
  readonly app: FastifyInstance
  /** Everything that was logged, from the finest level on. */
  readonly logLines: string[]
  /** Creates a secret with its link. */
  share(fields?: Partial<NewSecret>): Promise<{ secret: ShareableSecret; path: string }>
  /** Creates a secret with files, by their names. */
  shareFiles(
    files: Readonly<Record<string, Uint8Array>>,
    fields?: Partial<NewSecret>,
  ): Promise<{ secret: ShareableSecret; path: string }>
  /** Creates a request with its link. */
  ask(
    fields?: Partial<Parameters<World['sotto']['createRequest']>[0]>,
  ): Promise<{ request: SecretRequest; path: string }>
  /** The notes of all drafts. */
  drafts(): Promise<readonly (string | undefined)[]>
  /** How often it was opened so far. */
  opens(secret: ShareableSecret): number | undefined
  /** Listens on a free port of 127.0.0.1 and returns it. */
  listen(): Promise<number>
  /** Any request. The answer is checked against the document if the path is one of links. */
  request(method: string, path: string, sent?: Sent): Promise<LightMyRequestResponse>
  /** As a browser requests a page. */
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
  const world = createWorld(options)
  const { sotto, memory, clock } = world
  const logLines: string[] = []
  const log = { level: 'trace', stream: { write: (line: string) => void logLines.push(line) } }
  const app = Fastify(options.withFastifyDefaults ? { logger: log } : sottoServerOptions({ sotto, log }))
  options.prepare?.(app)
  await app.register(linkRoutes, { sotto, baseUrl, linkBaseUrl, logAddresses: options.logAddresses })
  t.teardown(() => app.close())
  const accountId = await world.makeAccount('owner@example.org')
  const folderId = await world.makeFolder(accountId)

  const conformance = createConformance(openApiDocument({ baseUrl, linkBaseUrl, policy: sotto.policy }))
  const request: Links['request'] = async (method, url, { headers = {}, body } = {}) => {
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers: { host: new URL(linkBaseUrl).host, ...headers },
      ...(body === undefined ? {} : { payload: body }),
    })
    const { statusCode: status, headers: received, body: text } = answer
    // Without `serviceRoutes`, the root is a link that does not exist.
    if (/^\/(?:r\/)?[^/]*$|^\/f\/[^/]*\/[^/]*$/.test(url))
      conformance(method, url === '/' ? '/-' : url, { status, headers: received, body: text })
    return answer
  }
  return {
    sotto,
    memory,
    clock,
    app,
    logLines,
    async share(fields) {
      const secret = await world.makeSecret(accountId, folderId, fields)
      return { secret, path: `/${secret.link.token}` }
    },
    async shareFiles(files, fields) {
      const upload = expectOk(await sotto.uploadFiles({ accountId, files: newFiles(files) }))
      const input = { accountId, folderId, label: 'Secret', note: 'note', upload, ...fields }
      const secret = expectOk(await sotto.createSecret(input))
      return { secret, path: `/${secret.link.token}` }
    },
    async ask(fields) {
      const request = expectOk(await sotto.createRequest({ accountId, folderId, title: 'Router', ...fields }))
      return { request, path: `/r/${request.link.token}` }
    },
    async drafts() {
      const notes: (string | undefined)[] = []
      for await (const page of sotto.listDrafts({ accountId }))
        for (const { id } of expectOk(page).items)
          notes.push(expectOk(await sotto.getDraft({ accountId, id })).note)
      return notes
    },
    opens: ({ id }) => memory.data.secrets.get(id)?.opens,
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

/** Files by their names, as a form brings them. */
export async function* newFiles(files: Readonly<Record<string, Uint8Array>>): NewFiles {
  for (const [name, bytes] of Object.entries(files))
    yield await Promise.resolve(ok({ name, type: 'text/plain', content: inPieces(bytes) }))
}

/** The id in the form of a page. */
export function formIdOf({ body }: LightMyRequestResponse): string {
  return /name="form_id" value="([0-9a-f]{32})"/.exec(body)?.[1] ?? 'no form id'
}

/** The headers that could tell one answer from another: all but date and connection. */
export function comparableHeaders({ headers }: LightMyRequestResponse): Record<string, unknown> {
  const { date: _, connection: __, ...rest } = headers
  return rest
}
