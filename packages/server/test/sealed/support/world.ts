import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  createAccessToken,
  createAccount,
  createFolder,
  createSecret,
  saveDraft,
  type Clock,
  type Draft,
  type ShareableSecret,
} from '@sotto/core'
import { createNodeCrypto, type NodeCryptoOptions } from '@sotto/adapter-node-crypto'
import type { Result, ResultAsync } from 'neverthrow'
import { readSettings, type Settings } from '../../../src/config/settings.ts'
import { openInstallation, type Installation, type InstallationOptions } from '../../../src/installation.ts'
import { findFreePort, startServer, type RunningServer } from '../../../src/server.ts'

/** What a test hands over; the campaigns hand over something of the like. */
export interface Teardown {
  teardown(fn: () => unknown): unknown
}

/** The value of an answer that has to be Ok. */
export async function okOf<T, E>(answer: ResultAsync<T, E> | Promise<Result<T, E>>): Promise<T> {
  const result = await answer
  if (result.isErr()) throw new Error(`should be Ok, but is Err ${JSON.stringify(result.error)}`)
  return result.value
}

/** The code of an answer that has to be Err. */
export async function codeOf<T, E extends { readonly code: string }>(
  answer: ResultAsync<T, E> | Promise<Result<T, E>>,
): Promise<string> {
  const result = await answer
  return result.isErr() ? result.error.code : 'ok'
}

export function settingsIn(cwd: string, env: NodeJS.ProcessEnv = {}): Settings {
  const many = { SOTTO_LIMIT_PER_MINUTE: '1000000', SOTTO_LIMIT_PER_DAY: '1000000' }
  return readSettings({ ...many, ...env }, cwd)._unsafeUnwrap()
}

/** The cheapest passwords that there are: what they cost is not the matter of most tests. */
export function cheapCrypto(options: NodeCryptoOptions) {
  return createNodeCrypto({ ...options, argon2: { memoryKiB: 8, passes: 1 } })
}

export interface OpenOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly standIns?: InstallationOptions['standIns']
}

/** Opens, or makes, the installation in a directory. Whoever opens it closes it. */
export function openIn(cwd: string, { env, standIns }: OpenOptions = {}): Promise<Installation> {
  return okOf(
    openInstallation({
      settings: settingsIn(cwd, env),
      onFatal: () => {
        throw new Error('the disk failed')
      },
      log: () => undefined,
      standIns: { createCrypto: cheapCrypto, ...standIns },
    }),
  )
}

/** Everybody that a test needs in an installation. */
export interface Cast {
  readonly accountId: string
  readonly folderId: string
  readonly token: string
}

export async function addCast(
  { ports }: Pick<Installation, 'ports'>,
  names = { email: 'ann@example.org', folder: 'Doors', token: 'laptop' },
): Promise<Cast> {
  const { id: accountId } = await okOf(createAccount(ports, { email: names.email }))
  const { id: folderId } = await okOf(createFolder(ports, { accountId, label: names.folder }))
  const { token } = await okOf(createAccessToken(ports, { accountId, name: names.token }))
  return { accountId, folderId, token }
}

export interface NewRow {
  readonly label?: string
  readonly note?: string
  readonly openLimit?: number
  readonly password?: string
}

export function addSecret(
  { ports }: Pick<Installation, 'ports'>,
  { accountId, folderId }: Cast,
  row: NewRow = {},
): Promise<ShareableSecret> {
  return okOf(createSecret(ports, { accountId, folderId, label: 'a label', note: 'a note', ...row }))
}

export function addDraft(
  { ports }: Pick<Installation, 'ports'>,
  { accountId, folderId }: Cast,
  row: NewRow = {},
): Promise<Draft> {
  return okOf(saveDraft(ports, { accountId, folderId, label: 'a label', note: 'a note', ...row }))
}

/** A server in this process, and its log. */
export interface World {
  readonly installation: Installation
  readonly server: RunningServer
  readonly baseUrl: string
  readonly log: string[]
  call(path: string, init?: RequestInit & { readonly token?: string | undefined }): Promise<Response>
}

/** Starts a server on an installation of its own, with a log of all levels. */
export async function startWorld(t: Teardown, cwd: string, options: OpenOptions = {}): Promise<World> {
  const port = await okOf(findFreePort('127.0.0.1'))
  const env = {
    SOTTO_PORT: String(port),
    SOTTO_BASE_URL: `http://127.0.0.1:${port}`,
    SOTTO_LOG_LEVEL: 'trace',
  }
  const installation = await openIn(cwd, { ...options, env: { ...env, ...options.env } })
  const log: string[] = []
  const server = await okOf(
    startServer({ installation, logStream: { write: (line) => log.push(line) }, stopMillis: 200 }),
  )
  t.teardown(async () => {
    await server.stop()
    await installation.close()
  })
  const baseUrl = installation.settings.baseUrl
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

/** Paths of all files in a directory and below. */
export function filesIn(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** A clock that stands still until it is told to go on. */
export interface TestClock extends Clock {
  pass(millis: number): void
}

export function createTestClock(startMicros = 1_790_000_000_123_456): TestClock {
  let nowMicros = startMicros
  return {
    nowMicros: () => (nowMicros += 1),
    pass: (millis) => void (nowMicros += millis * 1_000),
  }
}
