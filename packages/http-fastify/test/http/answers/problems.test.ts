import t from 'tap'
import {
  methodNotAllowed,
  problemOfStatus,
  problems,
  type Problem,
} from '../../../src/http/answers/problems.ts'

t.test('allowed methods are sorted', async (t) => {
  t.match(methodNotAllowed(['POST', 'HEAD', 'GET']), { status: 405, headers: { allow: 'GET, HEAD, POST' } })
})

t.test('every 503 has a time to wait', async (t) => {
  for (const [name, { status, headers }] of Object.entries<Problem>(problems)) {
    if (status === 503) t.match(headers?.['retry-after'], /^[1-9]/, name)
  }
})

t.test('a status that Fastify or a hook chose has no more than its message', async (t) => {
  t.equal(problemOfStatus(413), problems.bodyTooLarge)
  t.equal(problemOfStatus(503), problems.busy)
  t.match(problemOfStatus(418), { status: 418, message: 'The request was refused.' })
  for (const status of [200, 302, 500, 502, 600, Number.NaN])
    t.equal(problemOfStatus(status), problems.failed)
})
