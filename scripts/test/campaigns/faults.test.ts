import { createRequire } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { runFaultsCampaign } from '../../campaigns/faults/campaign.ts'
import { means } from '../../campaigns/faults/means.ts'

t.setTimeout(100_000)

const skip = means.prlimit() ? false : 'the limits of another process cannot be set here'

t.test('while the disk refuses writes nothing is acknowledged that is not kept', { skip }, async (t) => {
  const only = ['every write refused']
  const { figures, violations } = await runFaultsCampaign({ cycles: 1, seed: 8, only })
  t.strictSame(violations, [])
  const { refused, pagesRead, load } = figures
  t.ok(refused > 0 && pagesRead > 0 && load.created > 0 && load.notesCompared > 0, 'there was a load')
})

t.test('a store that loses what was written around a fault is noticed', async (t) => {
  const require = createRequire(new URL('../../../packages/adapter-sqlite/package.json', import.meta.url))
  const Sqlite = require('better-sqlite3') as new (path: string) => { exec(sql: string): void; close(): void }
  const { violations } = await runFaultsCampaign({
    cycles: 1,
    seed: 9,
    only: ['clock ahead'],
    afterFault(dataDir) {
      const db = new Sqlite(join(dataDir, 'sotto.sqlite'))
      db.exec('DELETE FROM secrets WHERE id IN (SELECT id FROM secrets ORDER BY created_at DESC LIMIT 1)')
      db.close()
    },
  })
  t.match(violations.join('\n'), /absent, not shared|its link finds nothing|the folder counts/)
})
