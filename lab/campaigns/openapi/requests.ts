import fc, { type Arbitrary } from 'fast-check'
import {
  invalidFields,
  validFields,
  type Body,
  type Fields,
  type Known,
  type Part,
  type Schema,
} from './fields.ts'
import { formPart } from './form-parts.ts'
import { rangePart } from './ranges.ts'

/** What is read of an OpenAPI document. */
export interface Document {
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

type PathItem = Readonly<Record<string, Operation>> & { readonly servers?: Document['servers'] }

export interface Operation {
  readonly operationId: string
  readonly security?: readonly []
  readonly parameters?: readonly {
    readonly name: string
    readonly in: 'path' | 'header'
    readonly schema: Schema
  }[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>
  }
  readonly responses: Readonly<Record<string, unknown>>
}

/** A request that was made from the document. */
export interface Generated {
  readonly operation: Operation
  readonly method: string
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Whether the document says that it succeeds. */
  readonly expected: 'accepted' | 'refused'
}

/** Requests for every operation of a document: valid ones, and others. */
export function requestsOf(document: Document, known: Known, token: string): Arbitrary<Generated> {
  const placed = Object.entries(document.paths).flatMap(([path, item]) =>
    ['get', 'head', 'post', 'delete'].flatMap((method) => {
      const operation = item[method]
      const origin = (item.servers ?? document.servers)[0]?.url ?? ''
      if (operation === undefined) return []
      const arbitrary = requestOf({ document, known, token, path, method, origin, operation })
      const bodies = Object.keys(operation.requestBody?.content ?? {}).length
      const weight = bodies > 0 ? 12 * bodies : path.startsWith('/f/') ? 9 : operation.parameters ? 3 : 1
      return [{ arbitrary, weight }]
    }),
  )
  return fc.oneof(...placed)
}

interface Placed {
  readonly document: Document
  readonly known: Known
  readonly token: string
  readonly path: string
  readonly method: string
  readonly origin: string
  readonly operation: Operation
}

function requestOf({
  document,
  known,
  token,
  path,
  method,
  origin,
  operation,
}: Placed): Arbitrary<Generated> {
  const { parameters = [], requestBody, security } = operation
  const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
  const hasRange = parameters.some(({ name }) => name === 'range')
  const inHeaders = parameters.filter(({ in: place, name }) => place === 'header' && name !== 'range')
  return fc
    .record({
      names: fc.tuple(...inPath.map((name) => pathPart(known[name] ?? ''))),
      named: fc.tuple(...inHeaders.map(({ schema }) => headerPart(schema))),
      ranged: hasRange ? rangePart(method) : fc.constant({ value: {}, isValid: true }),
      authorization: security ? fc.constant({ value: undefined, isValid: true }) : authorizationPart(token),
      accept: fc.constantFrom(undefined, 'application/json', 'text/html', '*/*', 'text/html;q=0.1, a/b', ';'),
      body: requestBody ? bodyPart(requestBody.content, document, known) : fc.constant(none),
    })
    .map(({ names, named, ranged, authorization, accept, body }) => {
      const parts = [...names, ...named, ranged, authorization, body]
      const headers = {
        ...ranged.value,
        ...(accept !== undefined && { accept }),
        ...(authorization.value !== undefined && { authorization: authorization.value }),
        ...(body.value.type !== undefined && { 'content-type': body.value.type }),
        ...Object.fromEntries(
          inHeaders.flatMap(({ name }, at) =>
            named[at]?.value === undefined ? [] : [[name, named[at].value]],
          ),
        ),
      }
      return {
        operation,
        method: method.toUpperCase(),
        origin,
        path: path.replace(/\{[^}]+\}/g, () => names.shift()?.value ?? ''),
        headers,
        body: body.value.text,
        expected: parts.every(({ isValid }) => isValid) ? 'accepted' : 'refused',
      }
    })
}

/** A part of a path that exists, or one that does not. It has no slash, and is not empty. */
function pathPart(known: string): Arbitrary<Part<string>> {
  const others = fc
    .oneof(
      fc.uuid(),
      fc.string({ minLength: 1, maxLength: 60, unit: 'binary' }),
      fc.base64String({ minLength: 1 }),
    )
    .filter((text) => text !== known && text.isWellFormed() && !['.', '..'].includes(text))
    .map((text) => ({ value: encodeURIComponent(text), isValid: false }))
  const broken = fc.constantFrom('%', '%zz', '%ff', '%c3%28').map((value) => ({ value, isValid: false }))
  return fc.oneof({ weight: 4, arbitrary: fc.constant({ value: known, isValid: true }) }, others, broken)
}

/** A header that may be absent. */
function headerPart(schema: Schema): Arbitrary<Part<string | undefined>> {
  const visible = (length: object) =>
    fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      ...length,
    })
  const { minLength = 0, maxLength = 100 } = schema
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant({ value: undefined, isValid: true }) },
    // Longer than the least, or two requests could have the same.
    visible({ minLength: minLength + 24, maxLength }).map((value) => ({ value, isValid: true })),
    visible({ minLength: maxLength + 1, maxLength: maxLength + 50 }).map((value) => ({
      value,
      isValid: false,
    })),
    fc.constantFrom('', 'a b', 'a\tb', '\xe4').map((value) => ({ value, isValid: false })),
  )
}

function authorizationPart(token: string): Arbitrary<Part<string | undefined>> {
  const invalid = fc.oneof(
    fc.constantFrom(
      undefined,
      '',
      'Bearer',
      'Bearer ',
      `Basic ${token}`,
      `Bearer ${token}x`,
      `Bearer  ${token} x`,
      token,
    ),
    fc.base64String({ maxLength: 60 }).map((text) => `Bearer sotto_${text}`),
  )
  return fc.oneof(
    { weight: 9, arbitrary: fc.constant({ value: `Bearer ${token}`, isValid: true }) },
    invalid.map((value) => ({ value, isValid: false })),
  )
}

const none: Part<Body> = { value: {}, isValid: true }

function bodyPart(
  content: NonNullable<Operation['requestBody']>['content'],
  { components }: Document,
  known: Known,
): Arbitrary<Part<Body>> {
  const named = ({ $ref = '' }: Schema): Schema => components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}
  const described = Object.entries(content)
  const types = described.map(([type, { schema }]) => {
    const fields = named(schema)
    if (type === 'multipart/form-data') {
      const { file = {}, ...first } = fields.properties ?? {}
      const [[name, schema] = ['', {}]] = Object.entries(first)
      return formPart({ name, schema }, file.maxItems ?? 0, known)
    }
    const isJson = type === 'application/json'
    const written = isJson ? JSON.stringify : formText
    const bodies = fc.oneof(validFields(fields, known), invalidFields(fields, known, isJson))
    return bodies.map(({ value, isValid }) => ({ value: { type, text: written(value) }, isValid }))
  })
  const garbage = fc
    .tuple(
      fc.constantFrom(...described.map(([type]) => type)),
      fc.constantFrom('{', '%', '\ufeff{}', '[]', 'null', '{"a":1,"a":2}', '"\\ud800"', '&&&%'),
    )
    .map(([type, text]) => ({ value: { type, text }, isValid: false }))
  const untyped = fc
    .constantFrom('text/plain', 'application/json; charset=latin1', 'application/xml', 'a', '')
    .map((type) => ({ value: { type, text: '{}' }, isValid: false }))
  return fc.oneof(...types.map((arbitrary) => ({ weight: 4, arbitrary })), garbage, untyped)
}

function formText(fields: Fields): string {
  return new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
}
