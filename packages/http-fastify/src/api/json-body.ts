import type { Policy } from '@sotto/core'
import type { FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { sendProblem } from '../http/answers.ts'
import { problems } from '../http/problems.ts'
import { readBody } from '../http/bodies.ts'
import { parseStrictJson } from '../http/strict-json.ts'

/** In JSON a note can be six times as long (`\u0001` is one byte of it). The other fields and the punctuation fit into 16 KiB. */
export function bodyMaxBytes({ noteMaxBytes }: Pick<Policy, 'noteMaxBytes'>): number {
  return 6 * noteMaxBytes + 16 * 1024
}

/** Makes a hook `preValidation` that reads the body, and the JSON in it. */
export function createReadJsonBody(policy: Pick<Policy, 'noteMaxBytes'>) {
  const maxBytes = bodyMaxBytes(policy)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const parsed = parseStrictJson(await readBody(reply, maxBytes))
    if (parsed.isErr()) return sendProblem(reply, problems.badJson)
    request.body = parsed.value
    return undefined
  }
}

/**
 * Only decides whether a value fits its schema; what is wrong with it is found elsewhere. It is set on each route, because the validator
 * of an embedding application may convert, remove and add values, as Fastify's own does by default. Without it Fastify would also load
 * its own, which takes a quarter of the server's start.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema }) => {
  const validator = Compile(schema)
  return (value: unknown) =>
    validator.Check(value) ? { value } : { error: new Error('it does not fit its schema') }
}
