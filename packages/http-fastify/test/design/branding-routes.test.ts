import Fastify from 'fastify'
import { okAsync } from 'neverthrow'
import t from 'tap'
import { linkRoutes, serviceRoutes } from '../../src/index.ts'
import { createWorld } from '../support/world.ts'

const origin = 'http://localhost:3000'

t.test('the branding is on the pages of links, at / and in /docs', async (t) => {
  const { sotto } = createWorld()
  const app = Fastify()
  t.teardown(() => app.close())
  const options = { sotto, baseUrl: origin, linkBaseUrl: origin, branding: { name: 'Müller & Co' } }
  await app.register(linkRoutes, options)
  await app.register(serviceRoutes, { ...options, ready: () => okAsync() })
  for (const url of ['/unknown', '/', '/docs']) {
    const { body } = await app.inject({ url, headers: { host: 'localhost:3000', accept: 'text/html' } })
    t.match(body, /<\/svg>Müller &amp; Co<\/(?:span|a)>/, url)
  }
})

t.test('a branding that breaks a rule fails the registration', async (t) => {
  const { sotto } = createWorld()
  const app = Fastify()
  t.teardown(() => app.close())
  const options = { sotto, baseUrl: origin, linkBaseUrl: origin, branding: { accent: 'red' } }
  await t.rejects(async () => app.register(linkRoutes, options), TypeError)
})
