import { test } from 'tap'
import { runOpensCampaign } from '../../campaigns/opens/campaign.ts'

test('links that two processes open at the same time are delivered exactly as often as their limits allow, and not without the key', async (t) => {
  const { figures, violations } = await runOpensCampaign({
    links: 8,
    linksWithPassword: 3,
    opensPerLink: 120,
  })
  t.strictSame(violations, [])
  t.equal(figures.links, 11)
  t.equal(figures.delivered, 2 * (1 + 2 + 5 + 100) + 1 + 2 + 5)
  t.equal(figures.refused, 3 * 3 * 120, 'three links are sealed, and three kinds of openers have no key')
})

test('a store that reads, then writes is noticed', async (t) => {
  const { figures, violations } = await runOpensCampaign({
    links: 4,
    linksWithPassword: 0,
    opensPerLink: 120,
    readThenWrite: true,
  })
  t.ok(violations.length > 0, 'links were delivered too often')
  t.ok(figures.delivered > figures.allowed)
})
