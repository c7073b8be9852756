import { test } from 'tap'
import { runCrashCampaign } from '../../campaigns/crash/campaign.ts'

test('in five kills nothing acknowledged is lost, and no link is delivered too often', async (t) => {
  const { figures, violations } = await runCrashCampaign({ cycles: 5, seed: 4, cyclesPerInstallation: 5 })
  t.strictSame(violations, [])
  t.equal(figures.kills, 5)
  t.ok(figures.withFile > 0 && figures.filesCompared > 0, 'files were among it')
  t.ok(figures.created > 0 && figures.draftsSaved > 0 && figures.notesCompared > 0, 'there was a load')
})
