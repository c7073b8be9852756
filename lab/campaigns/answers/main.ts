// npm run campaign answers -- [--requests N] [--answers N] [--processes N] [--postgres]
import { conclude, optionsFrom } from '../support/command.ts'
import { startPostgres } from '../support/postgres.ts'
import { runAnswersCampaign } from './campaign.ts'

const { requests, answers, processes, postgres } = optionsFrom({
  requests: 60,
  answers: 1_000,
  processes: 2,
  postgres: false,
})
const database = postgres ? await startPostgres() : undefined
console.log(
  `answers campaign on ${database ? 'PostgreSQL' : 'SQLite'}: ${requests} requests, ${answers} answers to each at once, ` +
    `from ${processes} processes, one of which is killed at every second request`,
)
const { figures, violations } = await runAnswersCampaign({
  requests,
  answersPerRequest: answers,
  processes,
  database,
  onProgress: (done) => console.log(`${done} requests`),
})
conclude(figures, violations)

// A store that reads first and counts afterwards must be noticed, or the campaign proves nothing.
const broken = await runAnswersCampaign({
  requests: 6,
  answersPerRequest: answers,
  processes,
  database,
  readThenWrite: true,
})
await database?.stop()
console.log(`control with a store that reads, then writes: ${broken.violations.length} violations`)
if (broken.violations.length === 0) process.exitCode = 1
