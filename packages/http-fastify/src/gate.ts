import { authenticate, takeQuota, type Caller, type Ports, type QuotaBucket, type Scope } from '@sotto/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressBucket } from './address.ts'
import { sendRefusal } from './answers.ts'
import { credentialsOf } from './bearer.ts'
import { sendFailure } from './failures.ts'
import { originalUrlOf, type Site } from './hosts.ts'
import { isPlainJson } from './media-type.ts'
import { quotaOfAddress, showQuota, spentQuota } from './quota-headers.ts'
import { refusals, type Refusal } from './refusals.ts'
import { urlMaxBytes } from './request-target.ts'

export type GatePorts = Pick<Ports, 'accessTokens' | 'quota' | 'digests' | 'clock' | 'limits'>

export interface GateOptions {
  readonly ports: GatePorts
  readonly siteOf: (request: FastifyRequest['raw']) => Site
  readonly isClosing: () => boolean
  /** The refusal of a path or method that leads to no route; `undefined` for a route. */
  readonly routeRefusal: (request: FastifyRequest) => Refusal | undefined
}

/** The methods that only read (RFC 9110, section 9.2.1, and the registry that it founds). */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'REPORT', 'SEARCH'])

const callerKey = 'sottoCaller'

/**
 * What stands before every route of the API. One order for all requests, so that no answer depends on anything that the caller
 * is not entitled to know: URL length, host, token, quota, authentication, scope, route, media type. Size, JSON and fields
 * come behind it. A full quota of an address never stands in the way of a valid token.
 */
export function createGate(options: GateOptions) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const early = earlyRefusal(options, request)
    if (early !== undefined) return refuseUncounted(options, reply, early)

    const { ports } = options
    const credentials = credentialsOf(request.raw)
    const found = credentials.kind === 'token' ? await authenticate(ports, credentials) : undefined
    if (found?.isErr() && found.error.code !== 'token_invalid') {
      showQuota(reply, await quotaOfAddress(ports, request.socket.remoteAddress))
      return sendFailure(reply, found.error)
    }
    const caller = found?.isOk() ? found.value : undefined

    const taken = await takeQuota(ports, { bucket: bucketOf(request, caller) })
    showQuota(reply, taken.unwrapOr(spentQuota(ports)))
    if (taken.isErr()) return sendFailure(reply, taken.error)

    if (caller === undefined) {
      return sendRefusal(reply, credentials.kind === 'none' ? refusals.noToken : refusals.invalidToken)
    }
    const late = lateRefusal(options, request, caller)
    if (late !== undefined) return sendRefusal(reply, late)
    request.setDecorator(callerKey, caller)
    return undefined
  }
}

/** Makes room for the caller in the requests of an instance. */
export const callerDecorator = [callerKey, null] as const

/** Who calls. Only behind the gate. */
export function callerOf(request: FastifyRequest): Caller {
  return request.getDecorator<Caller>(callerKey)
}

/** What is refused before anybody asks who calls. */
function earlyRefusal({ siteOf, isClosing }: GateOptions, request: FastifyRequest): Refusal | undefined {
  if (originalUrlOf(request.raw).length > urlMaxBytes) return refusals.urlTooLong
  const site = siteOf(request.raw)
  if (site === 'malformed') return refusals.badHost
  if (site === 'link' || site === 'unknown') return refusals.unknownPath
  return isClosing() ? refusals.shuttingDown : undefined
}

/** Shows the quota of the socket's address, as everything does that is refused before its caller is known. */
async function refuseUncounted(
  { ports }: GateOptions,
  reply: FastifyReply,
  refusal: Refusal,
): Promise<FastifyReply> {
  showQuota(reply, await quotaOfAddress(ports, reply.request.socket.remoteAddress))
  return sendRefusal(reply, refusal)
}

function bucketOf(request: FastifyRequest, caller: Caller | undefined): QuotaBucket {
  return caller === undefined
    ? { kind: 'address', address: addressBucket(request.ip) }
    : { kind: 'account', accountId: caller.accountId }
}

function lateRefusal(
  { routeRefusal }: GateOptions,
  request: FastifyRequest,
  caller: Caller,
): Refusal | undefined {
  const needed: Scope = safeMethods.has(request.method) ? 'read' : 'write'
  if (!caller.scopes.includes(needed)) return refusals.insufficientScope
  const refusal = routeRefusal(request)
  if (refusal !== undefined) return refusal
  return request.method === 'POST' && !isPlainJson(request.raw) ? refusals.mediaType : undefined
}
