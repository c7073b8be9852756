import { readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import t from 'tap'
import { addRows, killAtSteps, readAll } from '../../campaigns/rotation/kills.ts'
import { databaseOf, placeIn } from '../../campaigns/support/place.ts'
import { startPostgres } from '../../campaigns/support/postgres.ts'

// Promise (Sealed at rest): A rotation that is killed leaves every row readable
t.test('a killed rotation leaves every row readable, and the next one continues it', async (t) => {
  const place = placeIn(t.testdir())
  const rows = await addRows(place, 10)
  // The first kills happen between the steps that change keys, the later ones between rows.
  const { kills, unreadable, kids } = await killAtSteps(place, rows, [4, 5, 6, 7, 9, 8])
  t.ok(kills >= 5, `killed ${kills} times`)
  t.equal(unreadable, 0)
  t.equal(kids.length, 1, 'in the end every row is under one key')
})

t.test('a rotation on PostgreSQL that is killed leaves every row readable, too', async (t) => {
  const database = await startPostgres()
  t.teardown(() => database.stop())
  const place = placeIn(t.testdir(), await database.newSettings())
  const rows = await addRows(place, 10)
  const { kills, unreadable, kids } = await killAtSteps(place, rows, [4, 5, 6, 7, 9, 8])
  t.ok(kills >= 5, `killed ${kills} times`)
  t.equal(unreadable, 0)
  t.equal(kids.length, 1, 'in the end every row is under one key')
})

t.test('a lost file and a lost row are counted', async (t) => {
  const place = placeIn(t.testdir())
  const rows = await addRows(place, 3)
  t.equal(await readAll(place, rows), 0)
  const files = filesIn(join(place.settings.dataDir, 'files'))
  for (const file of files) truncateSync(file, 20)
  t.equal(await readAll(place, rows), 2, 'with either ticket')
  const db = new Sqlite(databaseOf(place))
  // This is what a rotation would leave that changes the key's number without encrypting again.
  db.pragma('foreign_keys = OFF')
  db.exec('UPDATE secrets SET kid = 2 WHERE nr = (SELECT min(nr) FROM secrets)')
  db.close()
  t.ok((await readAll(place, rows)) > 2)
})

function filesIn(directory: string): readonly string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true })
  return entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
}
