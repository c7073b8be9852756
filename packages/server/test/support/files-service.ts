import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'
import { testCommand, type TestCommand } from './in-process.ts'

export type Answer = (answer: ServerResponse, request: IncomingMessage) => void

/** What stands in for a service: it answers as a test says, also what no service of Sotto does. */
export interface FilesService extends TestCommand {
  readonly url: string
  readonly link: string
  /** All that was asked, such as `POST /token`. */
  readonly asked: string[]
  /** The bodies of the secrets that were created. */
  readonly created: Buffer[]
}

interface Given {
  /** Of the secret behind the link: names, and contents or what answers instead; sizes where they are others. */
  readonly files?: readonly (readonly [name: string, content: string | Answer, size?: number])[]
  /** Instead of creating a secret. */
  readonly create?: Answer
}

const json = { 'content-type': 'application/json' }
const folder = {
  id: '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b3d',
  label: 'Inbox',
  created_at: '2026',
  drafts_count: 0,
}
const secret = {
  id: folder.id,
  label: 'L',
  expires_at: '2026-12-20T09:30',
  folder_id: folder.id,
  created_at: '2026',
}
/** The size of a file that is answered by a function. */
export const announcedSize = 10

export async function startFiles(t: Test, { files = [], create }: Given = {}): Promise<FilesService> {
  const asked: string[] = []
  const created: Buffer[] = []
  const send = (answer: ServerResponse, data: unknown) =>
    answer.writeHead(200, json).end(JSON.stringify({ success: true, version: '1.0', data }))
  const server = createServer((request, answer) => {
    const { method = '', url: path = '' } = request
    asked.push(`${method} ${path}`)
    const content = files[Number(/^\/f\/ticket\/(\d+)$/.exec(path)?.[1]) - 1]?.[1]
    const ofTest = path === '/api/secret' ? create : content
    if (typeof ofTest === 'function') ofTest(answer, request)
    else if (ofTest !== undefined) answer.writeHead(200).end(ofTest)
    else
      void buffer(request).then(
        (body) => send(answer, answerTo(path, body)),
        // The client has left.
        () => undefined,
      )
  })
  const answerTo = (path: string, body: Buffer): unknown => {
    if (path === '/api/folders') return [{ ...folder, secrets_count: 0 }]
    if (path === '/token') return opened()
    created.push(body)
    return { ...secret, link: { url: link, created_at: '2026' } }
  }
  const opened = () => ({
    label: 'L',
    note: 'the note',
    opens_left: 0,
    expires_at: '2026',
    files: files.map(([name, content, given], at) => {
      const size = given ?? (typeof content === 'string' ? Buffer.byteLength(content) : announcedSize)
      return { name, size, type: 'text/plain', url: `${url}/f/ticket/${at + 1}` }
    }),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const link = `${url}/token`
  const command = testCommand(t, { isEmpty: true, cwd: t.testdir({ out: {} }) })
  const env = { SOTTO_URL: url, SOTTO_TOKEN: 'sotto_any' }
  return {
    ...command,
    run: (args, options) => command.run(args, { env, ...options }),
    json: (args, options) => command.json(args, { env, ...options }),
    url,
    link,
    asked,
    created,
  }
}

export const refusing =
  (status: number, message: string): Answer =>
  (answer, request) =>
    request.resume().on('end', () => {
      answer.writeHead(status, json).end(JSON.stringify({ success: false, version: '1.0', message }))
    })
