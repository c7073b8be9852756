// pnpm campaign:crash [--cycles N] [--seed N]
import { randomInt } from 'node:crypto'
import { conclude, numbersFrom } from '../support/command.ts'
import { runCrashCampaign } from './campaign.ts'

const { cycles, seed } = numbersFrom({ cycles: 1_000, seed: randomInt(2 ** 32) })
console.log(`crash campaign: ${cycles} kills, --seed ${seed}`)
const start = performance.now()
const { figures, violations } = await runCrashCampaign({
  cycles,
  seed,
  onProgress: ({ kills, created, delivered }) =>
    console.log(`${kills} kills, ${created} created, ${delivered} delivered`),
})
conclude({ ...figures, seconds: Math.round((performance.now() - start) / 1_000) }, violations)
