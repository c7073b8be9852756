import { languages } from '@sotto/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Brand } from '../design/brand.ts'
import { createLocalizer } from '../design/localized.ts'
import { drainBefore } from '../http/bodies/drain.ts'
import { preferredLanguage, preferredType } from '../http/request/preferences.ts'
import type { LinkAnswer } from './link-answers.ts'
import { linkHeaders } from './link-headers.ts'
import { linkTexts } from './texts/link-texts.ts'

/** Sends an answer in the form that the client prefers. */
export type SendAnswer = (
  request: FastifyRequest,
  reply: FastifyReply,
  answer: LinkAnswer,
) => Promise<FastifyReply>

export function createSender(brand: Brand): SendAnswer {
  const localizedFor = createLocalizer(linkTexts, brand)
  return async (request, reply, answer) => {
    await drainBefore(reply)
    reply.code(answer.status).headers(answer.headers ?? {})
    if (!prefersPage(request)) return reply.headers(linkHeaders.json).send(answer.json())
    const localized = localizedFor(preferredLanguage(request.headers['accept-language'], languages))
    const page = answer.page(localized)
    return reply.headers(linkHeaders.page(page)).send(page.body)
  }
}

/** A client without a preference, like most programs, gets the page when it looks and JSON when it opens. */
function prefersPage({ method, headers }: FastifyRequest): boolean {
  const type = preferredType(headers.accept)
  return type === 'html' || (type === 'either' && method !== 'POST')
}
