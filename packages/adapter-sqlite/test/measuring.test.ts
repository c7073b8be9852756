import { rmSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { noonMicros } from '@sotto/test-kit'
import { expectOk } from '@sotto/test-kit'
import type { Meter, StorageError } from '@sotto/core'
import type { ResultAsync } from 'neverthrow'
import { test } from 'tap'
import { sqliteDriver } from '../src/driver.ts'
import { temporaryDir } from './support/helpers.ts'

function recorder() {
  const observed: (readonly [what: string, part: string, value: number])[] = []
  const readings = new Map<string, () => number>()
  const meter: Meter = {
    observe: (what, part, value) => void observed.push([what, part, value]),
    gauge: (what, part, read) => void readings.set(`${what} ${part}`, read),
  }
  const of = (what: string, part: string) =>
    observed.filter(([name, of]) => name === what && of === part).map(([, , value]) => value)
  return { meter, of, read: (name: string) => readings.get(name)?.() }
}

/** A transaction that has taken ten milliseconds takes no further write, and the machine may be busy. */
const triesMax = 50

const openOptions = { log: () => undefined, onFatal: () => undefined }

test('writes that share a commit are measured as one batch, each with its wait', async (t) => {
  const { meter, of, read } = recorder()
  const storage = expectOk(await sqliteDriver({ dataDir: temporaryDir(t) }).open({ ...openOptions, meter }))
  t.teardown(() => storage.close())
  const lastBatch = () => of('commit_batch_writes', 'data').at(-1)
  for (let tries = 0; tries < triesMax && lastBatch() !== 3; tries += 1) {
    const writes = [1, 2, 3].map((more) => storage.upkeep.recordSweep(noonMicros + more))
    t.equal(read('commit_queue_length data'), 3, 'they wait')
    for (const written of await Promise.all(writes)) expectOk(written)
    t.equal(read('commit_queue_length data'), 0)
  }
  t.equal(lastBatch(), 3)
  t.ok(
    of('commit_wait_seconds', 'data')
      .slice(-3)
      .every((seconds) => seconds >= 0 && seconds < 60),
  )
  t.equal(
    of('commit_wait_seconds', 'data').length,
    of('commit_batch_writes', 'data').reduce((a, b) => a + b, 0),
  )
  t.same(of('commit_batch_writes', 'quota'), [], 'the quota is a part of its own')
})

test('what is written in two turns is one commit of the data, and two of the quota', async (t) => {
  const { meter, of } = recorder()
  const storage = expectOk(await sqliteDriver({ dataDir: temporaryDir(t) }).open({ ...openOptions, meter }))
  t.teardown(() => storage.close())
  const takeTwo = async (write: () => ResultAsync<unknown, StorageError>) => {
    const first = write()
    await setImmediate()
    for (const answer of await Promise.all([first, write()])) expectOk(answer)
  }
  const lastBatch = () => of('commit_batch_writes', 'data').at(-1)
  for (let tries = 0; tries < triesMax && lastBatch() !== 2; tries += 1)
    await takeTwo(() => storage.upkeep.recordSweep(noonMicros))
  await takeTwo(() => storage.quota.take('account/a', noonMicros, { perMinute: 9, perDay: 9 }))
  t.equal(lastBatch(), 2)
  t.same(of('commit_batch_writes', 'quota'), [1, 1])
})

test('the write-ahead log and its checkpoints are measured, also when its directory is gone', async (t) => {
  const { meter, of, read } = recorder()
  const dataDir = temporaryDir(t)
  const storage = expectOk(await sqliteDriver({ dataDir }).open({ ...openOptions, meter }))
  expectOk(await storage.upkeep.recordSweep(noonMicros))
  t.ok((read('wal_bytes data') ?? 0) > 0)
  const before = of('checkpoint_seconds', 'data').length
  t.ok(storage.erasure.finish())
  t.equal(of('checkpoint_seconds', 'data').length, before + 1)
  t.equal(read('wal_bytes data'), 0)
  await storage.close()
  rmSync(dataDir, { recursive: true })
  t.equal(read('wal_bytes data'), 0)
})
