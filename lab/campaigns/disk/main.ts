// npm run campaign disk -- [--seconds N] [--uploads N] [--files N] [--postgres]
import { conclude, optionsFrom } from '../support/command.ts'
import { startPostgres } from '../support/postgres.ts'
import { runDiskCampaign } from './campaign.ts'

const { seconds, uploads, files, postgres } = optionsFrom({
  seconds: 20,
  uploads: 60,
  files: 2_000,
  postgres: false,
})
const database = postgres ? await startPostgres() : undefined
console.log(
  `disk campaign on ${database ? 'PostgreSQL' : 'SQLite'}: two servers, an account of 4 MiB, a file put and removed for ${seconds} s, ` +
    `${uploads} uploads at once, ${files} tiny files`,
)
const { figures, violations } = await runDiskCampaign({ seconds, uploads, tinyFiles: files, database })
conclude(figures, violations)

// Servers that count a file once it is there must be noticed, or the campaign proves nothing.
const broken = await runDiskCampaign({ seconds: 3, uploads, tinyFiles: 20, database, countsFilesOnly: true })
await database?.stop()
console.log(`control with servers that count a file once it is there: ${broken.violations.length} violations`)
for (const violation of broken.violations) console.log(`  ${violation}`)
if (broken.violations.length === 0) process.exitCode = 1
