import { Agent, request as httpRequest } from 'node:http'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** False when the connection broke within the body. */
  readonly complete: boolean
}

/** An HTTP client whose server may disappear at any time. */
export interface Client {
  /** Sends a request. `undefined` when there was no answer, not even a status. */
  ask(
    method: string,
    path: string,
    given?: { readonly body?: unknown; readonly bearer?: string },
  ): Promise<Answer | undefined>
  close(): void
}

/** @param origins of servers on one store, which get the requests in turn */
export function createClient(origins: readonly string[]): Client {
  let turn = 0
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  return {
    ask: (method, path, { body, bearer } = {}) =>
      new Promise((resolve) => {
        const payload = body === undefined ? undefined : JSON.stringify(body)
        const headers = {
          accept: 'application/json',
          ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
          ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
          'content-length': payload === undefined ? 0 : Buffer.byteLength(payload),
        }
        const origin = origins[(turn += 1) % origins.length]
        const request = httpRequest(`${origin}${path}`, { method, agent, headers }, (response) => {
          const { statusCode: status = 0, headers: answered } = response
          let text = ''
          const settle = (): void => resolve({ status, headers: answered, text, complete: response.complete })
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
          response.on('end', settle).on('error', settle).on('aborted', settle)
        })
        request.on('error', () => resolve(undefined))
        request.end(payload)
      }),
    close: () => agent.destroy(),
  }
}
