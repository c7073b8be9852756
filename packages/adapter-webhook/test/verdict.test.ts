import { expectErr, expectOk } from '@sotto/test-kit'
import t from 'tap'
import { verdictOf } from '../src/verdict.ts'
import { createSender, requestTo } from './support/messages.ts'
import { startReceiver } from './support/receiver.ts'

const code = 'send_failed'
/** 09:00:00.5 on a Sunday. */
const atMicros = Date.UTC(2026, 10, 22, 9) * 1000 + 500_000

t.test('what a status leads to', async (t) => {
  for (const status of [200, 201, 204, 226, 299]) expectOk(verdictOf({ status, retryAfter: '5' }, 0))
  for (const status of [
    100, 101, 199, 300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 429, 500, 503, 599, 999,
  ]) {
    const failed = expectErr(verdictOf({ status, retryAfter: undefined }, 0))
    t.strictSame(failed, { code, verdict: 'retry', reason: `status ${status}` })
  }
  const gone = expectErr(verdictOf({ status: 410, retryAfter: '5' }, 0))
  t.strictSame(gone, { code, verdict: 'gone', reason: 'status 410' })
  const failed = expectErr(verdictOf({ reason: 'timeout' }, 0))
  t.strictSame(failed, { code, verdict: 'retry', reason: 'timeout' })
})

t.test('Retry-After of 429 and 503 is taken in seconds and as a date', async (t) => {
  const expected: Record<string, number | undefined> = {
    '0': 0,
    '120': 120,
    '00060': 60,
    '99999999999999999999999': 2 ** 31 - 1,
    'Sun, 22 Nov 2026 09:00:10 GMT': 10,
    'Sun, 22 Nov 2026 08:00:00 GMT': 0,
    'Fri, 31 Dec 9999 23:59:59 GMT': 2 ** 31 - 1,
    'Sun, 99 Nov 2026 09:00:10 GMT': undefined,
    'Sun Nov 22 09:00:10 2026': undefined,
    '2026-11-22T09:00:10Z': undefined,
    '-5': undefined,
    '1.5': undefined,
    '1e9': undefined,
    soon: undefined,
    '': undefined,
  }
  for (const status of [429, 503]) {
    for (const [retryAfter, seconds] of Object.entries(expected)) {
      const failed = expectErr(verdictOf({ status, retryAfter }, atMicros))
      t.equal(failed.retryAfterSeconds, seconds, retryAfter)
      t.equal('retryAfterSeconds' in failed, seconds !== undefined)
    }
  }
  const other = expectErr(verdictOf({ status: 500, retryAfter: '120' }, atMicros))
  t.notOk('retryAfterSeconds' in other, 'of another status it means nothing here')
})

// Promise (Webhooks): Redirects are not followed
t.test('what servers answer, over the network', async (t) => {
  const answers: readonly [number, Record<string, string>, object | undefined][] = [
    [200, {}, undefined],
    [204, {}, undefined],
    [302, { location: 'http://127.0.0.1:1/' }, { verdict: 'retry', reason: 'status 302' }],
    [307, { location: '/again' }, { verdict: 'retry', reason: 'status 307' }],
    [404, {}, { verdict: 'retry', reason: 'status 404' }],
    [410, {}, { verdict: 'gone', reason: 'status 410' }],
    [429, { 'retry-after': '7' }, { verdict: 'retry', reason: 'status 429', retryAfterSeconds: 7 }],
    [503, { 'retry-after': 'x' }, { verdict: 'retry', reason: 'status 503' }],
    [500, {}, { verdict: 'retry', reason: 'status 500' }],
  ]
  const { port, requests } = await startReceiver(t, {
    answer: (response, count) =>
      response.writeHead(...(answers[count - 1]?.slice(0, 2) as [number])).end('body'),
  })
  const sender = createSender(t)
  for (const [status, , expected] of answers) {
    const sent = await sender.send(requestTo(`http://127.0.0.1:${port}/hook`))
    if (expected === undefined) expectOk(sent)
    else t.strictSame(expectErr(sent), { code, ...expected }, String(status))
  }
  t.equal(requests.length, answers.length, 'redirects are not followed')
})
