import { lockMicros } from '@sotto/core'
import t from 'tap'
import { startLinks } from '../../support/links.ts'
import { startApi } from '../../support/api.ts'

const auditsIn = (lines: readonly string[]) =>
  lines
    .map((line) => JSON.parse(line) as { audit?: boolean; event?: string; reqId?: string; address?: string })
    .filter(({ audit }) => audit === true)

// Promise (Installing and operating): Refused tokens have audit lines
t.test('a refused token of the API has an audit line, a missing or valid one has none', async (t) => {
  const api = await startApi(t)
  await api.inject({ url: '/api/folders' })
  await api.call('GET', '/api/folders')
  t.same(auditsIn(api.logLines), [])
  const refused = ['x', `sotto_${'A'.repeat(46)}`]
  for (const token of refused)
    await api.inject({ url: '/api/folders', headers: { authorization: `Bearer ${token}` } })
  t.match(auditsIn(api.logLines), [{ event: 'token_refused' }, { event: 'token_refused' }])
  t.notMatch(api.logLines.join(''), refused[1])
  t.equal(auditsIn(api.logLines)[0]?.address, undefined)
})

t.test('where the application wants it, the line of a refused token has the address', async (t) => {
  const api = await startApi(t, { logAddresses: true })
  const headers = { authorization: 'Bearer x' }
  await api.inject({ url: '/api/folders', headers, remoteAddress: '198.51.100.7' })
  t.match(auditsIn(api.logLines), [{ event: 'token_refused', address: '198.51.100.7' }])
})

// Promise (Installing and operating): Refused tokens have audit lines: and refused passwords and locks of links
t.test('refused passwords of a link, and its lock, have audit lines with ids', async (t) => {
  const links = await startLinks(t, { logAddresses: true })
  const { secret, path } = await links.share({ password: 'right-canary' })
  for (let time = 0; time < 6; time += 1) await links.openJson(path, { password: 'wrong-canary' })
  const ids = { secret_id: secret.id, address: '127.0.0.1' }
  t.match(auditsIn(links.logLines), [
    ...new Array<object>(5).fill({ event: 'link_password_refused', ...ids }),
    { event: 'link_locked', ...ids },
    { event: 'link_attempt_refused', ...ids },
  ])
  for (const line of auditsIn(links.logLines)) t.type(line.reqId, 'string')
  links.clock.advance(lockMicros)
  t.equal((await links.openJson(path, { password: 'right-canary' })).statusCode, 200)
  t.equal(auditsIn(links.logLines).length, 7, 'the right password has none')
  t.notMatch(links.logLines.join(''), /canary/)
  t.notMatch(links.logLines.join(''), path.slice(1))
})

t.test('by default no line about a link has an address', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.share({ password: 'right' })
  await links.openJson(path, { password: 'wrong' })
  t.match(auditsIn(links.logLines), [{ event: 'link_password_refused', account_id: String }])
  t.equal(auditsIn(links.logLines)[0]?.address, undefined)
})
