// npm run campaign notify -- [--cycles N] [--seed N]
import { conclude, newSeed, optionsFrom } from '../support/command.ts'
import { runNotifyCampaign } from './campaign.ts'

const { cycles, seed } = optionsFrom({ cycles: 500, seed: newSeed() })
console.log(`notify campaign: ${cycles} kills, --seed ${seed}`)
const { figures, violations } = await runNotifyCampaign({
  cycles,
  seed,
  onProgress: ({ kills, delivered }) => console.log(`${kills} kills, ${delivered} notes received`),
})
conclude(figures, violations)

// A server that queues its messages after the open must be noticed, or the campaign proves nothing.
const broken = await runNotifyCampaign({ cycles: 20, seed, queueAfterwards: true })
console.log(`control with messages that are queued afterwards: ${broken.violations.length} violations`)
if (broken.violations.length === 0) process.exitCode = 1
