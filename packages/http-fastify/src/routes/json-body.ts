import type { FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { sendRefusal } from '../answers.ts'
import { refusals } from '../refusals.ts'
import { parseStrictJson } from '../strict-json.ts'

/** Turns the bytes of a body into what they say; for the hook `preValidation`. */
export async function parseJsonBody(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const { body } = request
  const parsed = parseStrictJson(body instanceof Uint8Array ? body : new Uint8Array())
  if (parsed.isErr()) return sendRefusal(reply, refusals.badJson)
  request.body = parsed.value
  return undefined
}

/**
 * Only ever says yes or no: what is wrong is told elsewhere, in the words of the API. It stands on each route, because the
 * validator of an embedding application may coerce, remove and fill in, as Fastify's own does unless it is told not to. Without it
 * Fastify would also load its own, a quarter of the server's start.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema }) => {
  const validator = Compile(schema)
  return (value: unknown) =>
    validator.Check(value) ? { value } : { error: new Error('it does not fit its schema') }
}
