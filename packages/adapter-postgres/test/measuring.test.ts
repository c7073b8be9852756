import type { Gauged, Measured, Meter } from '@sotto/core'
import { expectOk, noonMicros } from '@sotto/test-kit'
import { after, test } from 'tap'
import { postgresDriver } from '../src/identity.ts'
import { addSampleFolder } from './support/sample-folder.ts'
import { sharedServer } from './support/server.ts'

const server = await sharedServer()
after(() => server.stop())

test('writes that wait to be grouped, how long each has waited, and connections are measured', async (t) => {
  const gauges = new Map<string, () => number>()
  const observed: { what: Measured; part: string; value: number }[] = []
  const waits = (part: string) =>
    observed
      .filter((seen) => seen.what === 'commit_wait_seconds' && seen.part === part)
      .map(({ value }) => value)
  const meter: Meter = {
    observe: (what, part, value) => void observed.push({ what, part, value }),
    gauge: (what, part, read) => void gauges.set(`${what} ${part}`, read),
  }
  const valueOf = (what: Gauged, part: 'data' | 'quota') => gauges.get(`${what} ${part}`)?.()
  const driver = postgresDriver({ url: await server.newDatabase() })
  const storage = expectOk(await driver.open({ onFatal: () => undefined, log: () => undefined, meter }))
  t.teardown(() => storage.close())
  t.equal(valueOf('connections_open', 'data'), 0)
  const { make, folder } = await addSampleFolder(storage)
  t.equal(valueOf('connections_open', 'data'), 1)
  t.equal(valueOf('connections_used', 'data'), 0)

  observed.length = 0
  const secrets = Array.from({ length: 5 }, () => storage.secrets.insert(make.secret(folder), make.note()))
  const limits = { perMinute: 9, perDay: 9 }
  const calls = Array.from({ length: 3 }, () => storage.quota.take('account', noonMicros, limits))
  const heldSeconds = 0.05
  holdEventLoop(heldSeconds)
  t.equal(valueOf('commit_queue_length', 'data'), 5)
  t.equal(valueOf('commit_queue_length', 'quota'), 3)
  for (const added of await Promise.all(secrets)) expectOk(added)
  for (const taken of await Promise.all(calls)) expectOk(taken)
  t.equal(valueOf('commit_queue_length', 'data'), 0)
  t.equal(valueOf('commit_queue_length', 'quota'), 0)
  t.equal(valueOf('connections_open', 'quota'), 1)

  t.equal(waits('data').length, 5, 'each of the writes that were committed together')
  t.equal(waits('quota').length, 3)
  const shortest = Math.min(...waits('data'), ...waits('quota'))
  t.ok(shortest >= heldSeconds, 'its wait for a batch counts')
})

function holdEventLoop(seconds: number): void {
  const end = performance.now() + 1_000 * seconds
  while (performance.now() < end) continue
}
