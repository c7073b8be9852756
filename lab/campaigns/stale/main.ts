// npm run campaign stale -- [--steps N] [--seed N] [--workers N]
import { conclude, newSeed, optionsFrom } from '../support/command.ts'
import { runStaleCampaign, runStaleControl } from './campaign.ts'

const { steps, seed, workers } = optionsFrom({ steps: 10_000, seed: newSeed(), workers: 1 })
console.log(`stale campaign: ${steps} steps, --seed ${seed}, --workers ${workers}`)
const { figures, violations } = await runStaleCampaign({ steps, seed, workers })
conclude(figures, violations)

// A server that remembers what is over must be noticed, or the campaign proves nothing.
for (const remembered of ['tokens', 'keys'] as const) {
  const control = await runStaleControl(remembered, { steps: 40, seed })
  console.log(
    `control with a server that remembers ${remembered}: ${control.violations.length} stale answers`,
  )
  if (control.violations.length === 0) process.exitCode = 1
}
