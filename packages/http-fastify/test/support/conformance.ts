import { ok } from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { bodyProblems, commonProblems } from '../../src/openapi/responses.ts'
import {
  operationsOf,
  type Header,
  type OpenApiDocument,
  type Operation,
  type PlacedOperation,
  type Reference,
  type Response,
} from '../../src/openapi/types.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Throws when an answer does not match the document for its method, path and status. */
export type Conformance = (method: string, url: string, answer: Answer) => void

/** What the API answers to paths and methods that are no operations. */
const besides: Record<string, Reference> = {
  ...commonProblems,
  ...bodyProblems,
  405: { $ref: '#/components/responses/NotFound' },
}

export function createConformance(document: OpenApiDocument): Conformance {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajvFormats.default(ajv)
  ajv.addSchema(JSON.parse(JSON.stringify(document)) as object, 'api')
  const at = (pointer: string): unknown =>
    pointer.split('/').reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document)
  const resolved = (value: Response | Reference): Response =>
    '$ref' in value ? (at(value.$ref.slice(2)) as Response) : value

  const isOptional = (header: Header | Reference): boolean =>
    ('$ref' in header ? (at(header.$ref.slice(2)) as Header) : header).required === false

  return (method, url, { status, headers, body }) => {
    const place = `${method} ${url.slice(0, 60)} ${status}`
    const isApi = /^\/api(?:[/?]|$)/.test(url)
    const operations = operationsAt(document, url, isApi)
    const own = operations.find((operation) => operation.method === method.toLowerCase())
    const refusals = isApi ? besides : refusalsOf(operations[0])
    const given = own?.operation.responses[status] ?? refusals[status]
    ok(given, `${place} is documented`)
    const response = resolved(given)
    for (const [name, header] of Object.entries(response.headers ?? {}))
      if (!isOptional(header)) ok(headers[name] !== undefined, `${place} has ${name}`)
    if (response.content === undefined) {
      ok(body === '', `${place} has no body`)
      return
    }
    const type = String(headers['content-type'])
    const media = response.content[type]
    ok(media, `${place} has one of the documented types, not ${type}`)
    if (method === 'HEAD') ok(body === '', `${place} has no body`)
    else if (type.includes('json')) {
      const schema = absolute(JSON.parse(JSON.stringify(media.schema)))
      ok(ajv.validate(schema as object, JSON.parse(body)), `${place} fits its schema: ${ajv.errorsText()}`)
    }
  }
}

/** The operations of the path itself, or else of the first path whose parameters match. */
function operationsAt(document: OpenApiDocument, url: string, isApi: boolean): readonly PlacedOperation[] {
  const [path = ''] = url.split('?')
  const matching = operationsOf(document).filter(
    ({ path: name }) =>
      name.startsWith('/api/') === isApi && new RegExp(`^${name.replace(/\{[^}]+\}/g, '[^/]*')}$`).test(path),
  )
  const found = matching.find((operation) => operation.path === path) ?? matching[0]
  return matching.filter((operation) => operation.path === found?.path)
}

/** What a path answers to methods that it does not have. */
function refusalsOf(placed: PlacedOperation | undefined): Operation['responses'] {
  const responses = Object.entries(placed?.operation.responses ?? {})
  return Object.fromEntries(responses.filter(([status]) => Number(status) >= 400))
}

/** The schema with references that point into the document. */
function absolute(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/'))
}
