import type { QuotaBucket } from '@sotto/core'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import {
  logOf,
  logError,
  addressBucket,
  auditAddress,
  isCrossSite,
  chosenLanguage,
  clientLanguage,
  baseHostOnly,
  type FormBounds,
} from '@sotto/http-fastify/plugin'
import type { Origins } from '@sotto/http-fastify'
import type { DashboardUseCases } from '../use-cases.ts'
import type { Admission, Refusal } from './admission.ts'
import { answerForm, type Gate, type Post, type UnreadForm } from './answer-form.ts'
import { sendAnswer, type Answer } from './answers.ts'
import { crossSiteAnswer, errorAnswer, statusAnswer } from './errors.ts'
import type { DashboardLocalizer } from './localized.ts'
import type { OwnerVisit, SessionVisit, Visit } from './visit.ts'

/** What one path answers. Without `post` the path takes no forms, without `get` it shows nothing. */
export interface Handlers<V extends Visit> {
  readonly get?: (visit: V) => Promise<Answer>
  readonly post?: Post<V>
}

/** The paths of those who are signed in. */
export interface OwnerHandlers<V extends OwnerVisit> extends Handlers<V> {
  /**
   * Whether forms count against the quota of the session, instead of the account's. For forms that take access away: whoever stole a
   * session can use up the account's quota, and must not keep the owner from ending it.
   */
  readonly takesAccessAway?: boolean
  /** Whether its forms may have files; false by default. */
  readonly takesFiles?: boolean
}

/** Adds paths to the application, on the host of the base URL only. */
export interface Router {
  /** A path for everybody. */
  anyone(url: string, handlers: Handlers<Visit>): void
  /** A path for those who are signed in. Everybody else is sent to the login page. */
  owner(url: string, handlers: OwnerHandlers<OwnerVisit>): void
  /** Adds a path for those who signed in here. There is no such path where the host application signs its users in. */
  session(url: string, handlers: OwnerHandlers<SessionVisit>): void
}

export interface RouterOptions {
  readonly app: FastifyInstance
  readonly sotto: Pick<DashboardUseCases, 'takeQuota' | 'countNewAnswers'>
  readonly origins: Origins
  readonly admission: Admission
  readonly localizedFor: DashboardLocalizer
  /** Whether audit lines carry the client's address. */
  readonly logAddresses?: boolean | undefined
  /** How large a form each path takes. */
  readonly formBounds: (url: string) => FormBounds
}

export function createRouter(options: RouterOptions): Router {
  const { admission } = options
  return {
    anyone: (url, handlers) =>
      addRoute(options, url, handlers, {
        takesLanguage: true,
        admit: (visit) => Promise.resolve(visit),
        count: () => Promise.resolve(undefined),
      }),
    owner: (url, handlers) => addOwnerRoute(options, url, handlers, admission.owner),
    session(url, handlers) {
      if (admission.session !== undefined) addOwnerRoute(options, url, handlers, admission.session)
    },
  }
}

function addOwnerRoute<V extends OwnerVisit>(
  options: RouterOptions,
  url: string,
  { takesAccessAway = false, takesFiles = false, ...handlers }: OwnerHandlers<V>,
  admit: Gate<V>['admit'],
): void {
  addRoute(options, url, handlers, {
    uploaderOf: takesFiles ? ({ accountId }) => accountId : undefined,
    admit: async (visit) => counting(options, await admit(visit)),
    count: (visit) =>
      takesAccessAway && visit.session !== undefined
        ? count(options, visit, { kind: 'session', sessionId: visit.session.id })
        : count(options, visit, { kind: 'pages', accountId: visit.accountId }),
  })
}

/** Pages with a navigation count new answers when they are sent. Where that fails, they are shown all the same. */
function counting<V extends OwnerVisit>({ sotto }: RouterOptions, admitted: V | Refusal): V | Refusal {
  if (typeof admitted === 'function') return admitted
  const { accountId, localized, request } = admitted
  const countNewAnswers = async (): Promise<number> => {
    const counted = await sotto.countNewAnswers({ accountId })
    if (counted.isErr()) logError(request.log, counted.error, 503)
    return counted.unwrapOr(0)
  }
  return { ...admitted, localized: { ...localized, countNewAnswers } }
}

function addRoute<V extends Visit>(
  options: RouterOptions,
  url: string,
  handlers: Handlers<V>,
  gate: Gate<V>,
): void {
  const { app, origins } = options
  const allowed = [...(handlers.get ? ['GET', 'HEAD'] : []), ...(handlers.post ? ['POST'] : [])]
  app.route({
    // All methods, or the routes of links would answer the others on paths of one segment.
    method: app.supportedMethods,
    url,
    constraints: baseHostOnly(origins),
    ...(url.includes(':token') && withoutUrlsInLog(app)),
    handler: async (request, reply) => {
      if (!allowed.includes(request.method)) reply.header('allow', allowed.join(', '))
      const visit = visitOf(options, request, gate.takesLanguage)
      const form = { reply, ...options.formBounds(url) }
      return sendAnswer(reply, await answer(options, { visit, form }, handlers, gate))
    },
  })
}

/** Fastify's own log lines about a request contain its URL, which for these paths gives access. Ours do not. */
function withoutUrlsInLog(app: FastifyInstance): Pick<RouteShorthandOptions, 'logLevel' | 'onRequest'> {
  return {
    logLevel: 'silent',
    onRequest: (request, _reply, done) => {
      request.log = logOf(app, request)
      done()
    },
  }
}

async function answer<V extends Visit>(
  { origins }: RouterOptions,
  { visit, form }: { readonly visit: Visit; readonly form: UnreadForm },
  { get, post }: Handlers<V>,
  gate: Gate<V>,
): Promise<Answer> {
  const { request, localized } = visit
  if (request.method === 'POST' && post !== undefined) {
    if (isCrossSite(request.headers, origins.baseUrl)) return crossSiteAnswer(localized)
    return answerForm({ visit, form }, post, gate)
  }
  if ((request.method === 'GET' || request.method === 'HEAD') && get !== undefined) {
    const admitted = await gate.admit(visit)
    return typeof admitted === 'function' ? admitted(undefined) : get(admitted)
  }
  return statusAnswer(localized, 405)
}

/** What owners change counts against a quota of its own, beside that of the API. Gives the answer when there were too many. */
async function count(
  { sotto }: Pick<RouterOptions, 'sotto'>,
  visit: OwnerVisit,
  bucket: QuotaBucket,
): Promise<Answer | undefined> {
  const quota = await sotto.takeQuota({ bucket })
  return quota.isErr() ? errorAnswer(visit, quota.error) : undefined
}

export function visitOf(
  { localizedFor, logAddresses }: Pick<RouterOptions, 'localizedFor' | 'logAddresses'>,
  request: FastifyRequest,
  takesLanguage = false,
): Visit {
  const chosen = takesLanguage ? chosenLanguage(request) : undefined
  return {
    request,
    localized:
      chosen === undefined
        ? localizedFor(clientLanguage(request))
        : { ...localizedFor(chosen), isChosen: true },
    address: addressBucket(request.ip),
    loggedAddress: auditAddress(request, logAddresses),
    params: stringsOf(request.params),
    query: stringsOf(request.query),
  }
}

function stringsOf(values: unknown): Readonly<Record<string, string | undefined>> {
  const entries = Object.entries((values ?? {}) as Record<string, unknown>)
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

export async function sendStatus(
  options: Pick<RouterOptions, 'localizedFor'>,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
): Promise<FastifyReply> {
  return sendAnswer(reply, statusAnswer(visitOf(options, request).localized, status))
}
