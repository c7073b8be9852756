import { runMutationCampaign } from './scripts/campaigns/mutation/campaign.ts'
const [sources, tests] = process.argv.slice(2).map(x=>x.split(';'))
const start = performance.now()
const out = await runMutationCampaign({ sources, tests, onOutcome(o,d,of){ if (o.became==='survived'||o.became==='unreached'||o.became==='hung') console.log(((performance.now()-start)/1000).toFixed(0), d,of,o.became, o.mutant.path.replace('packages/',''), o.mutant.line, o.mutant.scope, o.mutant.name); } })
const c = {}; for (const o of out) c[o.became]=(c[o.became]??0)+1
import {writeFileSync} from 'node:fs'; if (process.argv[4]) writeFileSync(process.argv[4], JSON.stringify(out)); console.log(out.length, c, ((performance.now()-start)/1000).toFixed(1))
