// npm run campaign power-loss -- [--images N] [--seed N]
import { conclude, newSeed, optionsFrom } from '../support/command.ts'
import { runPowerLossCampaign } from './campaign.ts'
import { hasStrace } from './record.ts'

const { images, seed } = optionsFrom({ images: 1_000, seed: newSeed() })
if (!hasStrace()) {
  console.error('strace is missing or not allowed to trace: install the package strace')
  process.exit(1)
}
console.log(`power-loss campaign: ${images} images, --seed ${seed}`)
const load = { seed, sessions: 3, roundsPerSession: 80 }
const onProgress = (done: number): void => console.log(`${done} images`)

const shipped = await runPowerLossCampaign({ ...load, images, synchronous: 'FULL', onProgress })
conclude(shipped.figures, shipped.violations)

// Something must be missing when commits are not synced, or the images prove nothing.
const control = await runPowerLossCampaign({ ...load, images: Math.ceil(images / 5), synchronous: 'NORMAL' })
const { images: tried, imagesViolated } = control.figures
console.log(`control with synchronous=NORMAL: ${imagesViolated} of ${tried} images have lost something`)
if (imagesViolated === 0) process.exitCode = 1

const unsynced = await runPowerLossCampaign({
  ...load,
  images: Math.ceil(images / 5),
  synchronous: 'FULL',
  syncsFiles: false,
})
console.log(
  `control with files that are not synced: ${unsynced.figures.imagesViolated} of ${unsynced.figures.images} images have lost something`,
)
if (unsynced.figures.imagesViolated === 0) process.exitCode = 1
