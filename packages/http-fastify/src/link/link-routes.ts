import { openSecret, previewLink, type Ports } from '@sotto/core'
import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify'
import { describeThrown, logFailure } from '../failures.ts'
import { bareOrigin, type Origins } from '../hosts.ts'
import { refusalOfStatus } from '../refusals.ts'
import {
  busyAnswer,
  failedAnswer,
  failureAnswer,
  openedAnswer,
  previewAnswer,
  unreadableAnswer,
  type LinkAnswer,
} from './link-answers.ts'
import { createLinkGate, opensLinks } from './link-gate.ts'
import { bodyTypeOf, openRequestMaxBytes, readOpenRequest } from './read-open-request.ts'
import { createSender } from './send-answer.ts'

/** What links need of the world. */
export type LinkPorts = Pick<Ports, 'links' | 'secretCipher' | 'digests' | 'clock' | 'random'>

export interface LinkRoutesOptions extends Origins {
  readonly ports: LinkPorts
}

interface LinkRequest {
  Params: { readonly token: string }
}

/**
 * The pages of links, for people with a browser and programs with JSON, to be registered without a prefix:
 * `app.register(linkRoutes, { ports, baseUrl, linkBaseUrl })`. Takes every path of one segment, or none, that no other route
 * takes, and /robots.txt; deeper paths are the application's.
 *
 * GET and HEAD show, and consume nothing; POST opens. Nothing that is logged here holds any part of a URL.
 *
 * @throws TypeError when an origin is not bare
 */
export const linkRoutes: FastifyPluginCallback<LinkRoutesOptions> = (app, options, done) => {
  const send = createSender({ secure: bareOrigin(options.linkBaseUrl).protocol === 'https:' })
  let closing = false
  app.addHook('preClose', (closed) => {
    closing = true
    closed()
  })
  app.addHook('onRequest', createLinkGate({ origins: options, isClosing: () => closing, send }))
  app.setErrorHandler(async (error, request, reply) => send(request, reply, thrownAnswer(app, error)))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: openRequestMaxBytes },
    (_request, body, read) => read(null, body),
  )

  app.route<LinkRequest>({
    method: app.supportedMethods,
    url: '/:token',
    // Fastify's own lines about a request would name its URL.
    logLevel: 'silent',
    handler: async (request, reply) => {
      const answer = opensLinks(request)
        ? await open(app, options.ports, request)
        : await preview(app, options.ports, request)
      return send(request, reply, answer)
    },
  })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/robots.txt',
    handler: (_request, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .header('x-content-type-options', 'nosniff')
        .send('User-agent: *\nDisallow: /\n'),
  })
  done()
}

async function preview(
  app: FastifyInstance,
  ports: LinkPorts,
  { params: { token } }: FastifyRequest<LinkRequest>,
): Promise<LinkAnswer> {
  const formId = freshFormId(ports)
  const previewed = await previewLink(ports, { token })
  if (previewed.isOk()) return previewAnswer(previewed.value, formId)
  return logged(app, previewed.error, failureAnswer(previewed.error, { formId, passwordGiven: false }))
}

async function open(
  app: FastifyInstance,
  ports: LinkPorts,
  { params: { token }, raw, body }: FastifyRequest<LinkRequest>,
): Promise<LinkAnswer> {
  const read = readOpenRequest(bodyTypeOf(raw), body instanceof Uint8Array ? body : new Uint8Array())
  if (read.isErr()) return unreadableAnswer(read.error)
  const opened = await openSecret(ports, { token, ...read.value })
  if (opened.isOk()) return openedAnswer(opened.value)
  const form = { formId: freshFormId(ports), passwordGiven: read.value.password !== undefined }
  return logged(app, opened.error, failureAnswer(opened.error, form))
}

/** For the operator, by the application's own logger: it knows no request. */
function logged(
  app: FastifyInstance,
  error: Parameters<typeof logFailure>[1],
  answer: LinkAnswer,
): LinkAnswer {
  logFailure(app.log, error, answer.status)
  return answer
}

/** What Fastify throws while it reads a body, or a defect. */
function thrownAnswer(app: FastifyInstance, error: unknown): LinkAnswer {
  const { statusCode = 500 } = (error ?? {}) as { readonly statusCode?: number }
  const refusal = refusalOfStatus(statusCode)
  if (refusal.status < 500) return unreadableAnswer(refusal)
  app.log.error({ failure: describeThrown(error) }, 'a request for a link failed unexpectedly')
  return refusal.status === 503 ? busyAnswer(refusal) : failedAnswer(refusal)
}

/** 128 random bits in 32 hexadecimal digits. */
function freshFormId({ random }: LinkPorts): string {
  return Buffer.from(random.bytes(16)).toString('hex')
}
