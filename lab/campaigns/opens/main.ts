// npm run campaign opens -- [--links N] [--passwords N] [--opens N] [--processes N] [--workers N] [--postgres]
import { conclude, optionsFrom } from '../support/command.ts'
import { startPostgres } from '../support/postgres.ts'
import { runOpensCampaign } from './campaign.ts'

const { links, passwords, opens, processes, workers, postgres } = optionsFrom({
  links: 200,
  passwords: 40,
  opens: 1_000,
  processes: 2,
  workers: 0,
  postgres: false,
})
const database = postgres ? await startPostgres() : undefined
console.log(
  `opens campaign on ${database ? 'PostgreSQL' : 'SQLite'}: ${links} links, ${passwords} more with a password, ` +
    `${opens} opens each, by ${processes} ${workers > 0 ? `clients of a server with ${workers} workers` : 'processes'}`,
)
const { figures, violations } = await runOpensCampaign({
  links,
  linksWithPassword: passwords,
  opensPerLink: opens,
  processes,
  workers: workers > 0 ? workers : undefined,
  database,
  onProgress: (done) => console.log(`${done} links`),
})
conclude(figures, violations)

// A store that reads first and counts afterwards must be noticed, or the campaign proves nothing.
const broken = await runOpensCampaign({
  links: 8,
  linksWithPassword: 0,
  opensPerLink: opens,
  processes,
  database,
  readThenWrite: true,
})
await database?.stop()
const { delivered, allowed, links: opened } = broken.figures
console.log(
  `control with a store that reads, then writes: ${opened} links that allow ${allowed} opens were delivered ${delivered} times`,
)
if (broken.violations.length === 0) process.exitCode = 1
