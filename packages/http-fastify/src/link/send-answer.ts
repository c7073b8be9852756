import type { Language } from '@sotto/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Brand, createLocalizer } from '@sotto/html'
import { drainBefore } from '../http/bodies/drain.ts'
import { chosenLanguage, clientLanguage } from '../http/request/language.ts'
import { preferredType } from '../http/request/preferences.ts'
import { unknownPathAnswer, type LinkAnswer } from './link-answers.ts'
import { linkHeaders } from './link-headers.ts'
import { linkTexts } from '@sotto/texts/link'

/** Sends an answer in the form that the client prefers. */
export interface Sender {
  send(request: FastifyRequest, reply: FastifyReply, answer: LinkAnswer): Promise<FastifyReply>
  /** Says that this service has no such path: with a page to browsers, in JSON to everybody else. */
  sendUnknownPath(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

/** Leads to a page of links. Whether there is one with this token is not looked up. @param path without the slash at its beginning */
export function redirectTo(path: string, reply: FastifyReply): FastifyReply {
  return reply.code(303).headers(linkHeaders.redirect).header('location', `/${path}`).send()
}

export function createSender(brand: Brand): Sender {
  const localizedFor = createLocalizer(linkTexts, brand)
  return {
    send: (request, reply, answer) => sendAs(prefersPage(request), request, reply, answer),
    sendUnknownPath: (request, reply) =>
      sendAs(preferredType(request.headers.accept) === 'html', request, reply, unknownPathAnswer),
  }

  async function sendAs(
    isPage: boolean,
    request: FastifyRequest,
    reply: FastifyReply,
    answer: LinkAnswer,
  ): Promise<FastifyReply> {
    await drainBefore(reply)
    reply.code(answer.status).headers(answer.headers ?? {})
    if (!isPage) return reply.headers(linkHeaders.json).send(answer.json())
    const page = answer.page(localizedFor(languageOf(request)))
    return reply.headers(linkHeaders.page(page)).send(page.body)
  }
}

/** The one that `?lang=` names, which the page's form keeps because it posts to the same address, or else the one that the client prefers. */
function languageOf(request: FastifyRequest): Language {
  return chosenLanguage(request) ?? clientLanguage(request)
}

/** A client without a preference, like most programs, gets the page when it looks and JSON when it opens. */
function prefersPage({ method, headers }: FastifyRequest): boolean {
  const type = preferredType(headers.accept)
  return type === 'html' || (type === 'either' && method !== 'POST')
}
