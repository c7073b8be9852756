import Fastify from 'fastify'
import { okAsync } from 'neverthrow'
import t from 'tap'
import { brandOf, type Branding, localize } from '@sotto/html'
import { pageHeaders } from '../../src/http/answers/page-headers.ts'
import { linkRoutes, serviceRoutes } from '../../src/index.ts'
import { gonePage } from '../../src/link/link-page.ts'
import { linkTexts } from '@sotto/texts/link'
import { createWorld } from '../support/world.ts'

const origin = 'http://localhost:3000'
const localizedWith = (branding: Branding) => localize('en', linkTexts.en, brandOf(branding))

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

t.test('an accent adds a sheet that the policy allows', async (t) => {
  const page = gonePage(localizedWith({ accent: '#003366' }))
  const body = page.body.toString()
  t.match(body, '<style>:root{--accent:#003366;')
  const styles = body.match(/<style>/g)?.length
  t.equal(pageHeaders(page)['content-security-policy']?.match(/sha256-/g)?.length, styles)
})

t.test('the contact is a link on the page of a link without a message', async (t) => {
  const body = (contact: string): string => gonePage(localizedWith({ contact })).body.toString()
  t.match(body('help@example.org'), 'contact <a href="mailto:help@example.org">help@example.org</a>.')
  t.match(
    body('https://example.org/help?a=1&b="'),
    '<a href="https://example.org/help?a=1&amp;b=%22">example.org/help</a>',
  )
  t.notMatch(gonePage(localizedWith({})).body.toString(), 'If you need help')
})
