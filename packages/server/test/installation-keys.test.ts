import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createManualClock, createMemoryDriver, expectErr } from '@sotto/test-kit'
import t from 'tap'
import { prepareKeyFile } from '../src/installation-keys.ts'

t.test('while nobody knows whether there is data, no key file is made', async (t) => {
  const cwd = t.testdir()
  const { hasData } = createMemoryDriver({ isReachable: () => false })
  const driver = { ...createMemoryDriver(), hasData }
  const prepared = await prepareKeyFile({
    driver,
    keysFile: join(cwd, 'keys.json'),
    clock: createManualClock(0),
  })
  t.equal(expectErr(prepared).code, 'database_unreachable')
  t.strictSame(readdirSync(cwd), [])
})
