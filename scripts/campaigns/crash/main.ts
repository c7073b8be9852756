// pnpm campaign:crash [--cycles N] [--seed N] [--workers N] [--postgres [--servers N]]
import { randomInt } from 'node:crypto'
import { conclude, numbersFrom, wantsPostgres } from '../support/command.ts'
import { startPostgres } from '../support/postgres.ts'
import { runCrashCampaign } from './campaign.ts'

const { cycles, seed, servers, workers } = numbersFrom({
  cycles: 1_000,
  seed: randomInt(2 ** 32),
  servers: 1,
  workers: 1,
})
const database = wantsPostgres() ? await startPostgres() : undefined
console.log(`crash campaign on ${database ? 'PostgreSQL' : 'SQLite'}: ${cycles} kills, --seed ${seed}`)
const start = performance.now()
const { figures, violations } = await runCrashCampaign({
  cycles,
  seed,
  servers,
  workers,
  database,
  onProgress: ({ kills, created, delivered }) =>
    console.log(`${kills} kills, ${created} created, ${delivered} delivered`),
})
await database?.stop()
conclude({ ...figures, seconds: Math.round((performance.now() - start) / 1_000) }, violations)
