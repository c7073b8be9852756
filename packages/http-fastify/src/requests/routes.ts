import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readAnswer, type AnswerFields } from '@sotto/wire'
import { err, ok, type Result } from 'neverthrow'
import { logError, logOf } from '../http/answers/log.ts'
import { fieldsProblem } from '../http/answers/problems-of-errors.ts'
import type { Problem } from '../http/answers/problems.ts'
import { readBody } from '../http/bodies/bodies.ts'
import { withoutCarriageReturns } from '../http/bodies/form.ts'
import { addressBucket } from '../http/request/addresses.ts'
import { multipartOf } from '../http/request/headers.ts'
import type { AnswerError, AnswerUseCases, LinkUseCases } from '../use-cases.ts'
import { newFormId, type LinkAnswer } from '../link/link-answers.ts'
import { bodyTypeOf, fieldsOf, type BodyType } from '../link/link-body.ts'
import { opensLinks } from '../link/link-gate.ts'
import type { LinkKind } from '../link/link-kind.ts'
import {
  crossSiteRequestAnswer,
  receivedAnswer,
  refusedAnswer,
  requestAnswer,
  tooLargeAnswer,
  unreadableRequestAnswer,
  type RefusedForm,
} from './answers.ts'
import { takeAnswerWithFiles, type ArrivingAnswer } from './answer-with-files.ts'
import { requestProblems } from './problems.ts'
import { redirectTo, type Sender } from '../link/send-answer.ts'
import { tokenBeforePunctuation } from '../link/trailing-characters.ts'

/** The path of a request's page. */
const requestPath = '/r/:token'

/** The links of requests. The route decides first whether an answer is read at all, so it is what refuses its media type. */
export const requestLinks: LinkKind = {
  prefix: requestPath,
  methods: ['GET', 'HEAD', 'POST'],
  crossSiteAnswer: crossSiteRequestAnswer,
  addRoutes: (app, sotto, { sender }) => {
    if (hasRequests(sotto)) addRequestRoutes(app, sotto, sender)
  },
}

interface TokenRequest {
  Params: { readonly token: string }
}

/** Whether requests can be answered with these use-cases. */
function hasRequests(sotto: LinkUseCases): sotto is LinkUseCases & AnswerUseCases {
  const { policy, previewRequest, admitAnswer, answerRequest, uploadFiles, dropUpload } = sotto
  const needed = [policy, previewRequest, admitAnswer, answerRequest, uploadFiles, dropUpload]
  return needed.every((each) => each !== undefined)
}

/**
 * `/r/{token}`: the page on which somebody without an account hands in what an owner asks for. GET and HEAD show it and change nothing. POST
 * hands in: whether the request can be answered, and the address may, is decided before the body is read.
 */
function addRequestRoutes(app: FastifyInstance, sotto: AnswerUseCases, { send }: Sender): void {
  const answerAndSend = async (
    token: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => send(request, reply, await answer({ sotto, app, token }, request, reply))

  app.route<TokenRequest>({
    method: app.supportedMethods,
    url: requestPath,
    logLevel: 'silent',
    handler: async (request, reply) => {
      const bare = tokenBeforePunctuation(request.params.token)
      if (opensLinks(request)) return answerAndSend(bare ?? request.params.token, request, reply)
      if (bare !== undefined) return redirectTo(`r/${bare}`, reply)
      return send(request, reply, await preview(sotto, app, request))
    },
  })
  app.route<TokenRequest & { Params: { readonly '*': string } }>({
    method: ['GET', 'HEAD', 'POST'],
    url: `${requestPath}/*`,
    logLevel: 'silent',
    handler: async (request, reply) => {
      const bare = tokenBeforePunctuation(`${request.params.token}/${request.params['*']}`)
      if (bare === undefined) {
        reply.callNotFound()
        return reply
      }
      return opensLinks(request) ? answerAndSend(bare, request, reply) : redirectTo(`r/${bare}`, reply)
    },
  })
}

async function preview(
  sotto: AnswerUseCases,
  app: FastifyInstance,
  request: FastifyRequest<TokenRequest>,
): Promise<LinkAnswer> {
  const formId = newFormId()
  const previewed = await sotto.previewRequest({ token: request.params.token })
  return previewed.isOk()
    ? requestAnswer(previewed.value, formId)
    : refused(app, request, previewed.error, { preview: undefined, formId })
}

interface AnswerContext {
  readonly sotto: AnswerUseCases
  readonly app: FastifyInstance
  readonly token: string
}

async function answer(
  { sotto, app, token }: AnswerContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<LinkAnswer> {
  const type = bodyTypeOf(request.raw)
  const address = addressBucket(request.ip)
  const admitted = await sotto.admitAnswer({ token, address })
  const multipart = multipartOf(request.raw)
  if (multipart !== undefined) {
    const refuse: ArrivingAnswer['refuse'] = async (error, { formId = newFormId(), ...typed }, problem) => {
      const previewed = await sotto.previewRequest({ token })
      const form = { preview: previewed.unwrapOr(undefined), formId, ...typed }
      return refused(app, request, error, form, problem)
    }
    const textMaxBytes = answerMaxBytes(sotto.policy)
    const arriving = { sotto, token, address, textMaxBytes, refuse }
    return takeAnswerWithFiles(arriving, reply, multipart.boundary, admitted)
  }
  const refusal = admitted.isErr()
    ? refused(app, request, admitted.error, { preview: undefined, formId: newFormId() })
    : undefined
  // A form that was sent before gets its receipt again, which only the form itself tells.
  if (refusal !== undefined && type !== 'form') return refusal
  const body = await bodyOf(reply, answerMaxBytes(sotto.policy))
  if (body === 'too_large') return refusal ?? tooLargeAnswer
  const fields = readAnswerBody(type, body)
  if (fields.isErr()) return refusal ?? unreadableRequestAnswer(fields.error)
  const { note, formId = newFormId() } = fields.value
  const answered = await sotto.answerRequest({ token, address, note, formId: fields.value.formId })
  if (answered.isOk()) return receivedAnswer(answered.value)
  const previewed = await sotto.previewRequest({ token })
  return refused(app, request, answered.error, { preview: previewed.unwrapOr(undefined), formId, note })
}

/** A note takes at most six times its bytes in JSON, and three times in a form. */
function answerMaxBytes({ noteMaxBytes }: AnswerUseCases['policy']): number {
  return 6 * noteMaxBytes + 16 * 1024
}

async function bodyOf(reply: FastifyReply, maxBytes: number): Promise<Uint8Array | 'too_large'> {
  try {
    return await readBody(reply, maxBytes)
  } catch (error) {
    if ((error as { readonly statusCode?: number }).statusCode === 413) return 'too_large'
    throw error
  }
}

/** Reads an answer as strictly as the API: unknown and duplicate fields, other types and invalid UTF-8 are refused. */
function readAnswerBody(type: BodyType | undefined, body: Uint8Array): Result<AnswerFields, Problem> {
  if (type === undefined || type === 'none') return err(requestProblems.mediaType)
  const fields = fieldsOf(type, body)
  if (fields.isErr()) return err(fields.error)
  const read = readAnswer(type, fields.value).mapErr(fieldsProblem)
  if (read.isErr() || type === 'json') return read
  return ok({ ...read.value, note: withoutCarriageReturns(read.value.note) })
}

function refused(
  app: FastifyInstance,
  request: FastifyRequest,
  error: AnswerError,
  form: RefusedForm,
  problem?: Problem,
): LinkAnswer {
  const answer = refusedAnswer(error, form, problem)
  logError(logOf(app, request), error, answer.status)
  return answer
}
