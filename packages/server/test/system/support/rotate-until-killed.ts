/**
 * Rotates the keys of an installation in a process of its own, which kills itself before the step with the given number; see
 * `steppedRotation`. Exit code 0 when the rotation ends before that step.
 *
 *     node rotate-until-killed.ts DIRECTORY STEP
 */
import { rotateKeys } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import { openIn } from '../../support/installation.ts'
import { steppedRotation } from './stepped-rotation.ts'

const [cwd = '.', killedAt = ''] = process.argv.slice(2)
const url = process.env['SOTTO_DATABASE_URL']
const installation = await openIn(cwd, url === undefined ? {} : { env: { SOTTO_DATABASE_URL: url } })
// A caller that kills this process at random starts its timer here.
process.stdout.write('\n')
let step = 0
const ports = steppedRotation(installation.ports, () => {
  if (step === Number(killedAt)) process.kill(process.pid, 'SIGKILL')
  step += 1
  return undefined
})
const { rewrapped } = expectOk(await rotateKeys(ports))
await installation.close()
process.stdout.write(`${rewrapped}\n`)
