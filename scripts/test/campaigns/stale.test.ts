import { test } from 'tap'
import { runStaleCampaign } from '../../campaigns/stale/campaign.ts'

test('no request finds what was over when it began, whichever process ended it', async (t) => {
  const { figures, violations } = await runStaleCampaign({ steps: 24, seed: 20261122 })
  t.strictSame(violations, [])
  t.equal(figures.steps, 24)
  t.ok(figures.otherRequests > 0)
})

test('servers that remember who sent a token are noticed', async (t) => {
  const { violations } = await runStaleCampaign({ steps: 12, seed: 1, rememberMillis: 10_000 })
  t.match(
    violations[0],
    /^an access token (?:that was revoked|of an account that was disabled), .*: 200 instead of 401$/,
  )
})
