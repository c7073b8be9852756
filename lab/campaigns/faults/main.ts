// npm run campaign faults -- [--cycles N] [--seed N]
import { conclude, newSeed, optionsFrom } from '../support/command.ts'
import { possibleFaults, runFaultsCampaign } from './campaign.ts'
import { tableOf } from './figures.ts'

const { cycles, seed } = optionsFrom({ cycles: 160, seed: newSeed() })
const { kinds, missing } = possibleFaults()
console.log(`faults campaign: ${cycles} faults of ${kinds.length} kinds, --seed ${seed}`)
if (missing.length > 0) console.log(`faults that need ${missing.join(', ')} cannot be made here`)
const { figures, violations } = await runFaultsCampaign({
  cycles,
  seed,
  onProgress: ({ faults, refused, load: { created, delivered } }) =>
    console.log(`${faults} faults, ${created} created, ${delivered} delivered, ${refused} refused`),
})
for (const [name, times] of figures.kinds) console.log(`${name}: ${times}`)
conclude(tableOf(figures), violations)
