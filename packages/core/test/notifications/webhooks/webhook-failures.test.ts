import t from 'tap'
import {
  failingMaxMicros,
  webhookAfterFailure,
} from '../../../src/notifications/webhooks/webhook-failures.ts'

const now = 1_700_000_000_000_000
const sound = { failingSinceMicros: undefined, disabled: undefined }
const gone = { atMicros: now, reason: 'gone' } as const
const failing = { atMicros: now, reason: 'failing' } as const

const table = {
  'the first failure begins to count': {
    before: sound,
    verdict: 'retry',
    change: { failingSinceMicros: now },
  },
  'also one that is never tried again': {
    before: sound,
    verdict: 'never',
    change: { failingSinceMicros: now },
  },
  'another one changes nothing': {
    before: { ...sound, failingSinceMicros: now - failingMaxMicros + 1 },
    verdict: 'retry',
    change: undefined,
  },
  'three days of them disable': {
    before: { ...sound, failingSinceMicros: now - failingMaxMicros },
    verdict: 'retry',
    change: { disabled: failing },
  },
  'a receiver that is gone disables immediately': {
    before: sound,
    verdict: 'gone',
    change: { failingSinceMicros: now, disabled: gone },
  },
  'also one that failed before': {
    before: { ...sound, failingSinceMicros: now - 1 },
    verdict: 'gone',
    change: { disabled: gone },
  },
  'a webhook that is disabled keeps time and reason': {
    before: { failingSinceMicros: 1, disabled: { atMicros: 2, reason: 'failing' } },
    verdict: 'gone',
    change: undefined,
  },
} as const

t.test('a webhook may fail for three days', (t) => {
  t.equal(failingMaxMicros, 3 * 86_400_000_000)
  t.end()
})

for (const [name, { before, verdict, change }] of Object.entries(table)) {
  t.test(`a failure of a webhook: ${name}`, (t) => {
    t.strictSame(webhookAfterFailure(before, verdict, now), change)
    t.end()
  })
}
