import { createFullSotto } from '@sotto/identity'
import { createMemoryPorts, expectErr, expectOk } from '@sotto/test-kit'
import t from 'tap'
import { whenEverywhere } from '../../src/keys/key-wait.ts'

const server = { id: '0190f3a0-0000-7000-8000-000000000000', name: 'web-2:3000' }

/** A rotation that finds a server without the key, until `looks` pauses have passed. */
async function rotateAfter(looks: number) {
  const ports = createMemoryPorts()
  const sotto = createFullSotto({ ports })
  expectOk(await sotto.showServer(server))
  const waited: (readonly string[])[] = []
  const pauses: number[] = []
  const rotated = await whenEverywhere({
    attempt: () => sotto.rotateKeys(),
    onWait: (names) => waited.push(names),
    async pause(millis) {
      pauses.push(millis)
      if (pauses.length === looks) expectOk(await sotto.showServer(server))
    },
  })
  return { rotated, waited, pauses }
}

t.test('a rotation goes on as soon as every server has the key', async (t) => {
  const { rotated, waited, pauses } = await rotateAfter(3)
  t.match(expectOk(rotated), { kid: 2, added: true })
  t.strictSame(waited, [['web-2:3000'], ['web-2:3000'], ['web-2:3000']])
  t.strictSame(pauses, [1_000, 1_000, 1_000])
})

t.test('after 30 seconds it names the servers that lack the key', async (t) => {
  const { rotated, pauses } = await rotateAfter(31)
  t.match(expectErr(rotated, 'key_not_everywhere'), { kid: 2, servers: [server] })
  t.equal(pauses.length, 30)
})

t.test('any other error ends the wait', async (t) => {
  const ports = createMemoryPorts()
  ports.keyRing.file.usable = false
  const rotated = await whenEverywhere({
    attempt: () => createFullSotto({ ports }).rotateKeys(),
    onWait: () => t.fail('it waits'),
    pause: () => Promise.resolve(),
  })
  expectErr(rotated, 'keys_unwritable')
})
