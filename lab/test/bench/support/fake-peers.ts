import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

export interface FakeAnswer {
  readonly status: number
  readonly body: unknown
}

/** Changes an answer of a fake. @param nr counts all requests, from 1 */
export type Spoil = (answer: FakeAnswer, nr: number, method: string) => FakeAnswer

type Handler = (request: IncomingMessage, body: string) => FakeAnswer

const refusal = (message: string): FakeAnswer => ({ status: 200, body: { status: 1, message } })

/** The two requests of Enclosed's API that the bench sends. Returns its port. */
export function startFakeEnclosed(t: Test, spoil?: Spoil): Promise<number> {
  const notes = new Map<string, unknown>()
  return serve(t, spoil, (request, body) => {
    if (request.method === 'GET') {
      const note = notes.get(/^\/api\/notes\/(\w+)$/.exec(request.url ?? '')?.[1] ?? '')
      return note === undefined ? { status: 404, body: {} } : { status: 200, body: { note } }
    }
    const { payload, ttlInSeconds } = JSON.parse(body) as Readonly<Record<string, unknown>>
    if (request.url !== '/api/notes' || typeof payload !== 'string' || typeof ttlInSeconds !== 'number')
      return { status: 400, body: {} }
    const noteId = `note${notes.size}`
    notes.set(noteId, { payload })
    return { status: 200, body: { noteId } }
  })
}

/** The two requests of PrivateBin's API that the bench sends. Like PrivateBin it refuses a ciphertext that it has. Returns its port. */
export function startFakePrivateBin(t: Test, spoil?: Spoil): Promise<number> {
  const pastes = new Map<string, string>()
  return serve(t, spoil, (request, body) => {
    if (request.headers['x-requested-with'] !== 'JSONHttpRequest') return { status: 200, body: 'a page' }
    if (request.method === 'GET') {
      const id = /^\/\?(\w+)$/.exec(request.url ?? '')?.[1] ?? ''
      const ct = pastes.get(id)
      return ct === undefined ? refusal('no document') : { status: 200, body: { status: 0, id, ct } }
    }
    const { ct } = JSON.parse(body) as { readonly ct: string }
    if (!/^[\w+/]{60,}$/.test(ct) || ct.includes('_')) return refusal('Invalid data.')
    if ([...pastes.values()].includes(ct)) return refusal('You are unlucky. Try again.')
    const id = pastes.size.toString(16).padStart(16, '0')
    pastes.set(id, ct)
    return { status: 200, body: { status: 0, id } }
  })
}

async function serve(t: Test, spoil: Spoil = (answer) => answer, handle: Handler): Promise<number> {
  let nr = 0
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const { status, body } = spoil(handle(request, text), ++nr, request.method ?? '')
      const json = JSON.stringify(body)
      response.writeHead(status, { 'Content-Length': Buffer.byteLength(json) }).end(json)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return (server.address() as AddressInfo).port
}
