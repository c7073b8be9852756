import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defaultPolicy, type Scope } from '@sotto/core'
import { createFullSotto, type FullSotto } from '@sotto/identity'
import { apiRoutes, linkRoutes, serviceRoutes, sottoServerOptions } from '@sotto/http-fastify'
import { findFreePort } from '@sotto/system'
import { createMemoryPorts, expectOk, type MemoryPorts } from '@sotto/test-kit'
import Fastify from 'fastify'
import { okAsync } from 'neverthrow'
import type { Test } from 'tap'
import { createClient, type Client, type ClientOptions } from '../../src/index.ts'

/** A server on 127.0.0.1 with everything in memory, and one account with a folder. */
export interface Service {
  readonly origin: string
  readonly token: string
  readonly folderId: string
  readonly sotto: FullSotto
  readonly memory: MemoryPorts
  readonly client: Client
  /** Another client of the account, whose token has only these scopes. */
  scoped(scopes: readonly Scope[]): Promise<Client>
}

export async function startService(t: Test, { perMinute = 10_000 } = {}): Promise<Service> {
  const memory = createMemoryPorts()
  const files = { maxBytes: 26_214_400, accountMaxBytes: 1_073_741_824 }
  const policy = { ...defaultPolicy, quota: { perMinute, perDay: 100_000 }, files }
  const sotto = createFullSotto({ ports: memory, policy })
  const origin = `http://127.0.0.1:${await findFreePort()}`
  const origins = { baseUrl: origin, linkBaseUrl: origin }
  const app = Fastify(sottoServerOptions({ sotto, baseUrl: origin }))
  await app.register(apiRoutes, { prefix: '/api', sotto, ...origins })
  await app.register(linkRoutes, { sotto, ...origins })
  await app.register(serviceRoutes, { sotto, ...origins, ready: () => okAsync() })
  t.teardown(() => app.close())
  await app.listen({ host: '127.0.0.1', port: Number(new URL(origin).port) })

  const { id: accountId } = expectOk(await sotto.createAccount({ email: 'ann@example.org' }))
  const folder = expectOk(await sotto.createFolder({ accountId, label: 'Inbox' }))
  const tokenOf = async (scopes?: readonly Scope[]): Promise<string> =>
    expectOk(await sotto.createAccessToken({ accountId, name: 'test', scopes })).token
  const token = await tokenOf()
  return {
    origin,
    token,
    folderId: folder.id,
    sotto,
    memory,
    client: createClient({ baseUrl: origin, token }),
    scoped: async (scopes) => createClient({ baseUrl: origin, token: await tokenOf(scopes) }),
  }
}

/** A server that answers whatever the listener does. */
export async function startAnything(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A client whose waits take no time and are recorded. */
export function hastyClient(options: Partial<ClientOptions> & Pick<ClientOptions, 'baseUrl'>) {
  const waits: number[] = []
  const wait: ClientOptions['wait'] = async (seconds) => void waits.push(seconds)
  return { waits, client: createClient({ token: 'sotto_any', wait, ...options }) }
}

export const problem = (message: string): string =>
  JSON.stringify({ success: false, version: '1.0', message })

export const exampleSecret = {
  id: '01936f31-02b4-7e0f-8a61-5b9c3d7e1f20',
  label: 'Router 🔑 "quoted" \\ }]',
  expires_at: '2026-12-20T09:30:00.000000Z',
  folder_id: '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b3d',
  created_at: '2026-11-20T09:30:00.000000Z',
  link: { url: 'https://s.example.org/9fVHrA0b7P', created_at: '2026-11-20T09:30:00.000000Z' },
}

export const listAnswer = (entries: readonly unknown[]): string =>
  JSON.stringify({ success: true, version: '1.0', data: entries })
