// npm run campaign clocks -- [--rounds N] [--seed N]
import { conclude, newSeed, optionsFrom } from '../support/command.ts'
import { runClocksCampaign } from './campaign.ts'
import { findFaketime } from './faketime.ts'

const { rounds, seed } = optionsFrom({ rounds: 50, seed: newSeed() })
const faketime = findFaketime()
if (faketime === undefined) {
  console.error('this campaign needs faketime: apt-get install faketime')
  process.exit(2)
}
console.log(`clocks campaign: ${rounds} rounds, --seed ${seed}`)
const { figures, violations } = await runClocksCampaign({ rounds, seed, faketime })
conclude(figures, violations)

// Servers that count by their own clocks must be noticed, or the campaign proves nothing.
const control = await runClocksCampaign({ rounds: 2, seed, faketime, ownClocks: true })
console.log(`control with servers that count by their own clocks: ${control.violations.length} violations`)
for (const violation of control.violations) console.log(`  ${violation}`)
if (control.violations.length === 0) process.exitCode = 1
