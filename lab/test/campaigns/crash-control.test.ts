import { readdirSync, statSync, truncateSync } from 'node:fs'
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

test('contents of files that lose their ends are noticed', async (t) => {
  const { violations } = await runCrashCampaign({
    cycles: 12,
    seed: 6,
    afterKill(dataDir) {
      const entries = readdirSync(join(dataDir, 'files'), { recursive: true, withFileTypes: true })
      for (const entry of entries.filter((one) => one.isFile())) {
        const path = join(entry.parentPath, entry.name)
        truncateSync(path, statSync(path).size / 2)
      }
    },
  })
  t.match(violations.join('\n'), /its file (?:gets|is not what was sent)/)
})
