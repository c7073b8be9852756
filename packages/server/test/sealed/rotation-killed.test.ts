import { join } from 'node:path'
import t from 'tap'
import { addRows, killAtSteps, readAll } from './support/killed-rotation.ts'
import { withRaw } from './support/sqlite.ts'

t.test('a rotation that is killed at any step leaves every row readable, and goes on', async (t) => {
  const cwd = t.testdir()
  const rows = await addRows(cwd, 10)
  // Each kill lets a little more be done; the first ones fall between the steps that change keys, the later ones between rows.
  const { kills, unreadable, kids } = await killAtSteps(cwd, rows, [4, 5, 6, 7, 9, 8])
  t.ok(kills >= 5, `killed ${kills} times`)
  t.equal(unreadable, 0)
  t.equal(kids.length, 1, 'everything is under one key in the end')
})

t.test('a row that was lost would be counted', async (t) => {
  const cwd = t.testdir()
  const rows = await addRows(cwd, 3)
  t.equal(await readAll(cwd, rows), 0)
  const database = join(cwd, 'data', 'sotto.sqlite')
  // What a rotation would leave that puts rows under another key by name only.
  withRaw(database, (db) => {
    db.pragma('foreign_keys = OFF')
    db.exec('UPDATE secrets SET kid = 2 WHERE nr = (SELECT min(nr) FROM secrets)')
  })
  t.ok((await readAll(cwd, rows)) > 0)
})
