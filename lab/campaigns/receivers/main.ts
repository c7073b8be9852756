// npm run campaign receivers -- [--seconds N] [--seed N]
import { conclude, newSeed, optionsFrom } from '../support/command.ts'
import { runReceiversCampaign } from './campaign.ts'

const { seconds, seed } = optionsFrom({ seconds: 60, seed: newSeed() })
console.log(`receivers campaign: twice ${seconds} seconds, --seed ${seed}`)
const { figures, violations } = await runReceiversCampaign({ seconds, seed })
conclude(figures, violations)

// Messages that are never taken must be noticed, or the campaign proves nothing.
const broken = await runReceiversCampaign({ seconds: 3, seed, neverBehave: true })
console.log(`control with receivers that misbehave to the end: ${broken.violations.length} violations`)
if (broken.violations.length === 0) process.exitCode = 1
