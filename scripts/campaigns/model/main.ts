// pnpm campaign:model [--runs N] [--steps N] [--seed N] [--only RUN] [--storages memory,sqlite,postgres]
import { parseArgs } from 'node:util'
import { conclude } from '../support/command.ts'
import { runModelCampaign } from './campaign.ts'
import { storageNames, type StorageName } from './storages.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: { runs: text, steps: text, seed: text, only: text, storages: text },
  args: process.argv.slice(2).filter((arg) => arg !== '--'),
})
const { runs = '5000', steps = '50', seed = String(Date.now() % 1e9), storages = 'memory,sqlite' } = values
const names = storages
  .split(',')
  .filter((name): name is StorageName => (storageNames as readonly string[]).includes(name))
console.log(`model campaign: ${runs} runs of ${steps} commands on ${names.join(', ')}, seed ${seed}`)
const start = performance.now()
const { figures, divergence } = await runModelCampaign({
  runs: Number(runs),
  steps: Number(steps),
  seed: Number(seed),
  storages: names,
  only: values.only === undefined ? undefined : Number(values.only),
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
conclude({ ...counts, seconds: Math.round((performance.now() - start) / 1_000) }, found)
