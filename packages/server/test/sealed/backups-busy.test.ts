import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { backUpAndJudge, copyAndJudge, startWriter } from './support/busy-backups.ts'

t.test('backups that are made while another process writes are the state of one moment each', async (t) => {
  const cwd = t.testdir()
  const scratch = join(cwd, 'scratch')
  mkdirSync(scratch)
  const writer = await startWriter(cwd)
  t.teardown(() => writer.stop())
  for (let number = 0; number < 5; number += 1) {
    const before = writer.acknowledged()
    t.strictSame(await backUpAndJudge(cwd, writer, scratch), [], `backup ${number}`)
    t.ok(writer.acknowledged() > before, 'the writer was not kept from writing')
  }
})

t.test('a copy of the file that is made meanwhile is not, and is found out', async (t) => {
  const cwd = t.testdir()
  const writer = await startWriter(cwd)
  t.teardown(() => writer.stop())
  let faults: readonly string[] = []
  for (let tries = 0; faults.length === 0 && tries < 20; tries += 1) {
    faults = await copyAndJudge(cwd, writer, cwd)
  }
  t.ok(faults.length > 0)
})
