import type { FullSotto } from '@sotto/identity'
import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import fc from 'fast-check'
import { startServer } from '@sotto/server'
import { findFreePort } from '@sotto/system'
import { expectOk } from '@sotto/test-kit'
import { cheapCrypto } from '../support/cheap-crypto.ts'
import { uploadFile } from '../support/files.ts'
import { addOwner } from '../support/owner.ts'
import { makePlace, openPlace } from '../support/place.ts'
import type { Known } from './fields.ts'
import { fileMaxBytes } from './form-parts.ts'
import { checkFile, fileContent } from './ranges.ts'
import { requestsOf, type Document, type Generated } from './requests.ts'

export interface OpenApiCampaignOptions {
  readonly requests: number
  readonly seed: number
  /** Changes the document before it is used: the campaign must notice. What it finds is not made smaller. */
  readonly edit?: (document: Document) => Document
}

export interface OpenApiCampaign {
  readonly figures: Readonly<Record<string, number>>
  /** The first request that was answered otherwise than documented, made as small as it could be. */
  readonly violations: readonly string[]
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

type Conformance = (method: string, url: string, answer: Answer) => void

/** Sends requests that are made from the document of a running server, and compares the answers with the document. */
export async function runOpenApiCampaign({
  requests,
  seed,
  edit,
}: OpenApiCampaignOptions): Promise<OpenApiCampaign> {
  const port = await findFreePort()
  const place = makePlace(undefined, {
    SOTTO_PORT: String(port),
    SOTTO_BASE_URL: `http://127.0.0.1:${port}`,
    SOTTO_LINK_BASE_URL: `http://localhost:${port}`,
    SOTTO_FILE_MAX_BYTES: String(fileMaxBytes),
  })
  const installation = await openPlace(place, { createCrypto: cheapCrypto })
  const errors: string[] = []
  const logStream = { write: (line: string) => void errors.push(line) }
  const server = expectOk(await startServer({ installation, logStream, stopMillis: 200 }))
  const agent = new Agent({ keepAlive: true })
  try {
    const { token, known, another } = await furnish(installation.sotto)
    const origin = installation.settings.baseUrl
    const answer = await send(agent, port, { method: 'GET', origin, path: '/openapi.json', headers: {} })
    const served = JSON.parse(answer.body) as Document
    const document = edit?.(served) ?? served
    const figures: Record<string, number> = { requests: 0 }
    const conformance = await conformanceOf(document)
    const property = fc.asyncProperty(requestsOf(document, known, token), async (made) => {
      // The one that is known is needed by other requests.
      const generated =
        made.method === 'DELETE'
          ? { ...made, path: made.path.replace(known['id'] ?? '', await another()) }
          : made
      const answered = await send(agent, port, generated)
      count(figures, generated, answered.status)
      check(conformance, generated, answered)
    })
    const result = await fc.check(property, { numRuns: requests, seed, endOnFailure: edit !== undefined })
    const violations = result.failed ? [fc.defaultReportMessage(result) ?? 'a violation'] : []
    return { figures, violations: [...violations, ...errors.slice(0, 5)] }
  } finally {
    agent.destroy()
    await server.stop()
    await installation.close()
    place.remove()
  }
}

async function furnish(sotto: FullSotto) {
  const { accountId, folderId, token } = await addOwner(sotto)
  const create = async () =>
    expectOk(await sotto.createSecret({ accountId, folderId, label: 'Secret', note: 'a note' }))
  const upload = await uploadFile(sotto, accountId, Buffer.from(fileContent))
  const shared = { accountId, folderId, label: 'Secret', note: 'a note', upload }
  const secret = expectOk(await sotto.createSecret(shared))
  const { attached } = expectOk(await sotto.openSecret({ token: secret.link.token }))
  const asked = { accountId, folderId, title: 'Request', answersAllowed: 100 }
  const { link } = expectOk(await sotto.createRequest({ ...asked, takesFiles: true }))
  const known: Known = {
    id: secret.id,
    link_token: secret.link.token,
    request_token: link.token,
    folder_id: folderId,
    ticket: attached?.ticket ?? '',
    number: '1',
  }
  return { token, known, another: async () => (await create()).id }
}

/** The check of the tests of `http-fastify`: types do not reach into the tests of a package. */
async function conformanceOf(document: Document): Promise<Conformance> {
  const file = new URL('../../../packages/http-fastify/test/support/conformance.ts', import.meta.url)
  const { createConformance } = (await import(String(file))) as {
    createConformance: (document: Document) => Conformance
  }
  return createConformance(document)
}

type Sent = Pick<Generated, 'method' | 'origin' | 'path' | 'headers' | 'body'>

function send(agent: Agent, port: number, { method, origin, path, headers, body }: Sent): Promise<Answer> {
  const { host } = new URL(origin)
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const sent = request({
      agent,
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { host, ...headers, ...length },
    })
    sent.once('error', reject).once('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.once('error', reject)
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      )
    })
    sent.end(body)
  })
}

function count(figures: Record<string, number>, { expected }: Generated, status: number): void {
  for (const name of ['requests', `${expected}, ${status}`]) figures[name] = (figures[name] ?? 0) + 1
}

/** Throws when the answer is not documented, or not the one that the request should get. */
function check(
  conformance: Conformance,
  { operation, method, path, expected }: Generated,
  answer: Answer,
): void {
  const { status } = answer
  if (!Object.hasOwn(operation.responses, status))
    throw new Error(`${status} is not documented for ${operation.operationId}`)
  conformance(method, path, answer)
  if (status >= 500) throw new Error(`a fault of the server: ${status}`)
  // One address may hand in 20 answers an hour.
  const isFull = operation.operationId === 'answerRequest' && status === 429
  if (expected === 'accepted' && status >= 400 && !isFull)
    throw new Error(`a valid request got ${status}: ${answer.body}`)
  if (expected === 'refused' && status < 400) throw new Error(`an invalid request got ${status}`)
  if (operation.operationId === 'getFile' && (status === 200 || status === 206))
    checkFile(status, answer.headers['content-range'], answer.body)
  if (!path.startsWith('/api/')) return
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining'])
    if (!/^\d+$/.test(String(answer.headers[name]))) throw new Error(`${name} is missing`)
}
