import { randomInt } from 'node:crypto'
import t from 'tap'
import { runSsoCampaign } from '../../campaigns/sso/campaign.ts'
import { controls, runControl } from '../../campaigns/sso/controls.ts'

// Promise (sign-in): Nothing that was tampered with signs anybody in, or ends a session
t.test('tampered callbacks and logout tokens are refused', async (t) => {
  const seed = randomInt(2 ** 31)
  t.comment(`npm run campaign sso -- --attempts 1000 --seed ${seed}`)
  const { figures, violations } = await runSsoCampaign({ attempts: 1_000, seed })
  t.strictSame(violations, [], `--seed ${seed}`)
  t.equal(figures.refused, 1_000)
  t.ok(figures.honest > 0)
})

t.test('each check that is left out is noticed', async (t) => {
  for (const control of controls) t.not((await runControl(control, 1)).length, 0, control.check)
})
