import { createFullSotto } from '@sotto/identity'
import { createMemoryPorts, expectOk, failing } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import t from 'tap'
import { startShowing } from '../../src/keys/shown-server.ts'
import { createTestTimers } from '../support/timers.ts'

const busy = { code: 'storage_unavailable', reason: 'busy' } as const

// Promise (On PostgreSQL): No key becomes active that a running server lacks: each shows every five seconds what it holds
t.test('a server shows every five seconds which keys it holds, until it is stopped', async (t) => {
  const ports = createMemoryPorts()
  const timers = createTestTimers()
  const sotto = createFullSotto({ ports })
  const log = { warn: () => t.fail('nothing goes wrong') }
  const showing = startShowing({ sotto, address: 'http://[::1]:3000', timers, log })
  await timers.advance(0)
  const shown = async () => expectOk(await ports.servers.list()).map(({ name, kid }) => [name, kid])
  t.match(await shown(), [[/.:3000$/, 1]])
  expectOk(await sotto.addKey())
  await timers.advance(4_999)
  t.match(await shown(), [[/.:3000$/, 1]])
  await timers.advance(1)
  t.match(await shown(), [[/.:3000$/, 2]])
  await showing.stop()
  await timers.advance(60_000)
  t.strictSame(await shown(), [])
})

t.test('while the database fails it goes on at the same pace, and logs that once', async (t) => {
  const ports = createMemoryPorts()
  const timers = createTestTimers()
  let isFailing = true
  let tries = 0
  const broken = createFullSotto({ ports: { ...ports, servers: failing(ports.servers, { show: busy }) } })
  const sotto = {
    showServer: ((input) =>
      ((tries += 1), isFailing ? broken : createFullSotto({ ports })).showServer(
        input,
      )) satisfies typeof broken.showServer,
    hideServer: () => okAsync(undefined),
  }
  const logged: object[] = []
  const log = { warn: (details: object) => void logged.push(details) }
  const showing = startShowing({ sotto, address: 'http://127.0.0.1:3000', timers, log })
  await timers.advance(20_000)
  t.strictSame([tries, logged], [5, [{ error: busy }]])
  isFailing = false
  await timers.advance(5_000)
  t.equal(expectOk(await ports.servers.list()).length, 1)
  await showing.stop()
})
