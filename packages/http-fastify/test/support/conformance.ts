import { equal, ok } from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import type { OpenApiDocument, Operation, Reference, Response } from '../../src/openapi/types.ts'
import { bodyErrors, commonErrors } from '../../src/openapi/responses.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Fails when an answer is not what the document says about its method, path and status. */
export type Conformance = (method: string, url: string, answer: Answer) => void

const undocumented: Record<string, Reference> = {
  ...commonErrors,
  ...bodyErrors,
  405: { $ref: '#/components/responses/MethodNotAllowed' },
}

export function createConformance(document: OpenApiDocument): Conformance {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajvFormats.default(ajv)
  ajv.addSchema(JSON.parse(JSON.stringify(document)) as object, 'api')
  const at = (pointer: string): unknown =>
    pointer.split('/').reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document)
  const resolved = (value: Response | Reference): Response =>
    '$ref' in value ? (at(value.$ref.slice(2)) as Response) : value

  return (method, url, { status, headers, body }) => {
    const place = `${method} ${url.slice(0, 60)} ${status}`
    const given = operationAt(document, method, url)?.responses[status] ?? undocumented[status]
    ok(given, `${place} is documented`)
    const response = resolved(given)
    for (const name of Object.keys(response.headers ?? {}))
      ok(headers[name] !== undefined, `${place} has ${name}`)
    const [[type, media] = []] = Object.entries(response.content ?? {})
    equal(headers['content-type'], type, `${place} has the documented type`)
    if (method === 'HEAD') equal(body, '', `${place} has no body`)
    else if (type?.includes('json')) {
      const schema = absolute(JSON.parse(JSON.stringify(media?.schema)))
      ok(ajv.validate(schema as object, JSON.parse(body)), `${place} fits its schema: ${ajv.errorsText()}`)
    }
  }
}

function operationAt({ paths }: OpenApiDocument, method: string, url: string): Operation | undefined {
  const path = url.split('?')[0] ?? ''
  const found = Object.entries(paths).find(([name]) =>
    new RegExp(`^${name.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path),
  )
  return (found?.[1] as Record<string, Operation> | undefined)?.[method.toLowerCase()]
}

/** References point into the document, from wherever they stand. */
function absolute(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/'))
}
