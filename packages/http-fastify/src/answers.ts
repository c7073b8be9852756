import type { FastifyReply } from 'fastify'
import { drain } from './drain.ts'
import type { Refusal } from './refusals.ts'
import { apiVersion } from './schemas/envelope.ts'

/**
 * On every answer in JSON: nothing may be cached, guessed, framed or followed (OWASP REST Security Cheat Sheet). A constant,
 * because composing headers for each answer costs more than sending them.
 */
export const jsonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** What stands before and behind the data of a successful answer. */
export const envelopeStart = `{"success":true,"version":"${apiVersion}","data":`
export const envelopeEnd = '}'

/** Answers with data. */
export function sendData(reply: FastifyReply, status: number, data: unknown): FastifyReply {
  return reply
    .code(status)
    .headers(jsonHeaders)
    .send(envelopeStart + JSON.stringify(data) + envelopeEnd)
}

/** Answers with an error, once what is left of the request's body has been read. */
export async function sendRefusal(reply: FastifyReply, refusal: Refusal): Promise<FastifyReply> {
  const drained = await drain(reply.request.raw)
  if (!drained) reply.header('connection', 'close')
  return reply
    .code(refusal.status)
    .headers(jsonHeaders)
    .headers(refusal.headers ?? {})
    .send(errorText(refusal))
}

/** The body of an error. */
export function errorText({ message, errors }: Refusal): string {
  return JSON.stringify({ success: false, version: apiVersion, message, errors })
}
