// npm run campaign sso -- [--attempts N] [--seed N]
import { conclude, newSeed, optionsFrom } from '../support/command.ts'
import { runSsoCampaign } from './campaign.ts'
import { controls, runControl } from './controls.ts'

const { attempts, seed } = optionsFrom({ attempts: 10_000, seed: newSeed() })
console.log(`sso campaign: ${attempts} attempts, --seed ${seed}`)
const { figures, violations } = await runSsoCampaign({ attempts, seed })
const missed = []
for (const control of controls) {
  const accepted = await runControl(control, seed)
  if (accepted.length === 0) missed.push(`without the check of ${control.check} nothing was accepted`)
}
conclude({ ...figures, 'controls noticed': controls.length - missed.length }, [...violations, ...missed])
