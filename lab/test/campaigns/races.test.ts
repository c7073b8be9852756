import { test } from 'tap'
import { runAnswers } from '../../campaigns/crash/answers.ts'
import { runOpens } from '../../campaigns/crash/opens.ts'

test('links that two processes open at the same time are delivered exactly as often as their limits allow, and not without the key', async (t) => {
  const { figures, violations } = await runOpens({
    links: 8,
    linksWithPassword: 3,
    opensPerLink: 120,
    seed: 1,
  })
  t.strictSame(violations, [])
  t.equal(figures.links, 11)
  t.equal(figures.kills, 2)
  t.equal(figures.delivered + figures.lost, 2 * (1 + 2 + 5 + 100) + 1 + 2 + 5)
  t.equal(figures.refused, 3 * 3 * 120, 'three links are sealed, and three kinds of openers have no key')
})

// Promise (Requests): There are never more answers than a request allows, whatever the concurrency: over processes, and with kill -9
test('requests that two processes answer at the same time take exactly as many answers as they allow, through kills', async (t) => {
  const { figures, violations } = await runAnswers({ requests: 9, answersPerRequest: 120, seed: 1 })
  t.strictSame(violations, [])
  t.equal(figures.acknowledged, 3 * (1 + 2 + 5))
  t.equal(figures.requests, 9)
  t.equal(figures.kills, 4)
})

test('a store that reads, then writes is noticed', async (t) => {
  const { figures, violations } = await runOpens({
    ...{ links: 4, linksWithPassword: 0, opensPerLink: 120, seed: 1 },
    readThenWrite: true,
  })
  t.ok(violations.length > 0, 'links were delivered too often')
  t.ok(figures.delivered > figures.allowed)
  const answers = await runAnswers({ requests: 3, answersPerRequest: 60, seed: 1, readThenWrite: true })
  t.match(answers.violations.join('\n'), /drafts, it allows/)
})
