// Restores a backup, or, with the argument `control`, makes SQLite use a temporary file. See restore-files.test.ts.
import { expectOk } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { ok } from 'neverthrow'
import { restoreDatabase } from '../../src/backup/restore.ts'

const [what = '', dataDir = ''] = process.argv.slice(2)

if (what === 'control') {
  const db = new Sqlite(dataDir)
  for (const pragma of ['temp_store = FILE', 'temp.cache_size = 10']) db.pragma(pragma)
  db.exec(`CREATE TEMP TABLE numbers AS
    WITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT i, randomblob(1000) FROM n`)
  db.close()
} else {
  const choices = { keepLimited: false, keepTokens: false, nowMicros: 1_800_000_000_000_000 }
  const checkKeys = () => ok([1])
  const restored = expectOk(await restoreDatabase({ ...choices, file: what, dataDir, checkKeys }))
  console.log(JSON.stringify(restored))
}
