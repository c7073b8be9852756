import { test, type Test } from 'tap'
import { runStaleCampaign, runStaleControl } from '../../campaigns/stale/campaign.ts'

// Promise (The JSON API): A revocation, a disabling, an erasure or the retirement of a key holds for every request that begins after its
// acknowledgement, on every process
test('no request finds what was over when it began, whichever process ended it', async (t) => {
  await checkNothingIsStale(t, 1)
})

// Promise (The JSON API): A revocation, a disabling, an erasure or the retirement of a key holds for every request that begins after its
// acknowledgement, on every process: with several processes behind each port
test('the same with two processes behind each port', async (t) => {
  await checkNothingIsStale(t, 2)
})

async function checkNothingIsStale(t: Test, workers: number): Promise<void> {
  const { figures, violations } = await runStaleCampaign({ steps: 28, seed: 20261122, workers })
  t.strictSame(violations, [])
  t.equal(figures.steps, 28)
  t.equal(figures.retiredKeys, 2)
  t.ok(figures.otherRequests > 0)
  t.equal(figures.processes, 2 * workers, 'each process was asked')
}

test('servers that remember who sent a token are noticed', async (t) => {
  const { violations } = await runStaleControl('tokens', { steps: 16, seed: 1 })
  t.match(
    violations[0],
    /^an access token (?:that was revoked|of an account that was disabled), .*: 200 instead of 401$/,
  )
})

// Promise (Sealed at rest): A server that keeps using its first key is detected
test('servers that remember the active key are noticed', async (t) => {
  const { violations } = await runStaleControl('keys', { steps: 2, seed: 1 })
  t.match(violations[0], /^a key that was retired, .*: 503 instead of 201$/)
  t.ok(violations.some((violation) => violation.startsWith('a key that was retired, a request')))
})
