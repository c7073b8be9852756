import type { NewFiles, QuotaBucket, RelyingParty, Uuid } from '@sotto/core'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Result } from 'neverthrow'
import type { Problem } from '../http/answers/problems.ts'
import { readBody, readRefusedBody } from '../http/bodies/bodies.ts'
import type { FormFields } from '../http/bodies/form.ts'
import { allowedAtEnd } from '../http/bodies/incoming-form.ts'
import { addressBucket } from '../http/request/addresses.ts'
import { isCrossSite, multipartOf } from '../http/request/headers.ts'
import { chosenLanguage, clientLanguage } from '../http/request/language.ts'
import { relyingPartyOf } from '../http/request/relying-party.ts'
import { baseHostOnly, type Origins } from '../http/request/target.ts'
import type { DashboardUseCases } from '../use-cases.ts'
import type { Admission, Refusal } from './admission.ts'
import { sendAnswer, type Answer } from './answers.ts'
import { crossSiteAnswer, errorAnswer, keepingForm, statusAnswer } from './errors.ts'
import { fieldsOf } from './form.ts'
import { readFormWithFiles, readRefusedForm, type FormBounds, type SentForm } from './form-with-files.ts'
import type { DashboardLocalizer } from './texts/dashboard-texts.ts'
import type { OwnerVisit, SessionVisit, Visit } from './visit.ts'

/** What one path answers. Without `post` the path takes no forms, without `get` it shows nothing. */
export interface Handlers<V extends Visit> {
  readonly get?: (visit: V) => Promise<Answer>
  /** `files` are those of a form that has some. They arrive while they are read, after all fields. */
  readonly post?: (visit: V, fields: FormFields, files?: NewFiles) => Promise<Answer>
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
  /** The same for those who signed in here. There is no such path where the application around signs its users in. */
  session(url: string, handlers: OwnerHandlers<SessionVisit>): void
}

export interface RouterOptions {
  readonly app: FastifyInstance
  readonly sotto: Pick<DashboardUseCases, 'takeQuota'>
  readonly origins: Origins
  readonly admission: Admission
  readonly localizedFor: DashboardLocalizer
  /** Whether audit lines carry the client's address. */
  readonly logAddresses?: boolean | undefined
  /** How large a form each path takes. */
  readonly formBounds: (url: string) => FormBounds
}

/** What the routes need. */
type Options = RouterOptions & { readonly relyingParty: RelyingParty | undefined }

export function createRouter(given: RouterOptions): Router {
  const { admission, origins } = given
  // An application that signs its users in asks them for their passkeys itself.
  const relyingParty = admission.session === undefined ? undefined : relyingPartyOf(origins.baseUrl)
  const options: Options = { ...given, relyingParty }
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
  options: Options,
  url: string,
  { takesAccessAway = false, takesFiles = false, ...handlers }: OwnerHandlers<V>,
  admit: Gate<V>['admit'],
): void {
  addRoute(options, url, handlers, {
    uploaderOf: takesFiles ? ({ accountId }) => accountId : undefined,
    admit,
    count: (visit) =>
      takesAccessAway && visit.session !== undefined
        ? count(options, visit, { kind: 'session', sessionId: visit.session.id })
        : count(options, visit, { kind: 'pages', accountId: visit.accountId }),
  })
}

interface Gate<V extends Visit> {
  /** Whether `?lang=` chooses the language; false by default. Owners choose it in the settings. */
  readonly takesLanguage?: boolean
  /** Whose account sends the files of a form; `undefined` where no form may have files. */
  readonly uploaderOf?: ((visit: V) => Uuid) | undefined
  /** Admits a visit to a handler, or refuses it. */
  admit(visit: Visit): Promise<V | Refusal>
  /** Counts a form that can be read. The answer when there were too many. */
  count(visit: V): Promise<Answer | undefined>
}

function addRoute<V extends Visit>(
  options: Options,
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
      request.log = app.log.child({ reqId: request.id })
      done()
    },
  }
}

/** A form that a request may have, not read yet. */
interface UnreadForm extends FormBounds {
  readonly reply: FastifyReply
}

/** A form is read once its sender is admitted: nobody else makes the server hold long ones. */
async function answer<V extends Visit>(
  { origins }: RouterOptions,
  { visit, form }: { readonly visit: Visit; readonly form: UnreadForm },
  { get, post }: Handlers<V>,
  gate: Gate<V>,
): Promise<Answer> {
  const { request, localized } = visit
  if (request.method === 'POST' && post !== undefined) {
    if (isCrossSite(request.headers, origins.baseUrl)) return crossSiteAnswer(localized)
    const admitted = await gate.admit(visit)
    const multipart = gate.uploaderOf && multipartOf(request.raw)
    if (typeof admitted === 'function') return refuseForm(visit, form, admitted, multipart)
    const sent = await (gate.uploaderOf === undefined || multipart === undefined
      ? readForm(request, form)
      : readFormWithFiles(form.reply, multipart.boundary, { ...form, accountId: gate.uploaderOf(admitted) }))
    if (sent.isErr()) return statusAnswer(localized, sent.error.status)
    const { fields, files } = sent.value
    const late = files && admittedAtEnd(files, () => admitAgain(gate, visit, admitted))
    const answered = (await gate.count(admitted)) ?? (await post(admitted, fields, late?.files))
    const refusal = await late?.refusal()
    return keepingForm(admitted, refusal?.(fields, true) ?? answered, fields, files !== undefined)
  }
  if ((request.method === 'GET' || request.method === 'HEAD') && get !== undefined) {
    const admitted = await gate.admit(visit)
    return typeof admitted === 'function' ? admitted(undefined) : get(admitted)
  }
  return statusAnswer(localized, 405)
}

/** Where the application around signs its users in, somebody else may have signed in meanwhile: whoever that is sent no form. */
async function admitAgain<V extends Visit>(
  { admit, uploaderOf }: Gate<V>,
  visit: Visit,
  before: V,
): Promise<Visit | Refusal> {
  const again = await admit(visit)
  const isOther = typeof again !== 'function' && uploaderOf?.(again) !== uploaderOf?.(before)
  return isOther ? () => statusAnswer(visit.localized, 401) : again
}

/**
 * Files, and the refusal of their sender by the time at which all are here, or at which the rest is not read: a session may end while they
 * arrive.
 */
function admittedAtEnd(
  files: NewFiles,
  admit: () => Promise<Visit | Refusal>,
): { readonly files: NewFiles; refusal(): Promise<Refusal | undefined> } {
  let again: Promise<Visit | Refusal> | undefined
  const refusal = async (): Promise<Refusal | undefined> => {
    const admitted = await (again ??= admit())
    return typeof admitted === 'function' ? admitted : undefined
  }
  return { files: allowedAtEnd(files, async () => (await refusal()) === undefined), refusal }
}

async function readForm(
  request: FastifyRequest,
  { reply, maxBytes, maxFields }: UnreadForm,
): Promise<Result<SentForm, Problem>> {
  return fieldsOf(request, await readBody(reply, maxBytes), maxFields).map((fields) => ({
    fields,
    files: undefined,
  }))
}

/** The refusal keeps what was typed, as far as it is there when the refusal can be sent. */
async function refuseForm(
  visit: Visit,
  form: UnreadForm,
  refusal: Refusal,
  multipart: ReturnType<typeof multipartOf>,
): Promise<Answer> {
  if (multipart !== undefined) {
    const { fields, hasFiles } = await readRefusedForm(form.reply, multipart.boundary, form)
    return keepingForm(visit, refusal(fields, hasFiles), fields, hasFiles)
  }
  const { reply, maxBytes, maxFields } = form
  const body = await readRefusedBody(reply, maxBytes)
  const fields = fieldsOf(visit.request, body ?? new Uint8Array(), maxFields).unwrapOr([])
  return keepingForm(visit, refusal(fields), fields)
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
  {
    localizedFor,
    logAddresses,
    relyingParty,
  }: Pick<RouterOptions, 'localizedFor' | 'logAddresses'> & Partial<Pick<Options, 'relyingParty'>>,
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
    loggedAddress: logAddresses === true ? request.ip : undefined,
    relyingParty,
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
