// npm run campaign model -- [--runs N] [--steps N] [--seed N] [--only RUN] [--storages memory,sqlite,postgres]
import { conclude, newSeed, optionsFrom } from '../support/command.ts'
import { runModelCampaign } from './campaign.ts'
import { storageNames, type StorageName } from './storages.ts'

const { runs, steps, seed, only, storages } = optionsFrom({
  runs: 5_000,
  steps: 50,
  seed: newSeed(),
  only: '',
  storages: 'memory,sqlite',
})
const names = storages
  .split(',')
  .filter((name): name is StorageName => (storageNames as readonly string[]).includes(name))
console.log(`model campaign: ${runs} runs of ${steps} commands on ${names.join(', ')}, seed ${seed}`)
const { figures, divergence } = await runModelCampaign({
  runs,
  steps,
  seed,
  storages: names,
  only: only === '' ? undefined : Number(only),
  onRun({ runs: done, commands }) {
    if (done % 250 === 0) console.log(`${done} runs, ${commands} commands`)
  },
})
const found =
  divergence === undefined
    ? []
    : [`${divergence.text}\nreplay: --seed ${seed} --only ${divergence.run} --steps ${steps}`]
const { tally, ...counts } = figures
for (const [kind, count] of [...tally].toSorted()) console.log(`${kind.padEnd(48)} ${count}`)
conclude(counts, found)
