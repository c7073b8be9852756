import t from 'tap'
import { runSocketsCampaign, slopeOf } from '../../campaigns/sockets/campaign.ts'
import { rawCases } from '../../campaigns/sockets/cases.ts'
import type { RawCase } from '../../campaigns/sockets/raw-case.ts'
import { violationsOf } from '../../campaigns/sockets/check.ts'

const scene = { base: 'a', link: 'b', token: 'c', folderId: 'd', linkToken: 'e' }

// Promise (The JSON API): Malformed and hostile bytes on a socket get one documented answer each, and leave nothing open
t.test('raw requests get their answers and leave nothing open behind', async (t) => {
  const { figures, violations } = await runSocketsCampaign({ times: 3, parallel: 40, rounds: 3 })
  t.strictSame(violations, [])
  t.ok(figures.cases >= 60, `${figures.cases} cases`)
})

t.test('a server that keeps something of each connection is noticed', async (t) => {
  const { violations } = await runSocketsCampaign({ times: 3, parallel: 40, rounds: 3, leak: true })
  t.match(violations.join(), /the heap has grown by \d+ bytes/)
})

t.test('each case has a name of its own', (t) => {
  const names = rawCases(scene).map(({ name }) => name)
  t.equal(new Set(names).size, names.length)
  t.end()
})

const answer = [
  'HTTP/1.1 401 Unauthorized',
  'x-ratelimit-limit: 60',
  'x-ratelimit-remaining: 59',
  'cache-control: no-store',
  'x-content-type-options: nosniff',
  'content-type: application/json; charset=utf-8',
  'content-length: 49',
  'date: Sun, 22 Nov 2026 16:34:14 GMT',
  'connection: close',
  '',
  '{"success":false,"version":"1.0","message":"No."}',
].join('\r\n')

t.test('what is wrong with an answer is noticed', (t) => {
  const raw: RawCase = { name: 'a case', send: [], answers: ['401 api'], end: 'server' }
  const found = (received: string, millis = 0) => violationsOf(raw, { received, millis, isStuck: false })
  t.strictSame(found(answer), [])
  for (const [sent, instead] of [
    ['401', '400'],
    ['x-ratelimit-limit: 60\r\n', ''],
    ['x-ratelimit-remaining: 59\r\n', ''],
    ['no-store', 'private'],
    ['nosniff', 'sniff'],
    ['application/json', 'text/json'],
    ['"1.0"', '"1.1"'],
    ['"success":false', '"success":true '],
    ['"message"', '"massage"'],
    ['No.', 'canaryQx7'],
    ['length: 49', 'length: 48'],
    ['length: 49', 'length: 50'],
    ['connection: close', 'connection: keep-alive'],
    ['date', 'data'],
  ] as const)
    t.not(found(answer.replace(sent, instead)).length, 0, instead === '' ? `no ${sent.trim()}` : instead)
  t.not(found(answer + answer).length, 0, 'an answer more')
  t.not(found('').length, 0, 'no answer')
  t.not(found(answer, 60_000).length, 0, 'an end that is too late')
  t.end()
})

t.test('the slope is that of the best line', (t) => {
  t.equal(slopeOf([1, 3, 5, 7]), 2)
  t.equal(slopeOf([5, 5, 5]), 0)
  t.equal(slopeOf([0, 3, 0]), 0)
  t.end()
})
