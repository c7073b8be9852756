// npm run campaign pages -- [--requests N] [--seed N]
import { conclude, newSeed, optionsFrom } from '../support/command.ts'
import { runPagesCampaign } from './campaign.ts'

const { requests, seed } = optionsFrom({ requests: 50_000, seed: newSeed() })
console.log(`pages campaign: about ${requests} requests, --seed ${seed}`)
const { figures, violations } = await runPagesCampaign({ requests, seed })
const sorted = Object.fromEntries(Object.entries(figures).toSorted(([a], [b]) => (a < b ? -1 : 1)))
conclude(sorted, violations)
