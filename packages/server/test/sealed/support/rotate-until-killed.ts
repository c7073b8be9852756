/**
 * Rotates the keys of an installation in a process of its own, which kills itself before the step whose number it is told; see
 * `steppedRotation`. Exit code 0 when it came to its end before.
 *
 *     node rotate-until-killed.ts DIRECTORY STEP
 */
import { rotateKeys } from '@sotto/core'
import { steppedRotation } from './stepped-rotation.ts'
import { okOf, openIn } from './world.ts'

const [cwd = '.', killedAt = ''] = process.argv.slice(2)
const installation = await openIn(cwd)
// Whoever wants to kill it at any moment begins to count from here.
process.stdout.write('\n')
let step = 0
const rotation = steppedRotation(installation.rotation, () => {
  if (step === Number(killedAt)) process.kill(process.pid, 'SIGKILL')
  step += 1
  return undefined
})
const { rewrapped } = await okOf(rotateKeys(rotation))
await installation.close()
process.stdout.write(`${rewrapped}\n`)
