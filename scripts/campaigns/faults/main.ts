// pnpm campaign:faults [--cycles N] [--seed N]
import { randomInt } from 'node:crypto'
import { conclude, numbersFrom } from '../support/command.ts'
import { possibleFaults, runFaultsCampaign } from './campaign.ts'
import { tableOf } from './figures.ts'

const { cycles, seed } = numbersFrom({ cycles: 160, seed: randomInt(2 ** 32) })
const { kinds, missing } = possibleFaults()
console.log(`faults campaign: ${cycles} faults of ${kinds.length} kinds, --seed ${seed}`)
if (missing.length > 0) console.log(`faults that need ${missing.join(', ')} cannot be made here`)
const start = performance.now()
const { figures, violations } = await runFaultsCampaign({
  cycles,
  seed,
  onProgress: ({ faults, refused, load: { created, delivered } }) =>
    console.log(`${faults} faults, ${created} created, ${delivered} delivered, ${refused} refused`),
})
for (const [name, times] of figures.kinds) console.log(`${name}: ${times}`)
conclude({ ...tableOf(figures), seconds: Math.round((performance.now() - start) / 1_000) }, violations)
