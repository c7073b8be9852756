import { Validator } from '@seriousme/openapi-schema-validator'
import Fastify from 'fastify'
import { okAsync } from 'neverthrow'
import t from 'tap'
import { apiRoutes, openApiDocument, serviceRoutes } from '../../src/index.ts'
import type { Operation, Response } from '../../src/openapi/types.ts'
import { createWorld } from '../support/world.ts'

const origins = { baseUrl: 'https://api.example.org', linkBaseUrl: 'https://s.example.org' }
const { ports } = createWorld()
const document = openApiDocument({ ...origins, limits: ports.limits })
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]: [string, Operation]) => ({ path, method, operation })),
)

t.test('the document is valid OpenAPI 3.1', async (t) => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(
    JSON.parse(JSON.stringify(document)) as Record<string, unknown>,
  )
  t.equal(valid, true, JSON.stringify(errors))
  t.equal(validator.version, '3.1')
})

t.test('routes and document are one set, both ways', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const routes = new Set<string>()
  app.addHook('onRoute', ({ method, url }) => {
    if (url.endsWith('*') || url === '/api') return
    for (const name of [method].flat()) routes.add(`${name} ${url.replace(/:(\w+)/g, '{$1}')}`)
  })
  await app.register(apiRoutes, { prefix: '/api', ports, ...origins })
  await app.register(serviceRoutes, { ...origins, limits: ports.limits, ready: () => okAsync() })
  const { host } = new URL(origins.baseUrl)
  const answered: string[] = []
  for (const route of routes) {
    const [method = '', url = ''] = route.split(' ')
    // Methods that are registered to be refused are no operations.
    const answer = await app.inject({ method: method as 'GET', url, headers: { host } })
    if (answer.statusCode !== 405) answered.push(route)
  }
  const documented = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`)
  t.same(answered.toSorted(), documented.toSorted())
})

t.test('every operation names all of its errors, with an example each', async (t) => {
  for (const { path, method, operation } of operations.filter(({ path }) => path.startsWith('/api'))) {
    const expected = [
      '400',
      '401',
      '403',
      '404',
      '408',
      '414',
      '429',
      '431',
      '500',
      '503',
      ...(method === 'post' ? ['413', '415'] : []),
    ]
    for (const status of expected) t.ok(operation.responses[status], `${method} ${path} ${status}`)
  }
  for (const [name, response] of Object.entries(document.components.responses))
    t.ok(exampleOf(response), name)
})

t.test('operations outside the API ask for no token', async (t) => {
  for (const { path, operation } of operations)
    t.same(operation.security, path.startsWith('/api') ? undefined : [], path)
})

t.test('the names of operations are unique', async (t) => {
  t.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length)
})

t.test('the limits in force are in it', async (t) => {
  const other = JSON.stringify(
    openApiDocument({ ...origins, limits: { noteMaxBytes: 1_234, quota: { perMinute: 77, perDay: 999 } } }),
  )
  for (const limit of ['1234', '77', '999']) t.match(other, limit)
})

function exampleOf({ content = {} }: Response): unknown {
  return Object.values(content)[0]?.example
}
