import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { Validator } from '@seriousme/openapi-schema-validator'
import Fastify from 'fastify'
import { okAsync } from 'neverthrow'
import t from 'tap'
import { apiRoutes, linkRoutes, openApiDocument, serviceRoutes } from '../../../src/index.ts'
import { exampleOf as exampleOfSchema } from '../../../src/openapi/content.ts'
import { operationsOf, type Content, type Response } from '../../../src/openapi/types.ts'
import { createWorld } from '../../support/world.ts'

const origins = { baseUrl: 'https://api.example.org', linkBaseUrl: 'https://s.example.org' }
const { sotto } = createWorld({ files: { maxBytes: 26_214_400, accountMaxBytes: 1_073_741_824 } })
const { policy } = sotto
const document = openApiDocument({ ...origins, policy })
const operations = operationsOf(document)
const apiOperations = operations.filter(({ path }) => path.startsWith('/api/'))
const linkOperations = operations.filter(({ operation }) => operation.tags.includes('Links'))

t.test('the document is valid OpenAPI 3.1', async (t) => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(
    JSON.parse(JSON.stringify(document)) as Record<string, unknown>,
  )
  t.equal(valid, true, JSON.stringify(errors))
  t.equal(validator.version, '3.1')
})

// Promise (The JSON API): The document at /openapi.json describes every operation, opening links included
t.test('routes and operations are the same set', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const routes = new Set<string>()
  app.addHook('onRoute', ({ method, url }) => {
    if (url.endsWith('*') || url === '/api') return
    for (const name of [method].flat()) routes.add(`${name} ${url}`)
  })
  await app.register(apiRoutes, { prefix: '/api', sotto, ...origins })
  await app.register(linkRoutes, { sotto, ...origins })
  await app.register(serviceRoutes, { ...origins, sotto, ready: () => okAsync() })
  const answered: string[] = []
  for (const route of routes) {
    const [method = '', url = ''] = route.split(' ')
    const host = new URL(isOfLinks(url) ? origins.linkBaseUrl : origins.baseUrl).host
    const answer = await app.inject({ method: method as 'GET', url, headers: { host } })
    // Methods that are registered only to be refused are no operations.
    if (answer.statusCode !== 405) answered.push(`${method} https://${host}${withoutNames(url)}`)
  }
  const documented = operations.map(
    ({ path, method, servers }) => `${method.toUpperCase()} ${servers[0]?.url ?? ''}${withoutNames(path)}`,
  )
  t.same(answered.toSorted(), documented.toSorted())
})

t.test('every operation of the API has all of its problems, with an example each', async (t) => {
  const common = ['400', '401', '403', '404', '408', '414', '429', '431', '500', '503']
  for (const { path, method, operation } of apiOperations) {
    const expected = [...common, ...(method === 'post' ? ['413', '415'] : [])]
    for (const status of expected) t.ok(operation.responses[status], `${method} ${path} ${status}`)
  }
  for (const [name, response] of Object.entries(document.components.responses))
    t.ok(exampleOf(response), name)
})

t.test('every operation of links has all of its answers, with an example each', async (t) => {
  const common = ['200', '400', '404', '405', '408', '414', '431', '500', '503']
  t.same(
    linkOperations.map(({ method, path }) => `${method} ${path}`),
    ['get /{link_token}', 'head /{link_token}', 'post /{link_token}'],
  )
  for (const { method, operation } of linkOperations) {
    const own = method === 'post' ? ['401', '403', '409', '413', '415', '429'] : ['303']
    const expected = [...common, ...own]
    t.same(Object.keys(operation.responses).toSorted(), expected.toSorted(), method)
    for (const [status, response] of Object.entries(operation.responses))
      t.ok(status === '303' || exampleOf(response as Response), `${method} ${status}`)
  }
})

t.test('every operation of requests has all of its answers, with an example each', async (t) => {
  const common = ['400', '404', '405', '408', '414', '431', '500', '503']
  const ofRequests = operations.filter(({ operation }) => operation.tags.includes('Requests'))
  t.same(
    ofRequests.map(({ method }) => method),
    ['get', 'head', 'post'],
  )
  for (const { method, operation } of ofRequests) {
    const own = method === 'post' ? ['201', '403', '413', '415', '422', '429', '507'] : ['200', '303']
    t.same(Object.keys(operation.responses).toSorted(), [...common, ...own].toSorted(), method)
    for (const [status, response] of Object.entries(operation.responses))
      t.ok(status === '303' || exampleOf(response as Response), `${method} ${status}`)
  }
})

t.test('every operation of files has all of its answers', async (t) => {
  const expected = '200 206 304 400 404 405 408 412 414 416 431 500 503'.split(' ')
  const ofFiles = operations.filter(({ operation }) => operation.tags.includes('Files'))
  t.same(
    ofFiles.map(({ method }) => method),
    ['get', 'head'],
  )
  for (const { operation } of ofFiles) t.same(Object.keys(operation.responses), expected)
})

t.test('a form is described where files are taken, with their bounds', async (t) => {
  const { post } = document.paths['/api/secret'] ?? {}
  t.same(Object.keys(post?.requestBody?.content ?? {}), ['application/json', 'multipart/form-data'])
  const form = document.components.schemas['NewSecretForm'] as { properties?: { secret?: unknown } }
  t.match(
    form.properties?.secret,
    { required: ['label', 'folder_id'] },
    'where there is a file, the text may be absent',
  )
  const { post: answer } = document.paths['/r/{request_token}'] ?? {}
  t.match(Object.keys(answer?.requestBody?.content ?? {}), [
    'application/json',
    /urlencoded/,
    'multipart/form-data',
  ])
  t.match(document.components.schemas['NewSecret'], { required: ['label', 'note', 'folder_id'] })
  for (const limit of ['26214400', '1073741824'])
    t.match(JSON.stringify(document.components.schemas['NewSecretForm']), limit)
  for (const files of [undefined, { maxBytes: 0, accountMaxBytes: 1 }])
    t.notMatch(JSON.stringify(openApiDocument({ ...origins, policy: { ...policy, files } })), 'multipart')
})

t.test('every example fits the schema beside it', async (t) => {
  const ajv = new Ajv2020({ strict: false })
  ajvFormats.default(ajv)
  ajv.addSchema(JSON.parse(JSON.stringify(document)) as object, 'api')
  const check = (content: Content, name: string): void => {
    for (const [type, { schema, example }] of Object.entries(content)) {
      if (example === undefined || schema === undefined) continue
      const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as object
      t.ok(ajv.validate(local, example), `${name} ${type} ${ajv.errorsText()}`)
    }
  }
  for (const [name, { content = {} }] of Object.entries(document.components.responses)) check(content, name)
  for (const { path, method, operation } of operations) {
    check(operation.requestBody?.content ?? {}, `${method} ${path}`)
    for (const [status, response] of Object.entries(operation.responses))
      if (!('$ref' in response)) check(response.content ?? {}, `${method} ${path} ${status}`)
  }
})

t.test('the secret of the examples expires 30 days after its link was created', async (t) => {
  const { Secret } = document.components.schemas
  const secret = exampleOfSchema(Secret ?? {}) as { expires_at: string; link: { created_at: string } }
  t.equal(Date.parse(secret.expires_at) - Date.parse(secret.link.created_at), 30 * 86_400_000)
})

t.test('links are on the link origin, everything else on the base URL', async (t) => {
  for (const { path, servers } of operations)
    t.same(servers, [{ url: isOfLinks(path) ? origins.linkBaseUrl : origins.baseUrl }], path)
})

t.test('only operations of the API need an access token', async (t) => {
  for (const { path, operation } of operations)
    t.same(operation.security, path.startsWith('/api/') ? undefined : [], path)
})

t.test('the names of operations are unique', async (t) => {
  t.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length)
})

t.test('the paths of the API follow its prefix', async (t) => {
  const other = openApiDocument({ ...origins, policy, apiPrefix: '/sotto/v1' })
  t.ok(other.paths['/sotto/v1/secret/{id}'])
  t.notMatch(JSON.stringify(other), '/api/')
})

t.test('the bounds of the installation are in the document', async (t) => {
  const quota = { perMinute: 77, perDay: 999 }
  const other = JSON.stringify(openApiDocument({ ...origins, policy: { noteMaxBytes: 1_234, quota } }))
  for (const limit of ['1234', '77', '999']) t.match(other, limit)
})

t.test('every reference has a target', async (t) => {
  for (const [, pointer = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = pointer
      .split('/')
      .reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], document)
    t.ok(target, pointer)
  }
})

function isOfLinks(path: string): boolean {
  return path === '/robots.txt' || /^\/[:{]/.test(path) || /^\/[rf]\//.test(path)
}

function withoutNames(path: string): string {
  return path.replace(/:\w+|\{\w+\}/g, '{}')
}

function exampleOf({ content = {} }: Response): unknown {
  return Object.values(content)[0]?.example
}

// Promise (The JSON API): Generators and validators of all languages can read the document
t.test('the document has nothing that generators and validators stumble over', (t) => {
  const text = JSON.stringify(document)
  for (const [kind, parts] of Object.entries(document.components))
    for (const name of kind === 'securitySchemes' ? [] : Object.keys(parts))
      t.ok(text.includes(`"#/components/${kind}/${name}"`), `${kind} ${name} is used`)
  t.strictSame(document.info.license, { name: 'MIT', identifier: 'MIT' })
  // With a default, generators of types make a field that may be missing one that is always there.
  t.notOk(text.includes('"default":'))
  const patterns = new Set(
    [...text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, each = '']) => JSON.parse(each) as string),
  )
  t.ok(patterns.size >= 5)
  for (const pattern of patterns) {
    // Properties of Unicode, \u, look-arounds and named groups are not in all of ECMAScript without flags, Go, Python, Java and Rust.
    t.notMatch(pattern, /\\[pPuUkKAZz]|\(\?/, pattern)
    t.doesNotThrow(() => new RegExp(pattern), pattern)
  }
  t.end()
})
