import { defaultPolicy } from '@sotto/core'
import {
  answerFormSchema,
  answerReceiptSchema,
  answerSchema,
  envelopeSchema,
  envelopeText,
  folderSchema,
  linkPreviewSchema,
  newSecretSchema,
  openedSecretSchema,
  openFormSchema,
  openRequestSchema,
  problemSchema,
  problemText,
  requestPreviewSchema,
  secretSchema,
} from '@sotto/wire'
import * as Type from 'typebox'
import type { TSchema } from 'typebox'
import type { Problem } from '../http/answers/problems.ts'
import type { Content, MediaType, Operation, PathItem, Reference, Response } from './types.ts'

/** The objects of the wire. The bounds of a new secret are those of the installation in the document. */
export const schemas = {
  Folder: folderSchema,
  Secret: secretSchema,
  NewSecret: newSecretSchema(defaultPolicy),
  LinkPreview: linkPreviewSchema,
  OpenRequest: openRequestSchema,
  OpenForm: openFormSchema,
  OpenedSecret: openedSecretSchema,
  RequestPreview: requestPreviewSchema,
  Answer: answerSchema,
  AnswerForm: answerFormSchema,
  AnswerReceipt: answerReceiptSchema,
  Problem: problemSchema,
}

export type SchemaName = keyof typeof schemas

export const json = 'application/json; charset=utf-8'
const html = 'text/html; charset=utf-8'

/** A body that is one of the objects. */
export function bodyContent(name: SchemaName): Required<MediaType> & { readonly schema: TSchema } {
  return { schema: Type.Ref(`#/components/schemas/${name}`), example: exampleOf(schemas[name]) }
}

/** A successful answer with one of the objects. */
export function objectContent(name: SchemaName): Content {
  const { schema, example } = bodyContent(name)
  return dataContent(schema, example)
}

/** A successful answer with a list of objects. */
export function listContent(name: SchemaName): Content {
  const { schema, example } = bodyContent(name)
  return dataContent(Type.Array(schema), [example])
}

/** A successful answer in JSON. */
export function dataContent(schema: TSchema, example: unknown): Content {
  return { [json]: { schema: envelopeSchema(schema), example: JSON.parse(envelopeText(example)) as unknown } }
}

/** The example of a schema: that of each of its fields. */
export function exampleOf(schema: TSchema): unknown {
  const { properties, examples = [], const: only }: Exemplary = schema
  if (properties === undefined) return only ?? examples[0]
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, exampleOf(field)]))
}

interface Exemplary {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly examples?: readonly unknown[]
  readonly const?: unknown
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

/** An answer with one of the objects, as JSON or as a page. */
export function answerOrPage(description: string, name: SchemaName): Response {
  return { description, content: { ...objectContent(name), ...pageContent } }
}

/** A problem, as JSON or as a page. */
export function problemOrPage(description: string, given: Problem): Response {
  const { content, ...response } = plainProblem(description, given)
  return { ...response, content: { ...content, ...pageContent } }
}

/** A problem that is always in JSON, because no page can be chosen: those of Node's HTTP parser and of other hosts. */
export function plainProblem(description: string, given: Problem): Response {
  return { description, headers: problemHeaders(given), content: problemContent(given) }
}
