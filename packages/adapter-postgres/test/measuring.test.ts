import type { Gauged, Meter } from '@sotto/core'
import { expectOk, noonMicros } from '@sotto/test-kit'
import { after, test } from 'tap'
import { postgresDriver } from '../src/index.ts'
import { addSampleFolder } from './support/sample-folder.ts'
import { startServer } from './support/server.ts'

const server = await startServer()
after(() => server.stop())

test('writes that wait to be grouped, and connections, can be read at any time', async (t) => {
  const gauges = new Map<string, () => number>()
  const meter: Meter = {
    observe: () => undefined,
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

  const secrets = Array.from({ length: 5 }, () => storage.secrets.insert(make.secret(folder), make.note()))
  const limits = { perMinute: 9, perDay: 9 }
  const calls = Array.from({ length: 3 }, () => storage.quota.take('account', noonMicros, limits))
  t.equal(valueOf('commit_queue_length', 'data'), 5)
  t.equal(valueOf('commit_queue_length', 'quota'), 3)
  for (const added of await Promise.all(secrets)) expectOk(added)
  for (const taken of await Promise.all(calls)) expectOk(taken)
  t.equal(valueOf('commit_queue_length', 'data'), 0)
  t.equal(valueOf('commit_queue_length', 'quota'), 0)
  t.equal(valueOf('connections_open', 'quota'), 1)
})
