import type { IncomingMessage, RequestOptions } from 'node:http'
import { Agent, request as requestHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'
import type { CustomFetch, FetchBody } from 'openid-client'
import { http } from './node-http.ts'
import { isSafe } from './provider-url.ts'
import { AnswerTooLarge, ProviderFailed, reasonOf } from './failure.ts'

/** The most bytes of an answer. Keys, metadata, and tokens with a thousand groups are shorter. */
const answerBytesMax = 256 * 1024
/** The most requests to the provider at the same time; more wait for one of these to end. */
const socketsMax = 32

/** Makes the `fetch` of one operation, which may take until `signal` aborts. */
export type FetchUntil = (signal: AbortSignal) => CustomFetch

/**
 * A `fetch` for openid-client that trusts the operator's certificate authority where there is one, follows no redirects, and bounds the answer.
 * It rejects with {@link ProviderFailed} only.
 */
export function createFetch(issuer: string, ca: string | undefined): FetchUntil {
  const agent = new Agent({
    maxSockets: socketsMax,
    ...(ca !== undefined && { ca }),
    rejectUnauthorized: true,
  })
  const plainAgent = new http.Agent({ maxSockets: socketsMax })
  return (signal) =>
    (text, { method, headers, body }) => {
      const url = new URL(text)
      if (!isSafe(url, issuer)) return Promise.reject(new ProviderFailed('an endpoint without https'))
      const options = {
        method,
        headers: { ...headers, 'accept-encoding': 'identity' },
        agent: url.protocol === 'https:' ? agent : plainAgent,
        signal,
      }
      return answered(url, options, bodyText(body))
    }
}

type Options = RequestOptions & { readonly headers: Readonly<Record<string, string>> }

function answered(url: URL, options: Options, body: string | undefined): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : http.request)(url, options)
    request.once('response', (response) => {
      responseOf(response, options).then(resolve, (error: unknown) => {
        request.destroy()
        reject(failed(error))
      })
    })
    // An answer that changes the protocol would never end without this listener.
    request.once('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new ProviderFailed('malformed answer'))
    })
    request.on('error', (error) => {
      reject(failed(error))
    })
    request.end(body)
  })
}

async function responseOf(message: IncomingMessage, { headers: sent }: Options): Promise<Response> {
  const { statusCode: status = 0, headers } = message
  // A token endpoint answers 400 or 401 when it refuses a code or a client (RFC 6749, section 5.2). Redirects are not followed.
  if (![200, 400, 401].includes(status)) throw new ProviderFailed(`status ${status}`)
  const bytes = await bounded(message)
  const type = headers['content-type'] ?? ''
  const isToken = sent.accept?.includes(jwtType) === true && isJwt(type)
  if (status === 200 && !isToken && !isJson(type, bytes)) throw new ProviderFailed('malformed answer')
  return new Response(bytes, { status, headers: { 'content-type': type } })
}

async function bounded(message: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  let length = 0
  message.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > answerBytesMax) message.destroy(new AnswerTooLarge())
  })
  return buffer(message)
}

function isJson(type: string, bytes: Buffer): boolean {
  // Providers name their keys `application/jwk-set+json` (RFC 7517).
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) return false
  try {
    return typeof JSON.parse(bytes.toString()) === 'object'
  } catch {
    return false
  }
}

/** The media type of a signed answer. It is read only where the request accepts it. */
export const jwtType = 'application/jwt'

export function isJwt(contentType: string): boolean {
  return /^application\/jwt\s*(?:;|$)/i.test(contentType)
}

function bodyText(body: FetchBody): string | undefined {
  return body instanceof URLSearchParams ? body.toString() : undefined
}

function failed(error: unknown): ProviderFailed {
  return error instanceof ProviderFailed ? error : new ProviderFailed(reasonOf(error))
}
