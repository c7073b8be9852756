import t from 'tap'
import { requestEventTypes } from '../../src/requests/request-event.ts'
import { secretEventTypes } from '../../src/secrets/secret-event.ts'

t.test('the types of events are those that receivers of messages know', (t) => {
  t.strictSame(requestEventTypes, ['request.answered', 'request.closed_unanswered'])
  t.strictSame(secretEventTypes, ['secret.opened', 'secret.locked', 'secret.expired_unopened'])
  t.end()
})
