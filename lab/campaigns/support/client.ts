import { Agent, request as httpRequest } from 'node:http'
import { formOf, formType } from './form.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly bytes: Buffer
  /** False when the connection broke within the body. */
  readonly complete: boolean
}

/** A form with a file, whose part `secret` is the body of the request. */
export interface Form {
  readonly file: Buffer
}

/** An HTTP client whose server may disappear at any time. */
export interface Client {
  /** Sends a request. `undefined` when there was no answer, not even a status. */
  ask(
    method: string,
    path: string,
    given?: { readonly body?: unknown; readonly form?: Form | undefined; readonly bearer?: string },
  ): Promise<Answer | undefined>
  close(): void
}

/** @param origins of servers on one store, which get the requests in turn */
export function createClient(origins: readonly string[], maxSockets = 32): Client {
  let turn = 0
  const agent = new Agent({ keepAlive: true, maxSockets })
  return {
    ask: (method, path, { body, form, bearer } = {}) =>
      new Promise((resolve) => {
        const { type, payload } = payloadOf(body, form)
        const headers = {
          accept: 'application/json',
          ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
          ...(payload === undefined ? {} : { 'content-type': type }),
          'content-length': payload === undefined ? 0 : Buffer.byteLength(payload),
        }
        const origin = origins[(turn += 1) % origins.length]
        const request = httpRequest(`${origin}${path}`, { method, agent, headers }, (response) => {
          const { statusCode: status = 0, headers: answered } = response
          const chunks: Buffer[] = []
          const settle = (): void => {
            const bytes = Buffer.concat(chunks)
            const { complete } = response
            resolve({ status, headers: answered, text: bytes.toString(), bytes, complete })
          }
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', settle).on('error', settle).on('aborted', settle)
        })
        request.on('error', () => resolve(undefined))
        request.end(payload)
      }),
    close: () => agent.destroy(),
  }
}

function payloadOf(
  body: unknown,
  form: Form | undefined,
): { readonly type: string; readonly payload?: Buffer } {
  const type = form === undefined ? 'application/json' : formType
  if (body === undefined) return { type }
  const json = JSON.stringify(body)
  return { type, payload: form === undefined ? Buffer.from(json) : formOf(json, form.file) }
}
