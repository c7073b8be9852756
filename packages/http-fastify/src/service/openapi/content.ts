import { envelopeSchema, envelopeText, problemText } from '@sotto/wire'
import * as Type from 'typebox'
import type { TSchema } from 'typebox'
import type { Problem } from '../../http/answers/problems.ts'
import type { Content, Operation, PathItem, Reference } from './types.ts'

export const json = 'application/json; charset=utf-8'
const html = 'text/html; charset=utf-8'

/** A successful answer in JSON. */
export function dataContent(schema: TSchema, example: unknown): Content {
  return { [json]: { schema: envelopeSchema(schema), example: JSON.parse(envelopeText(example)) as unknown } }
}

export function problemContent(problem: Problem): Content {
  return {
    [json]: {
      schema: { $ref: '#/components/schemas/Problem' },
      example: JSON.parse(problemText(problem)) as unknown,
    },
  }
}

export const pageContent: Content = { [html]: { schema: Type.String() } }

const headerNames: Readonly<Record<string, string>> = {
  'www-authenticate': 'WwwAuthenticate',
  'retry-after': 'RetryAfter',
  'x-ratelimit-reset': 'RateLimitReset',
  allow: 'Allow',
}

/** The headers of a problem, as references to the components of the document. */
export function problemHeaders({ headers = {} }: Problem): Record<string, Reference> {
  return Object.fromEntries(
    Object.keys(headers).map((name) => [
      name,
      { $ref: `#/components/headers/${headerNames[name] ?? 'undocumented'}` },
    ]),
  )
}

/** GET, and HEAD with it: the same answers without their bodies. */
export function readable(get: Operation): PathItem {
  return {
    get,
    head: { ...get, operationId: `${get.operationId}Head`, summary: `${get.summary}: headers only` },
  }
}
