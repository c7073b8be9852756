import { defaultPolicy } from '@sotto/core'
import { openApiDocument } from '@sotto/http-fastify'
import t from 'tap'
import { operations } from '../src/client.ts'
import { codesOfStatus } from '../src/errors.ts'
import { shapes, writeNewSecret } from '../src/objects.ts'

// Holds what the client knows of the wire against the server's own description, in both directions.

interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}
interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, unknown>>
}

/** With files, whose statuses the client knows, too. */
const policy = { ...defaultPolicy, files: { maxBytes: 1, accountMaxBytes: 1 } }

const origins = { baseUrl: 'http://localhost:3000', linkBaseUrl: 'http://localhost:3000' }
const document = JSON.parse(JSON.stringify(openApiDocument({ ...origins, policy }))) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The document's operations that the client has, by their ids: all of the API, and what links are for. */
const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId, responses }]) => {
    const isOurs =
      (path.startsWith('/api/') && method !== 'head') || ['openLink', 'answerRequest'].includes(operationId)
    return isOurs ? [{ id: operationId, method: method.toUpperCase(), path, responses }] : []
  }),
)

// Promise (Clients): What the client knows of the API's paths, statuses and fields is what the OpenAPI document says
t.test('the client has every operation of the document, at its path, and no other', async (t) => {
  const known = Object.entries({
    ...operations,
    openLink: { method: 'POST', path: '/{link_token}' },
    answerRequest: { method: 'POST', path: '/r/{request_token}' },
  })
  t.same(
    new Map(documented.map(({ id, method, path }) => [id, `${method} ${path}`])),
    new Map(known.map(([id, { method, path }]) => [id, `${method} ${path}`])),
  )
})

t.test('the client has a code for every status of a problem in the document, and for no other', async (t) => {
  const statuses = documented.flatMap(({ responses }) => Object.keys(responses))
  t.strictSame(
    [...new Set(statuses)].filter((status) => Number(status) >= 400).sort(),
    Object.keys(codesOfStatus),
  )
  for (const { id, responses } of documented) {
    t.strictSame(
      Object.keys(responses).filter((status) => Number(status) < 400),
      [['createSecret', 'answerRequest'].includes(id) ? '201' : '200'],
    )
  }
})

const { openedFile, ...objects } = shapes
/** What only some of them have. */
const mark = { sealed: 'boolean' }
const openedSecret = { ...shapes.openedSecret, files: [openedFile], ...mark }
for (const [name, shape] of Object.entries({
  ...objects,
  secret: { ...shapes.secret, ...mark },
  openedSecret,
})) {
  const { [name.charAt(0).toUpperCase() + name.slice(1)]: schema } = document.components.schemas
  t.test(`the client reads every field of ${name} with its type, and no other`, async (t) => {
    t.strictSame(schema === undefined ? undefined : shapeOf(schema), shape)
  })
}

t.test('the client sends every field of a new secret and of an open, and no other', async (t) => {
  const all = { label: '', note: '', folderId: '', openLimit: 0, notify: false, password: '' }
  const { NewSecret, OpenRequest } = document.components.schemas
  t.strictSame(Object.keys(writeNewSecret(all)).sort(), Object.keys(NewSecret?.properties ?? {}).sort())
  t.strictSame(Object.keys(OpenRequest?.properties ?? {}), ['password', 'proof'])
})

function shapeOf({ type, properties, items }: Schema): unknown {
  if (items !== undefined) return [shapeOf(items)]
  if (properties === undefined) return [type].flat().join(' or ').replace('integer', 'number')
  return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, shapeOf(inner)]))
}
