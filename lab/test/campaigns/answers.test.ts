import { test } from 'tap'
import { runAnswersCampaign } from '../../campaigns/answers/campaign.ts'

// Promise (Requests): There are never more answers than a request allows, whatever the concurrency: over processes, and with kill -9
test('requests that two processes answer at the same time take exactly as many answers as they allow, through kills', async (t) => {
  const { figures, violations } = await runAnswersCampaign({ requests: 9, answersPerRequest: 120 })
  t.strictSame(violations, [])
  t.equal(figures.acknowledged, 3 * (1 + 2 + 5))
  t.equal(figures.requests, 9)
})

test('a store that reads, then writes is noticed', async (t) => {
  const { violations } = await runAnswersCampaign({
    requests: 3,
    answersPerRequest: 60,
    readThenWrite: true,
  })
  t.match(violations.join('\n'), /drafts, it allows/)
})
