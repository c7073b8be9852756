// pnpm campaign:stale [--steps N] [--seed N]
import { randomInt } from 'node:crypto'
import { conclude, numbersFrom } from '../support/command.ts'
import { runStaleCampaign } from './campaign.ts'

const { steps, seed } = numbersFrom({ steps: 10_000, seed: randomInt(2 ** 31) })
console.log(`stale campaign: ${steps} steps, --seed ${seed}`)
const start = performance.now()
const { figures, violations } = await runStaleCampaign({ steps, seed })
conclude({ ...figures, seconds: Math.round((performance.now() - start) / 1_000) }, violations)

// A server that remembers for a moment who sent a token must be noticed, or the campaign proves nothing.
const forgetful = await runStaleCampaign({ steps: 40, seed, rememberMillis: 1_000 })
console.log(
  `control with a server that remembers tokens for a second: ${forgetful.violations.length} stale answers`,
)
if (forgetful.violations.length === 0) process.exitCode = 1
