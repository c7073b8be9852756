// npm run campaign crash -- [--cycles N] [--seed N] [--workers N] [--postgres [--servers N]]
import { conclude, newSeed, optionsFrom } from '../support/command.ts'
import { startPostgres } from '../support/postgres.ts'
import { runCrashCampaign } from './campaign.ts'

const { cycles, seed, servers, workers, postgres } = optionsFrom({
  cycles: 1_000,
  seed: newSeed(),
  servers: 1,
  workers: 1,
  postgres: false,
})
const database = postgres ? await startPostgres() : undefined
console.log(`crash campaign on ${database ? 'PostgreSQL' : 'SQLite'}: ${cycles} kills, --seed ${seed}`)
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
conclude(figures, violations)
