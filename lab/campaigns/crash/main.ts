// npm run campaign crash -- [--cycles N] [--seed N] [--workers N] [--postgres | --failover | --patroni] [--servers N]
// With --failover PostgreSQL has a synchronous standby, which takes over whenever the primary crashes; with --patroni Patroni decides it.
import { conclude, newSeed, optionsFrom } from '../support/command.ts'
import { missingPrograms, startPatroni } from '../support/patroni.ts'
import { startPostgres, type CampaignDatabase } from '../support/postgres.ts'
import { startReplicatedPostgres } from '../support/replicated-postgres.ts'
import { runCrashCampaign } from './campaign.ts'

const { cycles, seed, servers, workers, postgres, failover, patroni } = optionsFrom({
  cycles: 1_000,
  seed: newSeed(),
  servers: 1,
  workers: 1,
  postgres: false,
  failover: false,
  patroni: false,
})
if (patroni && missingPrograms.length > 0) {
  console.log(`skipped: ${missingPrograms.join(', ')} are not installed`)
  process.exit()
}
const database = await startDatabase()
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

async function startDatabase(): Promise<CampaignDatabase | undefined> {
  if (patroni) return startPatroni()
  if (failover) return startReplicatedPostgres({ isSynchronous: true })
  return postgres ? startPostgres() : undefined
}
