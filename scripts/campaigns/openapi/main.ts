// pnpm campaign:openapi [--requests N] [--seed N]
import { randomInt } from 'node:crypto'
import { conclude, numbersFrom } from '../support/command.ts'
import { runOpenApiCampaign } from './campaign.ts'

const { requests, seed } = numbersFrom({ requests: 100_000, seed: randomInt(2 ** 31) })
console.log(`openapi campaign: ${requests} requests, --seed ${seed}`)
const start = performance.now()
const { figures, violations } = await runOpenApiCampaign({ requests, seed })
conclude({ ...figures, seconds: Math.round((performance.now() - start) / 1_000) }, violations)
