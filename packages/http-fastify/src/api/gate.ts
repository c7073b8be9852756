import { takesFiles, type Caller, type QuotaBucket, type Scope, type Sotto } from '@sotto/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendError, sendProblem } from '../http/answers/answers.ts'
import { logError, writeAudit } from '../http/answers/log.ts'
import { problemOf } from '../http/answers/problems-of-errors.ts'
import { problems, type Problem } from '../http/answers/problems.ts'
import { quotaOfAddress, showQuota, spentQuota } from '../http/answers/quota-headers.ts'
import { addressBucket, auditAddress } from '../http/request/addresses.ts'
import { isPlainJson, multipartOf } from '../http/request/headers.ts'
import type { Authenticate } from './authentication.ts'
import type { AuthenticationError } from '../use-cases.ts'
import type { Lists } from './lists/lists.ts'
import { sendUnauthorized, type LoginPage } from './login-page.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route answers with a list of any length. Many simultaneous ones are admitted little by little. */
    readonly isList?: boolean
    /** Whether the route also takes a form with files. */
    readonly takesFiles?: boolean
  }
}

export interface GateOptions {
  readonly sotto: Pick<Sotto, 'policy' | 'takeQuota' | 'peekQuota'>
  readonly authenticate: Authenticate
  /** What is wrong with a request, whoever sends it. */
  readonly earlyProblem: (request: FastifyRequest) => Problem | undefined
  readonly admitList: Lists['admit']
  /** The 404 or 405 of a request without a route; `undefined` for one that has a route. */
  readonly routeProblem: (request: FastifyRequest) => Problem | undefined
  /** What a browser gets with a 401; JSON without it. */
  readonly loginPage?: LoginPage | undefined
  /** Whether audit lines carry the client's address. */
  readonly logAddresses?: boolean | undefined
}

/** The methods that only read (RFC 9110, section 9.2.1, and the IANA registry of methods). */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'REPORT', 'SEARCH'])

const callerKey = 'sottoCaller'

/**
 * The checks before every route of the API. They have one order, so that no answer reveals anything that the caller may not know: URL
 * length, host, caller, quota, 401, scope, route, media type. Size, JSON and fields follow in the routes. The used-up quota of an
 * address never blocks a valid caller.
 */
export function createGate(options: GateOptions) {
  const { sotto, authenticate } = options
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const early = options.earlyProblem(request)
    if (early !== undefined) return sendUncounted(options, reply, early)
    if (request.routeOptions.config.isList === true) await options.admitList()

    const found = await authenticate(request)
    if (found.isErr() && found.error.code !== 'token_invalid')
      return sendAuthenticationError(options, reply, found.error)
    const caller = found.isOk() ? found.value : undefined
    if (found.isErr())
      writeAudit(request.log, 'token_refused', { address: auditAddress(request, options.logAddresses) })

    const taken = await sotto.takeQuota({ bucket: bucketOf(request, caller) })
    showQuota(reply, taken.unwrapOr(spentQuota(sotto)))
    if (taken.isErr()) return sendError(reply, taken.error)

    if (caller === undefined)
      return sendUnauthorized(
        reply,
        found.isErr() ? problems.invalidToken : problems.noToken,
        options.loginPage,
      )
    const late = lateProblem(options, request, caller)
    if (late !== undefined) return sendProblem(reply, late)
    request.setDecorator(callerKey, caller)
    return undefined
  }
}

/** Why a caller may not create a secret any more, or why that is not known. */
export type LateRefusal = Exclude<AuthenticationError, { readonly code: 'fields_invalid' }>

/**
 * Makes the check of a caller once the files of a form have arrived: a token can be revoked, and an account deleted, while they arrive. It gives
 * the reason for a refusal.
 */
export function createLateRefusal({
  authenticate,
  logAddresses,
}: Pick<GateOptions, 'authenticate' | 'logAddresses'>) {
  return async (request: FastifyRequest): Promise<LateRefusal | undefined> => {
    const found = await authenticate(request)
    if (found.isErr() && found.error.code !== 'token_invalid' && found.error.code !== 'fields_invalid')
      return found.error
    const caller = found.unwrapOr(undefined)
    if (caller?.accountId === callerOf(request).accountId && caller.scopes.includes('write')) return undefined
    writeAudit(request.log, 'token_refused', { address: auditAddress(request, logAddresses) })
    return { code: 'token_invalid' }
  }
}

/** The arguments of `decorateRequest` that make room for the caller. */
export const callerDecorator = [callerKey, null] as const

/** The caller who sent the request. Only in routes behind the gate. */
export function callerOf(request: FastifyRequest): Caller {
  return request.getDecorator<Caller>(callerKey)
}

async function sendAuthenticationError(
  options: GateOptions,
  reply: FastifyReply,
  error: Exclude<AuthenticationError, { readonly code: 'token_invalid' }>,
): Promise<FastifyReply> {
  if (error.code === 'fields_invalid') {
    // The host application gave its user an id that no account can have: nothing that the caller sent.
    logError(reply.log, error, 500)
    return sendUncounted(options, reply, problems.failed)
  }
  await showAddress(options, reply)
  return sendError(reply, error)
}

/** Answers without counting the request, with the quota of the socket's address. */
async function sendUncounted(
  options: GateOptions,
  reply: FastifyReply,
  problem: Problem,
): Promise<FastifyReply> {
  await showAddress(options, reply)
  return sendProblem(reply, problem)
}

async function showAddress({ sotto }: GateOptions, reply: FastifyReply): Promise<void> {
  showQuota(reply, await quotaOfAddress(sotto, reply.request.socket.remoteAddress))
}

function bucketOf(request: FastifyRequest, caller: Caller | undefined): QuotaBucket {
  return caller === undefined
    ? { kind: 'address', address: addressBucket(request.ip) }
    : { kind: 'account', accountId: caller.accountId }
}

function lateProblem(
  { routeProblem, sotto }: GateOptions,
  request: FastifyRequest,
  caller: Caller,
): Problem | undefined {
  const needed: Scope = safeMethods.has(request.method) ? 'read' : 'write'
  if (!caller.scopes.includes(needed)) return problems.insufficientScope
  const problem = routeProblem(request)
  if (problem !== undefined) return problem
  return request.method === 'POST' && !isPlainJson(request.raw) ? otherTypeProblem(sotto, request) : undefined
}

function otherTypeProblem({ policy }: GateOptions['sotto'], request: FastifyRequest): Problem | undefined {
  const isForFiles = request.routeOptions.config.takesFiles === true
  const areTaken = takesFiles(policy.files)
  const multipart = isForFiles ? multipartOf(request.raw) : undefined
  if (multipart === undefined) return isForFiles && areTaken ? problems.mediaTypeOrForm : problems.mediaType
  if (!areTaken) return problemOf({ code: 'files_off' })
  return multipart.boundary === undefined ? problems.badMultipart : undefined
}
