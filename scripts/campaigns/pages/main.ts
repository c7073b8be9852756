// pnpm campaign:pages [--requests N] [--seed N]
import { randomInt } from 'node:crypto'
import { conclude, numbersFrom } from '../support/command.ts'
import { runPagesCampaign } from './campaign.ts'

const { requests, seed } = numbersFrom({ requests: 50_000, seed: randomInt(2 ** 31) })
console.log(`pages campaign: about ${requests} requests, --seed ${seed}`)
const start = performance.now()
const { figures, violations } = await runPagesCampaign({ requests, seed })
const sorted = Object.fromEntries(Object.entries(figures).toSorted(([a], [b]) => (a < b ? -1 : 1)))
conclude({ ...sorted, seconds: Math.round((performance.now() - start) / 1_000) }, violations)
