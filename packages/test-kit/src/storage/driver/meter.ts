import { casesOf } from '../../contract/contract.ts'
import assert from 'node:assert/strict'
import type { Meter } from '@sotto/core'
import type { FullStorageDriver } from '@sotto/identity'
import { expectOk } from '../../contract/expect.ts'
import type { Samples } from '../../shared/samples.ts'
import { addLink } from '../../stores/rows.ts'
import { sampleKey, kids } from '../../stores/harness.ts'
import { driverCase, openOptions, type StorageDriverCase } from './harness.ts'

/** Cases of what a storage reports about its own work. */
export const meterCases: readonly StorageDriverCase[] = casesOf({
  'storage-driver/measures-nothing-of-the-data': driverCase({
    rule: 'What a storage reports to a meter is finite and not negative, under constant names of parts, and its readings work after it was closed.',
    async check(driver, make) {
      const { meter, observed, readings } = recordingMeter()
      await workOn(driver, make, meter, () => assertReadings(readings))
      const names = namesOf(observed, readings)
      // Other rows must not make other names.
      await workOn(driver, make, meter, () => assertReadings(readings))
      assert.deepEqual(namesOf(observed, readings), names, 'other rows have made other names')
      for (const name of names) assert.match(name, /^[a-z_]+ [a-z_]+$/)
      for (const [name, value] of observed) assertAmount(name, value)
      assertReadings(readings)
    },
  }),
})

function recordingMeter() {
  const observed: (readonly [name: string, value: number])[] = []
  const readings = new Map<string, () => number>()
  const meter: Meter = {
    observe: (what, part, value) => void observed.push([`${what} ${part}`, value]),
    gauge: (what, part, read) => void readings.set(`${what} ${part}`, read),
  }
  return { meter, observed, readings }
}

async function workOn(
  driver: FullStorageDriver,
  make: Samples,
  meter: Meter,
  whileOpen: () => void,
): Promise<void> {
  expectOk(await driver.prepare(), 'preparing the place')
  const storage = expectOk(await driver.open({ ...openOptions, meter }), 'opening the storage')
  try {
    const known = expectOk(await storage.keys.list())
    if (known.length === 0) expectOk(await storage.keys.add(sampleKey(kids.writable)), 'adding a key')
    await addLink(storage, make)
    expectOk(await storage.upkeep.canWrite())
    storage.erasure.finish()
    whileOpen()
  } finally {
    await storage.close()
  }
}

function namesOf(
  observed: readonly (readonly [name: string, value: number])[],
  readings: ReadonlyMap<string, () => number>,
): readonly string[] {
  return [...new Set([...observed.map(([name]) => name), ...readings.keys()])].sort()
}

function assertReadings(readings: ReadonlyMap<string, () => number>): void {
  for (const [name, read] of readings) assertAmount(name, read())
}

function assertAmount(name: string, value: number): void {
  assert.ok(Number.isFinite(value) && value >= 0, `${name} is ${value}`)
}
