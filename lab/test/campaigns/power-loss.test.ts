import { test } from 'tap'
import { runPowerLossCampaign } from '../../campaigns/power-loss/campaign.ts'
import { hasStrace } from '../../campaigns/power-loss/record.ts'

const skip =
  process.env['CI'] || hasStrace()
    ? false
    : 'strace is missing or not allowed to trace: install the package strace'
const load = { seed: 6, sessions: 2, roundsPerSession: 12 }

test('no state that a power cut may leave lacks anything acknowledged', { skip }, async (t) => {
  const { figures, violations } = await runPowerLossCampaign({ ...load, images: 60, synchronous: 'FULL' })
  t.strictSame(violations, [])
  t.equal(figures.images, 60)
  t.ok(
    figures.secretsExpected > 0 && figures.notesCompared > 0 && figures.filesCompared > 0,
    'something was compared',
  )
})

test('without the fsync of each commit something is missing', { skip }, async (t) => {
  const { figures } = await runPowerLossCampaign({ ...load, images: 30, synchronous: 'NORMAL' })
  t.ok(figures.imagesViolated > 0)
})

test('without the fsync of files something is missing', { skip }, async (t) => {
  const options = { ...load, images: 30, synchronous: 'FULL', syncsFiles: false } as const
  const { violations } = await runPowerLossCampaign(options)
  t.match(violations.join('\n'), /its file gets|its ticket/)
})
