import t from 'tap'
import { runClocksCampaign } from '../../campaigns/clocks/campaign.ts'
import { findFaketime } from '../../campaigns/clocks/faketime.ts'

const faketime = findFaketime() ?? ''
const options = { skip: faketime === '' && 'faketime is not installed' }

// Promise (On PostgreSQL): The database's clock decides, whatever the clocks of the servers show: also when these are twenty minutes apart
// and are set under load
t.test('two servers whose clocks differ, and are set under load, count as one', options, async (t) => {
  const { figures, violations } = await runClocksCampaign({ rounds: 1, seed: 1, faketime })
  t.strictSame(violations, [])
  t.match(figures, { calls: 200, accepted: 60, guesses: 40, verified: 5, delivered: 15, messages: 16 })
})

t.test('servers that count by their own clocks are noticed', options, async (t) => {
  const { violations } = await runClocksCampaign({ rounds: 1, seed: 1, faketime, ownClocks: true })
  for (const what of [/calls were accepted/, /wrong passwords were verified/, /a message was refused/])
    t.ok(
      violations.some((violation) => what.test(violation)),
      String(what),
    )
})
