// npm run campaign crash -- [--mode kills|opens|answers] [--seed N] [--postgres | --failover | --patroni]
//   kills (by default): [--cycles N] [--servers N] [--workers N]
//   opens: [--links N] [--passwords N] [--attempts N] [--processes N] [--workers N]
//   answers: [--requests N] [--attempts N] [--processes N]
// With --failover PostgreSQL has a synchronous standby, which takes over whenever the primary crashes; with --patroni Patroni decides it.
import { conclude, newSeed, optionsFrom } from '../support/command.ts'
import { missingPrograms, startPatroni } from '../support/patroni.ts'
import { startPostgres, type CampaignDatabase } from '../support/postgres.ts'
import { startReplicatedPostgres } from '../support/replicated-postgres.ts'
import { runAnswers } from './answers.ts'
import { runCrashCampaign } from './campaign.ts'
import { runOpens } from './opens.ts'

const given = optionsFrom({
  mode: 'kills',
  seed: newSeed(),
  cycles: 1_000,
  servers: 1,
  workers: 1,
  links: 200,
  passwords: 40,
  requests: 60,
  attempts: 1_000,
  processes: 2,
  postgres: false,
  failover: false,
  patroni: false,
})
const { seed, workers, processes, postgres, failover, patroni } = given
const modes: Readonly<Record<string, () => Promise<unknown>>> = { kills, opens, answers }
const run = Object.hasOwn(modes, given.mode) ? modes[given.mode] : undefined
if (run === undefined) {
  console.error(`there is no mode ${given.mode}; usage: --mode ${Object.keys(modes).join('|')}`)
  process.exit(2)
}
if (patroni && missingPrograms.length > 0) {
  console.log(`skipped: ${missingPrograms.join(', ')} are not installed`)
  process.exit()
}
const database = await startDatabase()
console.log(`crash campaign (${given.mode}) on ${database ? 'PostgreSQL' : 'SQLite'}: --seed ${seed}`)
await run()
await database?.stop()

async function kills(): Promise<void> {
  const { figures, violations } = await runCrashCampaign({
    ...given,
    database,
    onProgress: ({ kills: done, created, delivered }) =>
      console.log(`${done} kills, ${created} created, ${delivered} delivered`),
  })
  conclude(figures, violations)
}

async function opens(): Promise<void> {
  const { links, passwords: linksWithPassword, attempts: opensPerLink } = given
  const { figures, violations } = await runOpens({
    ...{ links, linksWithPassword, opensPerLink, processes, seed, database },
    workers: workers > 1 ? workers : undefined,
    onProgress: (done) => console.log(`${done} links`),
  })
  conclude(figures, violations)
  // A store that reads first and counts afterwards must be noticed, or the campaign proves nothing.
  const few = { links: 8, linksWithPassword: 0, opensPerLink, processes, seed, database }
  const broken = await runOpens({ ...few, readThenWrite: true })
  concludeControl(
    `delivered ${broken.figures.delivered} times what allows ${broken.figures.allowed}`,
    broken.violations,
  )
}

async function answers(): Promise<void> {
  const { requests, attempts: answersPerRequest } = given
  const all = { answersPerRequest, processes, seed, database }
  const { figures, violations } = await runAnswers({
    ...{ ...all, requests },
    onProgress: (done) => console.log(`${done} requests`),
  })
  conclude(figures, violations)
  const broken = await runAnswers({ ...all, requests: 6, readThenWrite: true })
  concludeControl('', broken.violations)
}

function concludeControl(text: string, violations: readonly string[]): void {
  console.log(`control with a store that reads, then writes: ${violations.length} violations ${text}`)
  if (violations.length === 0) process.exitCode = 1
}

async function startDatabase(): Promise<CampaignDatabase | undefined> {
  if (patroni) return startPatroni()
  if (failover) return startReplicatedPostgres({ isSynchronous: true })
  return postgres ? startPostgres() : undefined
}
