import fc, { type Arbitrary } from 'fast-check'

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

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
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

/** Values that exist on the server, by the names of parameters and fields. */
export type Known = Readonly<Record<string, string>>

interface Part<T> {
  readonly value: T
  readonly isValid: boolean
}

const bodyNames = [
  'label',
  'note',
  'folder_id',
  'open_limit',
  'notify',
  'password',
  'form_id',
  '__proto__',
  'expires_at',
]

/** Requests for every operation of a document: valid ones, and others. */
export function requestsOf(document: Document, known: Known, token: string): Arbitrary<Generated> {
  const placed = Object.entries(document.paths).flatMap(([path, item]) =>
    ['get', 'head', 'post', 'delete'].flatMap((method) => {
      const operation = item[method]
      const origin = (item.servers ?? document.servers)[0]?.url ?? ''
      // Tickets and the parts of forms have tests of their own.
      if (operation === undefined || path.startsWith('/f/')) return []
      const arbitrary = requestOf({ document, known, token, path, method, origin, operation })
      return [{ arbitrary, weight: operation.requestBody ? 12 : operation.parameters ? 3 : 1 }]
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
  const inHeaders = parameters.filter((parameter) => parameter.in === 'header')
  return fc
    .record({
      names: fc.tuple(...inPath.map((name) => pathPart(known[name] ?? ''))),
      named: fc.tuple(...inHeaders.map(({ schema }) => headerPart(schema))),
      authorization: security ? fc.constant({ value: undefined, isValid: true }) : authorizationPart(token),
      accept: fc.constantFrom(undefined, 'application/json', 'text/html', '*/*', 'text/html;q=0.1, a/b', ';'),
      body: requestBody ? bodyPart(requestBody.content, document, known) : fc.constant(none),
    })
    .map(({ names, named, authorization, accept, body }) => {
      const parts = [...names, ...named, authorization, body]
      const headers = {
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
  return fc.oneof({ weight: 2, arbitrary: fc.constant({ value: known, isValid: true }) }, others, broken)
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

interface Body {
  readonly type?: string | undefined
  readonly text?: string | undefined
}

const none: Part<Body> = { value: {}, isValid: true }

function bodyPart(
  content: NonNullable<Operation['requestBody']>['content'],
  { components }: Document,
  known: Known,
): Arbitrary<Part<Body>> {
  // Forms with files have tests of their own: their parts are no fields of a schema.
  const described = Object.entries(content).filter(([type]) => type !== 'multipart/form-data')
  const types = described.map(([type, { schema }]) => {
    const fields = components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}
    const written = type === 'application/json' ? JSON.stringify : formText
    const bodies = fc.oneof(validFields(fields, known), invalidFields(fields, known, type))
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

type Fields = Readonly<Record<string, unknown>>

function formText(fields: Fields): string {
  return new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
}

function validFields({ properties = {}, required = [] }: Schema, known: Known): Arbitrary<Part<Fields>> {
  const values = Object.entries(properties).map(([name, schema]) => [
    name,
    known[name] ? fc.constant(known[name]) : valueOf(schema),
  ])
  const record = fc.record(Object.fromEntries(values) as Record<string, Arbitrary<unknown>>, {
    requiredKeys: [...required],
  })
  return record.map((value) => ({ value, isValid: true }))
}

/** A value that fits a schema; a text has few enough characters for every bound of bytes. */
function valueOf({
  type,
  pattern,
  format,
  minLength = 0,
  maxLength = 300,
  minimum = 0,
  maximum = 9,
}: Schema): Arbitrary<unknown> {
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum })
  if (format === 'uuid') return fc.uuid()
  if (pattern?.includes('{32}')) return fc.stringMatching(new RegExp(pattern))
  const shape = new RegExp(pattern ?? '', 'u')
  const unit = fc
    .oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.constantFrom('a', ' ', '"', '\\', '<'),
    )
    .filter((text) => shape.test(text) && text.isWellFormed())
  return fc.string({ unit, minLength, maxLength: Math.min(maxLength, 200) })
}

/** Fields of which one does not fit the schema. */
function invalidFields(schema: Schema, known: Known, type: string): Arbitrary<Part<Fields>> {
  const wrong =
    type === 'application/json'
      ? [null, [], {}, 1.5, -1, 1e9, '', '3', 'a\0', '\x07'.repeat(300), true]
      : ['a\0', 'b'.repeat(1_100)]
  const faults = fc.tuple(fc.constantFrom(...bodyNames), fc.constantFrom(...wrong))
  return fc
    .tuple(validFields(schema, known), faults, fc.boolean())
    .map(([{ value }, [name, fault], leavesOut]) =>
      leavesOut && schema.required?.includes(name) === true
        ? Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
        : { ...value, [name]: fault },
    )
    .filter((value) => !mayFit(schema, value))
    .map((value) => ({ value, isValid: false }))
}

/** Whether all fields may fit after all: what was put in may be a value of the schema. */
function mayFit({ properties = {}, required = [] }: Schema, fields: Fields): boolean {
  return (
    required.every((name) => Object.hasOwn(fields, name)) &&
    Object.entries(fields).every(
      ([name, value]) => Object.hasOwn(properties, name) && fits(properties[name] ?? {}, value),
    )
  )
}

function fits(
  { type, pattern, format, minLength = 0, maxLength = 1e9, minimum = 0, maximum = 0 }: Schema,
  value: unknown,
): boolean {
  if (type === 'boolean') return typeof value === 'boolean'
  if (type === 'integer')
    return Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum
  if (typeof value !== 'string') return false
  if (format === 'uuid') return /^[0-9a-f-]{36}$/i.test(value)
  return value.length >= minLength && value.length <= maxLength && new RegExp(pattern ?? '', 'u').test(value)
}
