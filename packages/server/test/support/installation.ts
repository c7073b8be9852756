import { findFreePort } from '@sotto/system'
import { createNodeCrypto, type NodeCrypto, type NodeCryptoOptions } from '@sotto/adapter-node-crypto'
import type { Draft, NewSecret, Pages, ShareableSecret } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import type { ResultAsync } from 'neverthrow'
import { readSettings, type Settings } from '../../src/config/settings.ts'
import {
  openInstallation,
  type Installation,
  type InstallationOptions,
} from '../../src/installation/installation.ts'
import { startServer, type RunningServer } from '../../src/serving/server.ts'

/** The code of a result's error; `ok` when it is Ok. */
export async function codeOf(answer: ResultAsync<unknown, { readonly code: string }>): Promise<string> {
  const result = await answer
  return result.isErr() ? result.error.code : 'ok'
}

/** Every entry of a list, each page of which must be Ok. */
export async function entriesOf<T, E>(pages: Pages<T, E>): Promise<T[]> {
  const entries: T[] = []
  for await (const page of pages) entries.push(...expectOk(page, 'a page').items)
  return entries
}

/** Settings with a quota that no test uses up. */
export function settingsIn(cwd: string, env: NodeJS.ProcessEnv = {}): Settings {
  const many = { SOTTO_LIMIT_PER_MINUTE: '1000000', SOTTO_LIMIT_PER_DAY: '1000000' }
  return expectOk(readSettings({ ...many, ...env }, cwd), 'the settings')
}

/** Real cryptography with the cheapest password hashes, for tests that do not measure their cost. */
export function cheapCrypto(options: NodeCryptoOptions): NodeCrypto {
  return createNodeCrypto({ ...options, argon2: { memoryKiB: 8, passes: 1 } })
}

export interface OpenOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly replace?: InstallationOptions['replace']
  readonly metrics?: InstallationOptions['metrics']
}

/** Opens the installation in a directory, and creates it when there is none. The caller closes it. */
export async function openIn(
  cwd: string,
  { env, replace, metrics }: OpenOptions = {},
): Promise<Installation> {
  const opened = await openInstallation({
    settings: settingsIn(cwd, env),
    onFatal: () => {
      throw new Error('the disk failed')
    },
    log: () => undefined,
    metrics,
    replace: { createCrypto: cheapCrypto, ...replace },
  })
  return expectOk(opened, 'the installation')
}

/** An account with a folder and an access token. */
export interface Owner {
  readonly accountId: string
  readonly folderId: string
  readonly token: string
}

export async function addOwner(
  { sotto }: Pick<Installation, 'sotto'>,
  names = { email: 'ann@example.org', folder: 'Doors', token: 'laptop' },
): Promise<Owner> {
  const { id: accountId } = expectOk(await sotto.createAccount({ email: names.email }))
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: names.folder }))
  const { token } = expectOk(await sotto.createAccessToken({ accountId, name: names.token }))
  return { accountId, folderId, token }
}

/** Adds a shareable secret to the owner's folder; by default without limit or password. */
export async function addSecret(
  { sotto }: Pick<Installation, 'sotto'>,
  owner: Owner,
  fields: Partial<NewSecret> = {},
): Promise<ShareableSecret> {
  return expectOk(await sotto.createSecret(newSecretOf(owner, fields)))
}

/** Adds a draft to the owner's folder. */
export async function addDraft(
  { sotto }: Pick<Installation, 'sotto'>,
  owner: Owner,
  fields: Partial<NewSecret> = {},
): Promise<Draft> {
  return expectOk(await sotto.saveDraft(newSecretOf(owner, fields)))
}

function newSecretOf({ accountId, folderId }: Owner, fields: Partial<NewSecret>) {
  return { accountId, folderId, label: 'a label', note: 'a note', ...fields }
}

/** The `t` of a test; campaigns pass a similar object. */
export interface Teardown {
  teardown(fn: () => unknown): unknown
}

/** A server in this process, and its log. */
export interface TestServer {
  readonly installation: Installation
  readonly server: RunningServer
  readonly baseUrl: string
  /** The lines of the log, of all levels. */
  readonly log: string[]
  call(path: string, init?: RequestInit & { readonly token?: string | undefined }): Promise<Response>
}

/** Starts a server on an installation of its own. It ends with the test. */
export async function startTestServer(
  t: Teardown,
  cwd: string,
  options: OpenOptions = {},
): Promise<TestServer> {
  const port = await findFreePort()
  const env = {
    SOTTO_PORT: String(port),
    SOTTO_BASE_URL: `http://127.0.0.1:${port}`,
    SOTTO_LOG_LEVEL: 'trace',
  }
  const installation = await openIn(cwd, { ...options, env: { ...env, ...options.env } })
  const log: string[] = []
  const logStream = { write: (text: string) => void log.push(...text.trimEnd().split('\n')) }
  const server = expectOk(await startServer({ installation, logStream, stopMillis: 200 }))
  t.teardown(async () => {
    await server.stop()
    await installation.close()
  })
  const { baseUrl } = installation.settings
  return {
    installation,
    server,
    baseUrl,
    log,
    call(path, { token, ...init } = {}) {
      const headers = new Headers(init.headers)
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
      if (typeof init.body === 'string' && !headers.has('content-type'))
        headers.set('content-type', 'application/json')
      return fetch(`${baseUrl}${path}`, { ...init, headers })
    },
  }
}
