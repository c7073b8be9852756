import { statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { runCrashCampaign } from '../../campaigns/crash/campaign.ts'

test('a store that loses the end of its log is noticed', async (t) => {
  const { violations } = await runCrashCampaign({
    cycles: 12,
    seed: 5,
    afterKill(dataDir) {
      const log = join(dataDir, 'sotto.sqlite-wal')
      const { size = 0 } = statSync(log, { throwIfNoEntry: false }) ?? {}
      if (size > 0) truncateSync(log, size / 2)
    },
  })
  t.ok(violations.length > 0, 'acknowledged writes are missing')
})
