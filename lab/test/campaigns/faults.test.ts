import { createRequire } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { runFaultsCampaign } from '../../campaigns/faults/campaign.ts'
import { means } from '../../campaigns/faults/means.ts'

const require = createRequire(new URL('../../../packages/adapter-sqlite/package.json', import.meta.url))
const Sqlite = require('better-sqlite3') as new (path: string) => { exec(sql: string): void; close(): void }

function loseLatestSecret(dataDir: string): void {
  const db = new Sqlite(join(dataDir, 'sotto.sqlite'))
  db.exec('DELETE FROM secrets WHERE id IN (SELECT id FROM secrets ORDER BY created_at DESC LIMIT 1)')
  db.close()
}

const skip = means.prlimit() ? false : 'the limits of another process cannot be set here'

// Promise (Installing and operating): A fault of the machine under load loses nothing acknowledged
t.test('a fault loses nothing acknowledged, and a lost secret is noticed', { skip }, async (t) => {
  let checked = 0
  const { figures, violations } = await runFaultsCampaign({
    cycles: 3,
    seed: 8,
    only: ['every write refused'],
    afterFault(dataDir) {
      checked += 1
      if (checked === 2) loseLatestSecret(dataDir)
    },
  })
  t.equal(checked, 2, 'the campaign went on after the first fault and ended with the second')
  t.match(violations.join('\n'), /absent, not shared|the folder counts/)
  const { refused, pagesRead, load } = figures
  t.ok(refused > 0 && pagesRead > 0 && load.created > 0 && load.notesCompared > 0, 'there was a load')
})
