import { languages, lockMicros, secretLifetimeMicros, wrongToDisable } from '@sotto/core'
import t from 'tap'
import {
  browserAccept,
  comparableHeaders,
  formType,
  startLinks,
  type Links,
  type Sent,
} from '../support/links.ts'

/** One link of each kind that cannot be opened. */
async function deadLinks(links: Links): Promise<Record<string, string>> {
  const expired = await links.share()
  links.clock.advance(secretLifetimeMicros)
  const usedUp = await links.share({ openLimit: 1 })
  await links.openJson(usedUp.path)
  const disabled = await links.share({ password: 'right' })
  let wrong = 0
  while (wrong < wrongToDisable) {
    const { statusCode } = await links.openJson(disabled.path, { password: 'wrong' })
    if (statusCode === 401) wrong += 1
    else links.clock.advance(lockMicros)
  }
  return {
    unknown: `/${'A'.repeat(43)}`,
    expired: expired.path,
    'used up': usedUp.path,
    disabled: disabled.path,
    'with an impossible last character': `/${'A'.repeat(42)}B`,
    'too short': '/short',
    'too long': `/${'A'.repeat(1_000)}`,
    'with an encoded slash': '/a%2Fb',
    'with a bad percent sign': '/100%',
    'an icon': '/favicon.ico',
    'with a query': '/short?utm_source=x',
    'without a token': '/',
  }
}

// Promise (Opening a link): All dead links are one page
t.test('all links that cannot be opened get the same answer, byte for byte', async (t) => {
  const links = await startLinks(t)
  const dead = await deadLinks(links)
  const ways: Record<string, (path: string) => [string, string, Sent]> = {
    'GET as HTML': (path) => ['GET', path, { headers: { accept: browserAccept } }],
    'GET as JSON': (path) => ['GET', path, { headers: { accept: 'application/json' } }],
    'GET without Accept': (path) => ['GET', path, {}],
    HEAD: (path) => ['HEAD', path, {}],
    'POST as JSON': (path) => ['POST', path, {}],
    'POST as JSON with a password': (path) => [
      'POST',
      path,
      { headers: { 'content-type': 'application/json' }, body: '{"password":"right"}' },
    ],
    'POST as HTML': (path) => [
      'POST',
      path,
      { headers: { accept: browserAccept, 'content-type': formType }, body: 'password=right' },
    ],
  }
  for (const [way, requestOf] of Object.entries(ways)) {
    await t.test(way, async (t) => {
      const { unknown = '', ...others } = dead
      const expected = await links.request(...requestOf(unknown))
      t.equal(expected.statusCode, 404)
      for (const [kind, path] of Object.entries(others)) {
        const answer = await links.request(...requestOf(path))
        t.equal(answer.statusCode, 404, kind)
        t.equal(answer.body, expected.body, kind)
        t.strictSame(comparableHeaders(answer), comparableHeaders(expected), kind)
      }
    })
  }
})

t.test('opening a dead link gets the same page as looking at it', async (t) => {
  const links = await startLinks(t)
  const shown = await links.visit('/unknown')
  const opened = await links.submit('/unknown', { form_id: '0'.repeat(32) })
  t.equal(opened.body, shown.body)
  t.strictSame(comparableHeaders(opened), comparableHeaders(shown))
})

t.test('the page says what to do, in the preferred language, and nothing about the link', async (t) => {
  const links = await startLinks(t)
  const bodies = new Set<string>()
  for (const language of languages) {
    const { body, headers } = await links.visit('/unknown', { 'accept-language': `${language}-XX` })
    t.match(body, `<html lang="${language}"`)
    t.equal(headers['content-language'], language)
    t.notMatch(body, 'unknown')
    bodies.add(body)
  }
  t.equal(bodies.size, languages.length)
  t.match((await links.visit('/unknown')).body, 'Please ask the person who sent it to you for a new one.')
})

t.test('the JSON says no more', async (t) => {
  const links = await startLinks(t)
  const { body } = await links.openJson('/unknown')
  t.same(JSON.parse(body), { success: false, version: '1.0', message: 'There is no such link.' })
})
