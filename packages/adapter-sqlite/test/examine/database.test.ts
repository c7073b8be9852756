import { join } from 'node:path'
import { expectOk } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { addKey, open, temporaryDir, wrongIn } from '../support/helpers.ts'
import { createManualTimers } from '../support/manual-timers.ts'
import { addFolder } from '../support/rows.ts'

test('a sound database is well in every check', async (t) => {
  const database = await open(temporaryDir(t))
  await addKey(database, 1)
  t.match(await database.upkeep.examine(), [
    { check: 'database', ok: true, text: /^it is sound, of version \d+, and has [\d.]+ kB$/ },
    {
      check: 'pragmas',
      ok: true,
      text: 'journal_mode=wal synchronous=2 busy_timeout=0 foreign_keys=1 secure_delete=1 trusted_schema=0 cell_size_check=1 page_size=4096',
    },
    { check: 'erasure', ok: true, text: 'nothing that was erased is left in the write-ahead log' },
  ])
  await database.close()
})

test('a row that refers to none is corruption, and the database can still be written', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const other = new Sqlite(join(dir, 'sotto.sqlite'))
  other.pragma('foreign_keys = OFF')
  other.exec(`INSERT INTO long_notes (nr, fill, note) VALUES (9, zeroblob(4061), x'00')`)
  other.close()
  t.same(await wrongIn(database), [
    'database: it is corrupted (a row of long_notes refers to none of secrets): restore a backup',
  ])
  expectOk(await database.upkeep.canWrite())
  await database.close()
})

test('a database that cannot be written is found', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const other = new Sqlite(join(dir, 'sotto.sqlite'))
  other.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON meta BEGIN SELECT raise(ABORT, 'no'); END`)
  other.close()
  t.same(await wrongIn(database), ['database: it cannot be written (SQLITE_CONSTRAINT_TRIGGER: no)'])
  await database.close()
})

test('a reader that keeps erased data in the log is found after three seconds', async (t) => {
  const dir = temporaryDir(t)
  const timers = createManualTimers()
  const database = await open(dir, { timers })
  await addFolder(database)
  const reader = new Sqlite(join(dir, 'sotto.sqlite'), { readonly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM secrets').get()
  let found: readonly string[] | undefined
  const wrong = wrongIn(database).then((texts) => (found = texts))
  while (found === undefined) {
    await new Promise((resolve) => setImmediate(resolve))
    timers.pass(100)
  }
  t.match(await wrong, [/^erasure: what was erased may be left in the write-ahead log/])
  t.ok(timers.nowMillis() >= 3_000)
  reader.close()
  await database.close()
})
