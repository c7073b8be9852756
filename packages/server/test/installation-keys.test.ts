import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createManualClock, expectErr } from '@sotto/test-kit'
import { errAsync } from 'neverthrow'
import t from 'tap'
import { prepareKeyFile } from '../src/installation-keys.ts'

t.test('while nobody knows whether there is data, no key file is made', async (t) => {
  const cwd = t.testdir()
  const unreachable = { code: 'database_unreachable', location: 'there', detail: 'no answer' } as const
  const driver = { hasData: () => errAsync(unreachable), prepare: () => errAsync(unreachable) }
  const prepared = await prepareKeyFile({
    driver,
    keysFile: join(cwd, 'keys.json'),
    clock: createManualClock(0),
  })
  t.equal(expectErr(prepared).code, 'database_unreachable')
  t.strictSame(readdirSync(cwd), [])
})
