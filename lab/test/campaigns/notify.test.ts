import t from 'tap'
import { runNotifyCampaign } from '../../campaigns/notify/campaign.ts'

// Each run starts dozens of processes, and may wait half a minute for a lease: so both run at the same time.
t.jobs = 2

t.test(
  'every counted open is reported, under one id, and nothing else, whenever a server is killed',
  { buffered: true },
  async (t) => {
    const { figures, violations } = await runNotifyCampaign({ cycles: 8, seed: 1 })
    t.strictSame(violations, [])
    t.equal(figures.kills, 8)
    t.ok(figures.delivered > 0)
    t.ok(figures.counted >= figures.delivered)
    t.ok(figures.mails > 0)
  },
)

t.test(
  'a server that queues its messages after it has counted the open is noticed',
  { buffered: true },
  async (t) => {
    const { violations } = await runNotifyCampaign({ cycles: 12, seed: 2, queueAfterwards: true })
    t.ok(
      violations.some((sentence) => sentence.includes('was not reported')),
      'a message was lost',
    )
  },
)
