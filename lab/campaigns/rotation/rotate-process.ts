/**
 * Rotates the keys of an installation in a process of its own, which kills itself before the step with the given number. A step is any
 * access to the ring or the store. Exit code 0 when the rotation ends before that step.
 *
 *     node rotate-process.ts DIRECTORY STEP
 */
import { rotateKeys } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import { cheapCrypto } from '../support/cheap-crypto.ts'
import { openPlace, placeIn } from '../support/place.ts'
import { givenDatabase } from '../support/postgres.ts'

const [directory = '.', killedAt = ''] = process.argv.slice(2)
const { ports, close } = await openPlace(placeIn(directory, givenDatabase()), { createCrypto: cheapCrypto })
// A caller that kills this process at random starts its timer here.
process.stdout.write('\n')
let step = 0
const { keyRing, keys, servers, rewraps } = ports
const { rewrapped } = expectOk(
  await rotateKeys({
    ...ports,
    keyRing: stepped(keyRing, ['addKey', 'activate', 'removeKey']),
    keys: stepped(keys),
    servers: stepped(servers),
    rewraps: stepped(rewraps),
  }),
)
await close()
process.stdout.write(`${rewrapped}\n`)

/** A port whose methods of these names each begin with a step; all of them by default. */
function stepped<Port extends object>(port: Port, names: readonly string[] = Object.keys(port)): Port {
  const entries = Object.entries(port).map(([name, method]: [string, (...given: unknown[]) => unknown]) => [
    name,
    names.includes(name) ? (...given: unknown[]) => (beforeStep(), method(...given)) : method,
  ])
  return Object.fromEntries(entries) as Port
}

function beforeStep(): void {
  if (step === Number(killedAt)) process.kill(process.pid, 'SIGKILL')
  step += 1
}
