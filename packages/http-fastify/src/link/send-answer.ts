import type { FastifyReply, FastifyRequest } from 'fastify'
import { drain } from '../drain.ts'
import type { LinkAnswer } from './link-answers.ts'
import { createLinkHeaders } from './link-headers.ts'
import { preferredLanguage, preferredType } from './preferences.ts'
import { languageTags } from './texts/languages.ts'
import { voiceOf } from './texts/voice.ts'

/** Sends an answer as the client prefers it. */
export type SendAnswer = (
  request: FastifyRequest,
  reply: FastifyReply,
  answer: LinkAnswer,
) => Promise<FastifyReply>

export function createSender(options: { readonly secure: boolean }): SendAnswer {
  const headers = createLinkHeaders(options)
  return async (request, reply, answer) => {
    // Fastify closes the connection after every fault of a body; needed only when the rest of it does not come.
    reply.removeHeader('connection')
    if (!(await drain(request.raw))) reply.header('connection', 'close')
    reply.code(answer.status).headers(answer.headers ?? {})
    if (!wantsPage(request)) return reply.headers(headers.json).send(answer.json())
    const voice = voiceOf(preferredLanguage(request.headers['accept-language'], languageTags))
    const page = answer.page(voice)
    return reply.headers(headers.page(page, voice.texts.language)).send(page.body)
  }
}

/** Who does not care, as most programs, gets the page to look at, and JSON when it acts. */
function wantsPage({ method, headers }: FastifyRequest): boolean {
  const type = preferredType(headers.accept)
  return type === 'html' || (type === 'either' && method !== 'POST')
}
