import { randomUUID } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http'
import { http } from './node-http.ts'

/** The header of an answer that holds the id by which the log names its request. */
export const requestIdHeader = 'x-request-id'

const idKey = Symbol('request id')

/** A fresh id. */
export function newRequestId(): string {
  return randomUUID()
}

/**
 * The id of a request: always one of ours. One that a client sends is ignored, because it would let anybody write into the log, and give two
 * requests the same id.
 */
export function requestIdOf(request: IncomingMessage & { [idKey]?: string }): string {
  const known = request[idKey]
  if (known !== undefined) return known
  const id = newRequestId()
  request[idKey] = id
  return id
}

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[]

/**
 * An answer that carries the id of its request, whoever gives the answer. The id is added to the headers that are sent together: a single
 * header that is set before makes Node.js set all others one by one.
 */
export class AnswerWithId<
  Request extends IncomingMessage = IncomingMessage,
> extends http.ServerResponse<Request> {
  override writeHead(status: number, ...rest: [reason?: string | Headers, headers?: Headers]): this {
    const id = requestIdOf(this.req)
    const headers = rest.at(-1)
    if (typeof headers !== 'object' || Array.isArray(headers)) this.setHeader(requestIdHeader, id)
    else rest[rest.length - 1] = withId(headers, id)
    return super.writeHead(status, ...(rest as [reason: string, headers: Headers]))
  }
}

/** Headers and the id as names and values in turn. The object is the caller's and must not change; a copy of it takes longer than a list. */
function withId(headers: OutgoingHttpHeaders, id: string): OutgoingHttpHeader[] {
  const list: (OutgoingHttpHeader | undefined)[] = [requestIdHeader, id]
  for (const name of Object.keys(headers)) list.push(name, headers[name])
  // Node.js refuses a header without a value, as it does in an object.
  return list as OutgoingHttpHeader[]
}
