import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { checkBackup, checkCopy, startWriter } from '../../campaigns/backup/check.ts'
import { placeIn } from '../../campaigns/support/place.ts'

// Promise (Sealed at rest): A backup is the state of one point in time
t.test('a backup that is made while another process writes is the state of one point in time', async (t) => {
  const place = placeIn(t.testdir())
  const scratch = join(place.directory, 'scratch')
  mkdirSync(scratch)
  const writer = await startWriter(place)
  t.teardown(() => writer.stop())
  for (let number = 0; number < 5; number += 1) {
    const before = writer.acknowledged()
    t.strictSame(await checkBackup(place, writer, scratch), [], `backup ${number}`)
    t.ok(writer.acknowledged() > before, 'the writer went on writing')
  }
})

t.test('a copy of the file that is made in the same way is not, and the check notices it', async (t) => {
  const place = placeIn(t.testdir())
  const writer = await startWriter(place)
  t.teardown(() => writer.stop())
  let errors: readonly string[] = []
  for (let tries = 0; errors.length === 0 && tries < 20; tries += 1) errors = await checkCopy(place, writer)
  t.ok(errors.length > 0)
})
