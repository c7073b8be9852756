import { test } from 'tap'
import { runDiskCampaign } from '../../campaigns/disk/campaign.ts'

// Promise (Files): What an account has on the disk counts, whatever it does: over servers that work at the same time, and with kill -9
test('an account never has more on the disk than it may, and gets its room back when it deletes', async (t) => {
  const { figures, violations } = await runDiskCampaign({ seconds: 2, uploads: 30, tinyFiles: 30 })
  t.strictSame(violations, [])
  t.match(figures, { uploads: 30, tinyFiles: 30, refusedForDisk: 5, doneOnFullDisk: 5 })
  t.ok(figures.edits >= 16, `${figures.edits} edits`)
})

test('servers that count a file once it is there are noticed', async (t) => {
  const { violations } = await runDiskCampaign({
    ...{ seconds: 2, uploads: 12, tinyFiles: 3, countsFilesOnly: true },
  })
  for (const what of [
    /removed: \d+ bytes were stored/,
    /uploads at once: \d+ bytes/,
    /tiny files take/,
    /not back/,
  ])
    t.match(violations.join('\n'), what)
})
