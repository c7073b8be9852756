import { createMemoryPorts } from '@sotto/test-kit'
import t from 'tap'
import { refusal } from '../../core/test/refusal.ts'
import { createFullSotto, createIdentity } from '../src/identity.ts'
import { createWorld } from './world.ts'

/** What no use-case of identity needs, and the provider and the senders, which may be absent. */
const notNeeded: readonly string[] = [
  ...['instanceId', 'upkeep', 'erasure', 'close', 'mailSender', 'webhookSender', 'identityProvider'],
  ...['links', 'keys', 'servers', 'rewraps', 'corruption', 'fileContents', 'fileCipher', 'keyRing'],
]

t.test('createIdentity throws a TypeError for each port that is missing', (t) => {
  const { data: _, ...ports } = createMemoryPorts()
  const names = Object.keys(ports).filter((name) => !notNeeded.includes(name))
  t.ok(names.length >= 20, `${String(names.length)} ports are left out, one after the other`)
  for (const name of names) {
    const message = new RegExp(`^ports\\.${name}\\.\\w+ is missing$`)
    t.throws(
      () => createIdentity({ ports: { ...ports, [name]: undefined } }),
      { name: 'TypeError', message },
      name,
    )
  }
  t.end()
})

t.test('createFullSotto takes no provider where there is none', (t) => {
  const ports = { ...createMemoryPorts(), identityProvider: undefined }
  t.type(createFullSotto({ ports }), 'object')
  t.end()
})

t.test('every use-case refuses a name that it does not know, and an input that is no object', async (t) => {
  const { deps } = await createWorld()
  const { beginPasskeySignIn: _begin, ...withInput } = createIdentity({ ports: deps })
  for (const [name, useCase] of Object.entries(withInput)) {
    t.strictSame(await refusal(useCase, { surprise: 1 }), { field: 'surprise', rule: 'unknown_name' }, name)
    t.strictSame(await refusal(useCase, 'text'), { field: 'input', rule: 'wrong_type' }, name)
  }
})
