import t, { type Test } from 'tap'
import { startTestServer } from '../support/installation.ts'

/** What the log warns of after requests with these X-Forwarded-For, each sent twice. */
async function warningsAfter(t: Test, trusted: string, forwarded: readonly (string | undefined)[]) {
  const server = await startTestServer(t, t.testdir(), { env: { SOTTO_TRUST_PROXY: trusted } })
  for (const address of [...forwarded, ...forwarded]) {
    const headers = address === undefined ? undefined : { 'x-forwarded-for': address }
    await (await fetch(`${server.baseUrl}/login`, headers && { headers })).text()
  }
  const lines = server.log.flatMap((text) => text.trim().split('\n'))
  t.notMatch(lines.join(), /203\.0\.113|10\.83/, 'no address')
  return lines.filter((line) => line.includes('"level":40'))
}

// Promise (Installing and operating): A proxy that is not named is logged
t.test('a proxy that is not named is logged, once', async (t) => {
  for (const trusted of ['', '10.83.0.3']) {
    const warnings = await warningsAfter(t, trusted, ['203.0.113.9', '203.0.113.10'])
    t.equal(warnings.length, 1, warnings.join('\n'))
    t.match(warnings[0], 'SOTTO_TRUST_PROXY does not name')
  }
})

// Promise (Installing and operating): A proxy that is not named is logged: and one that does not tell its clients apart
t.test('a proxy that does not tell its clients apart is logged, once', async (t) => {
  for (const address of ['127.0.0.1', '10.83.0.3', '::ffff:10.83.0.3', '10.83.0.3, 127.0.0.1', 'fd83::7']) {
    const warnings = await warningsAfter(t, '127.0.0.1,10.83.0.0/24,fd83::/64', [address])
    t.equal(warnings.length, 1, warnings.join('\n'))
    t.match(warnings[0], 'not told its clients apart')
  }
})

t.test('nothing is logged of a proxy that tells its clients apart, nor without one', async (t) => {
  const good = [
    '',
    '203.0.113.9',
    '2001:db8::1',
    '203.0.113.9, 10.83.0.3',
    '10.83.0.3, 203.0.113.9',
    'nonsense',
  ]
  t.same(await warningsAfter(t, '127.0.0.1,10.83.0.3', [undefined, ...good]), [])
  t.same(await warningsAfter(t, '', [undefined]), [])
})
