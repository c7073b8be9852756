// pnpm campaign:stale [--steps N] [--seed N] [--workers N]
import { randomInt } from 'node:crypto'
import { conclude, numbersFrom } from '../support/command.ts'
import { runStaleCampaign, runStaleControl } from './campaign.ts'

const { steps, seed, workers } = numbersFrom({ steps: 10_000, seed: randomInt(2 ** 31), workers: 1 })
console.log(`stale campaign: ${steps} steps, --seed ${seed}, --workers ${workers}`)
const start = performance.now()
const { figures, violations } = await runStaleCampaign({ steps, seed, workers })
conclude({ ...figures, seconds: Math.round((performance.now() - start) / 1_000) }, violations)

// A server that remembers what is over must be noticed, or the campaign proves nothing.
for (const remembered of ['tokens', 'keys'] as const) {
  const control = await runStaleControl(remembered, { steps: 40, seed })
  console.log(
    `control with a server that remembers ${remembered}: ${control.violations.length} stale answers`,
  )
  if (control.violations.length === 0) process.exitCode = 1
}
