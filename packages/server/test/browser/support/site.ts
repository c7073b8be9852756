import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createAccount,
  createFolder,
  createSecret,
  type NewSecret,
  type Ports,
  type ShareableSecret,
} from '@sotto/core'
import { apiRoutes, linkRoutes, serviceRoutes, sottoServerOptions } from '@sotto/http-fastify'
import {
  createFakeCipher,
  createManualClock,
  createMemoryQuota,
  createMemoryStorage,
  createSeededRandom,
  failing,
  type Faults,
  type ManualClock,
} from '@sotto/test-kit'
import Fastify from 'fastify'
import { okAsync, ResultAsync } from 'neverthrow'
import type { Scope } from './browser.ts'

/** 20 November 2026, 12:57 UTC. */
const nowMicros = Date.UTC(2026, 10, 20, 12, 57) * 1_000

/** The whole application on fakes, listening on this machine. */
export interface Site {
  readonly origin: string
  readonly clock: ManualClock
  share(fields?: Partial<NewSecret>): Promise<{ readonly secret: ShareableSecret; readonly url: string }>
  /** How often it was opened so far. */
  opens(secret: ShareableSecret): number | undefined
  /** From now on, these methods of the links' store fail; none without faults. */
  fail(faults?: Faults<Ports['links']>): void
  /** From now on, opening takes until the returned function is called. */
  hold(): () => void
}

/** @param hostname under which the links are given out */
export async function startSite(scope: Scope, hostname = 'localhost'): Promise<Site> {
  const port = await freePort()
  const origin = `http://${hostname}:${port}`
  const clock = createManualClock(nowMicros)
  const storage = createMemoryStorage()
  let links = storage.links
  let held: Promise<unknown> = Promise.resolve()
  const ports: Ports = {
    ...storage,
    ...createFakeCipher(),
    links: {
      find: (...given) => links.find(...given),
      findWithNote: (...given) => new ResultAsync(held.then(async () => links.findWithNote(...given))),
      update: (...given) => links.update(...given),
    },
    quota: createMemoryQuota(),
    clock,
    random: createSeededRandom(7),
    limits: { noteMaxBytes: 65_536, quota: { perMinute: 60, perDay: 1_440 } },
  }
  const app = Fastify(sottoServerOptions({ ports }))
  const origins = { baseUrl: origin, linkBaseUrl: origin }
  await app.register(apiRoutes, { prefix: '/api', ports, ...origins })
  await app.register(serviceRoutes, { ...origins, limits: ports.limits, ready: () => okAsync(undefined) })
  await app.register(linkRoutes, { ports, ...origins })
  await app.listen({ host: '127.0.0.1', port })
  scope.teardown(() => app.close())

  const { id: accountId } = (await createAccount(ports, { email: 'owner@example.org' }))._unsafeUnwrap()
  const { id: folderId } = (await createFolder(ports, { accountId, label: 'Folder' }))._unsafeUnwrap()
  return {
    origin,
    clock,
    async share(fields) {
      const input = { accountId, folderId, label: 'Label', note: 'note', ...fields }
      const secret = (await createSecret(ports, input))._unsafeUnwrap()
      return { secret, url: `${origin}/${secret.link.token}` }
    },
    opens: ({ id }) => storage.data.secrets.get(id)?.opens,
    fail(faults = {}) {
      links = failing(storage.links, faults)
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      held = promise
      return () => resolve(undefined)
    },
  }
}

/** A page of somebody else, on an origin of its own: `localhost` at another port is another origin of the same site. */
export async function startForeignPage(
  scope: Scope,
  { html, headers = {} }: { readonly html: string; readonly headers?: Record<string, string> },
): Promise<number> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  scope.teardown(() => server.close())
  return (server.address() as AddressInfo).port
}

/** The addresses of links have to be known before the server listens. */
async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => void probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
