// npm run campaign openapi -- [--requests N] [--seed N]
import { conclude, newSeed, optionsFrom } from '../support/command.ts'
import { runOpenApiCampaign } from './campaign.ts'

const { requests, seed } = optionsFrom({ requests: 100_000, seed: newSeed() })
console.log(`openapi campaign: ${requests} requests, --seed ${seed}`)
const { figures, violations } = await runOpenApiCampaign({ requests, seed })
conclude(figures, violations)
