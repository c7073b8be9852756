import type { Gauged } from '@sotto/core'
import { expectOk, noonMicros } from '@sotto/test-kit'
import { postgresDriver } from '../../src/identity.ts'

/** Opens the database of the URL in the first argument, uses it, and closes nothing. Prints how many connections are open when it ends. */
const [, , url = ''] = process.argv
const gauges = new Map<string, () => number>()
const meter = {
  observe: () => undefined,
  gauge: (what: Gauged, part: string, read: () => number) => void gauges.set(`${what} ${part}`, read),
}
const driver = postgresDriver({ url })
const storage = expectOk(await driver.open({ onFatal: () => undefined, log: () => undefined, meter }))
expectOk(await storage.accounts.page(undefined, 1))
expectOk(await storage.quota.take('account', noonMicros, { perMinute: 9, perDay: 9 }))
process.on('exit', () => {
  const open = ['data', 'quota'].map((part) => gauges.get(`connections_open ${part}`)?.())
  process.stdout.write(JSON.stringify(open))
})
