import { passkeyVerifier } from '@sotto/adapter-node-crypto/passkeys'
import { findFreePort } from '@sotto/system'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { NewSecret, Pieces, ShareableSecret, Upload, Uuid } from '@sotto/core'
import { createFullSotto, type FullPorts, type FullSotto } from '@sotto/identity'
import {
  createMemoryPorts,
  createMemoryWebhookSender,
  expectOk,
  failing,
  type Failures,
  type ManualClock,
} from '@sotto/test-kit'
import { ResultAsync } from 'neverthrow'
import { readSettings } from '../../../src/config/settings.ts'
import { startServer } from '../../../src/serving/server.ts'
import type { Scope } from './browser.ts'
import { uploadFiles } from './files.ts'

/** 20 November 2026, 12:57 UTC. */
const nowMicros = Date.UTC(2026, 10, 20, 12, 57) * 1_000

/** The server on in-memory ports, listening on this machine. */
export interface Site {
  readonly origin: string
  readonly clock: ManualClock
  readonly sotto: FullSotto
  /** Their state changes as messages are sent. */
  readonly webhooks: FullPorts['webhooks']
  /** From now on nothing can be posted to webhooks, for this reason; everything can be without one. */
  failSending(reason?: string): void
  /** Creates a secret; by default without limit or password. */
  share(
    fields?: Partial<NewSecret>,
    upload?: (accountId: Uuid) => Promise<Upload>,
  ): Promise<{ readonly secret: ShareableSecret; readonly url: string }>
  /** Creates a secret with files, which recipients see before they open the link. */
  shareFiles(fields?: Partial<NewSecret>): Promise<{ readonly secret: ShareableSecret; readonly url: string }>
  /** Creates a request of somebody with a name, for files too where `takesFiles` says so. */
  ask(fields?: { readonly takesFiles?: boolean }): Promise<{ readonly url: string }>
  /** How often it has been opened. */
  opens(secret: ShareableSecret): number | undefined
  /** From now on these methods of the link store fail; none without `failures`. */
  fail(failures?: Failures<FullPorts['links']>): void
  /** From now on opening waits until the returned function is called. */
  hold(): () => void
  /** From now on no more than so many bytes of a file are read until the returned function is called. */
  holdFiles(bytes: number): () => void
}

/** @param hostname the host of the links */
export async function startSite(
  scope: Scope,
  hostname = 'localhost',
  given: NodeJS.ProcessEnv = {},
): Promise<Site> {
  const port = await findFreePort()
  const origin = `http://${hostname}:${port}`
  const settings = expectOk(
    readSettings({ SOTTO_PORT: String(port), SOTTO_BASE_URL: origin, ...given }, '/nowhere'),
  )
  const storage = createMemoryPorts({ nowMicros, seed: 7 })
  let links = storage.links
  let sendFailure: string | undefined
  const webhookSender = createMemoryWebhookSender({
    answer: () =>
      sendFailure === undefined ? undefined : { code: 'send_failed', reason: sendFailure, verdict: 'retry' },
  })
  let held: Promise<unknown> = Promise.resolve()
  const files = { readBytes: Infinity, more: Promise.resolve<unknown>(undefined) }
  const ports: FullPorts = {
    ...storage,
    // Browsers speak WebAuthn.
    passkeyVerifier,
    webhookSender,
    fileCipher: {
      ...storage.fileCipher,
      encryptFile: (place, key, content) =>
        storage.fileCipher.encryptFile(place, key, heldContent(content, files)),
    },
    links: {
      find: (...given) => links.find(...given),
      findWithNote: (...given) => new ResultAsync(held.then(async () => links.findWithNote(...given))),
      update: (...given) => links.update(...given),
    },
  }
  const sotto = createFullSotto({ ports, policy: settings.policy })
  const installation = { settings, sotto, storage, ports }
  const logStream = { write: () => undefined }
  const server = expectOk(await startServer({ installation, logStream, stopMillis: 200 }))
  scope.teardown(() => server.stop())

  const { id: accountId } = expectOk(await sotto.createAccount({ email: 'owner@example.org' }))
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'Folder' }))
  return {
    origin,
    clock: storage.clock,
    sotto,
    webhooks: storage.webhooks,
    failSending(reason) {
      sendFailure = reason
    },
    async share(fields, upload) {
      const input = {
        ...{ accountId, folderId, label: 'Label', note: 'note', ...fields },
        ...(upload && { upload: await upload(accountId) }),
      }
      const secret = expectOk(await sotto.createSecret(input))
      return { secret, url: `${origin}/${secret.link.token}` }
    },
    async shareFiles(fields) {
      const upload = await uploadFiles(sotto, accountId)
      const input = { accountId, folderId, label: 'Label', note: 'note', upload, showsFiles: true, ...fields }
      const secret = expectOk(await sotto.createSecret(input))
      return { secret, url: `${origin}/${secret.link.token}` }
    },
    async ask(fields) {
      expectOk(await sotto.setDisplayName({ accountId, displayName: 'Ada, Lindenhof' }))
      const asked = {
        title: 'Password of your router',
        text: 'It is on the back.\nAnd the name of the network.',
      }
      const { link } = expectOk(await sotto.createRequest({ accountId, folderId, ...asked, ...fields }))
      return { url: `${origin}/r/${link.token}` }
    },
    opens: ({ id }) => storage.data.secrets.get(id)?.opens,
    fail(failures = {}) {
      links = failing(storage.links, failures)
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      held = promise
      return () => resolve(undefined)
    },
    holdFiles(bytes) {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      Object.assign(files, { readBytes: bytes, more: promise })
      return () => resolve(undefined)
    },
  }
}

async function* heldContent<E>(
  content: Pieces<E>,
  held: { readonly readBytes: number; readonly more: Promise<unknown> },
): Pieces<E> {
  let bytes = 0
  for await (const piece of content) {
    bytes += piece.isOk() ? piece.value.length : 0
    if (bytes >= held.readBytes) await held.more
    yield piece
  }
}

/** Serves a page of another origin and returns its port: `localhost` at another port is another origin of the same site. */
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
