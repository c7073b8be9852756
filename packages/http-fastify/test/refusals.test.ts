import t from 'tap'
import { methodNotAllowed, refusalOfStatus, refusals, type Refusal } from '../src/refusals.ts'

t.test('the methods that are allowed come in order', async (t) => {
  t.match(methodNotAllowed(['POST', 'HEAD', 'GET']), { status: 405, headers: { allow: 'GET, HEAD, POST' } })
})

t.test('every refusal that is over soon says when to come again', async (t) => {
  for (const [name, { status, headers }] of Object.entries<Refusal>(refusals)) {
    if (status === 503) t.match(headers?.['retry-after'], /^[1-9]/, name)
  }
})

t.test('a status that somebody else decided says no more than it does', async (t) => {
  t.equal(refusalOfStatus(413), refusals.bodyTooLarge)
  t.equal(refusalOfStatus(503), refusals.unavailable)
  t.match(refusalOfStatus(418), { status: 418, message: 'The request was refused.' })
  for (const status of [200, 302, 500, 502, 600, Number.NaN])
    t.equal(refusalOfStatus(status), refusals.serverError)
})
