import { expectErr } from '@sotto/test-kit'
import { test } from 'tap'
import { postgresDriver } from '../src/identity.ts'
import { startRefusing } from './support/refusing.ts'

const canary = 'canary-7f3a'

// test/pooler.test.ts has these answers from a real PgBouncer 1.18; later ones also look into options.
const answers = [
  [
    'unsupported startup parameter: statement_timeout',
    /refuses statement_timeout: .*ignore_startup_parameters/,
  ],
  [`unsupported startup parameter in options: ${canary}`, /refuses options: unset PGOPTIONS/],
  ['unsupported startup parameter: options', /refuses options: unset PGOPTIONS/],
  [`no such user: ${canary}`, /refuses the connection \(08P01\)$/],
  [`unsupported startup parameter: ${canary}`, /refuses the connection \(08P01\)$/],
] as const

test('what a pooler refuses is said with what to do, and without its message', async (t) => {
  for (const [message, expected] of answers) {
    const port = await startRefusing(t, '08P01', message)
    const driver = postgresDriver({ url: `postgres://me@127.0.0.1:${port}/sotto` })
    const error = expectErr(await driver.hasData())
    t.match(error, { code: 'database_unreachable', detail: expected })
    t.notMatch(JSON.stringify(error), canary)
  }
})
