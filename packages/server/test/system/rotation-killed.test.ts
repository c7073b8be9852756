import { join } from 'node:path'
import t from 'tap'
import { startPostgres } from '../support/postgres.ts'
import { withRaw } from '../support/raw-sqlite.ts'
import { addRows, killAtSteps, readAll } from './support/killed-rotation.ts'

t.test('a killed rotation leaves every row readable, and the next one continues it', async (t) => {
  const cwd = t.testdir()
  const rows = await addRows({ cwd }, 10)
  // The first kills happen between the steps that change keys, the later ones between rows.
  const { kills, unreadable, kids } = await killAtSteps({ cwd }, rows, [4, 5, 6, 7, 9, 8])
  t.ok(kills >= 5, `killed ${kills} times`)
  t.equal(unreadable, 0)
  t.equal(kids.length, 1, 'in the end every row is under one key')
})

t.test('a rotation on PostgreSQL that is killed leaves every row readable, too', async (t) => {
  const { env } = await startPostgres(t)
  const place = { cwd: t.testdir(), env }
  const rows = await addRows(place, 10)
  const { kills, unreadable, kids } = await killAtSteps(place, rows, [4, 5, 6, 7, 9, 8])
  t.ok(kills >= 5, `killed ${kills} times`)
  t.equal(unreadable, 0)
  t.equal(kids.length, 1, 'in the end every row is under one key')
})

t.test('a lost row is counted', async (t) => {
  const cwd = t.testdir()
  const rows = await addRows({ cwd }, 3)
  t.equal(await readAll({ cwd }, rows), 0)
  const database = join(cwd, 'data', 'sotto.sqlite')
  // As a rotation would leave it that changes the key's number without encrypting again.
  withRaw(database, (db) => {
    db.pragma('foreign_keys = OFF')
    db.exec('UPDATE secrets SET kid = 2 WHERE nr = (SELECT min(nr) FROM secrets)')
  })
  t.ok((await readAll({ cwd }, rows)) > 0)
})
