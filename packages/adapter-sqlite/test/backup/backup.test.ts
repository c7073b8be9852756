import { expectErr, expectOk } from '@sotto/test-kit'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test } from 'tap'
import { backUpDatabase } from '../../src/backup/backup.ts'
import { copyOnline } from '../../src/backup/backup-file.ts'
import { open, temporaryDir, tryOpen } from '../support/helpers.ts'
import { addFolder } from '../support/rows.ts'

const nowMicros = 1_800_000_000_000_000

/** A database that is large enough to be copied in several steps. */
async function large(dir: string) {
  const database = await open(dir)
  const { make, folder } = await addFolder(database)
  const insert = () => database.secrets.insert(make.draft(folder), make.note(1_000_000)).then(expectOk)
  for (let count = 0; count < 12; count += 1) await insert()
  return { database, insert }
}

const countIn = (path: string, table: string) => {
  const db = new Sqlite(path, { readonly: true })
  const count = db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
  db.close()
  return count
}

test('a backup that was copied into place is neither opened nor backed up, and not changed', async (t) => {
  const [dir, other] = [temporaryDir(t), temporaryDir(t)]
  await (await open(dir)).close()
  const location = join(other, 'sotto.sqlite')
  expectOk(await backUpDatabase({ dataDir: dir, file: location, nowMicros }))
  const before = readFileSync(location)
  const refused = { code: 'database_is_backup', location }
  t.same(expectErr(await tryOpen(other)), refused)
  t.same(expectErr(await backUpDatabase({ dataDir: other, file: join(dir, 'again'), nowMicros })), refused)
  t.same(readdirSync(other), ['sotto.sqlite'])
  t.same(readFileSync(location), before)
})

test('a backup is the state of the time at which it was begun, whatever is written while it is copied', async (t) => {
  const dir = temporaryDir(t)
  const { database, insert } = await large(dir)
  const file = join(temporaryDir(t), 'backup')
  const writes: PromiseLike<unknown>[] = []
  const steps: number[] = []
  const onProgress = ({ copiedBytes }: { copiedBytes: number }) => {
    steps.push(copiedBytes)
    writes.push(insert())
  }
  const backup = expectOk(await backUpDatabase({ dataDir: dir, file, nowMicros, onProgress }))
  await Promise.all(writes)
  t.ok(steps.length >= 3, `${steps.length} steps`)
  t.same(
    [...steps].sort((one, other) => one - other),
    steps,
    'it never starts again',
  )
  t.equal(backup.contents.drafts, 12)
  t.equal(countIn(file, 'ciphertexts'), 12)
  t.equal(countIn(join(dir, 'sotto.sqlite'), 'ciphertexts'), 12 + writes.length)
  await database.close()
})

test('without a transaction a copy starts again whenever another connection writes', async (t) => {
  const dir = temporaryDir(t)
  const { database, insert } = await large(dir)
  const source = new Sqlite(join(dir, 'sotto.sqlite'))
  const file = join(temporaryDir(t), 'copy')
  const steps: number[] = []
  let writes = 0
  await copyOnline(source, file, ({ copiedBytes }) => {
    steps.push(copiedBytes)
    if (writes++ < 3) void insert()
  })
  source.close()
  t.not(countIn(file, 'ciphertexts'), 12, 'it is a later state')
  await database.close()
})

test('nothing is left of a backup that cannot be made', async (t) => {
  const [dir, target] = [temporaryDir(t), temporaryDir(t)]
  t.match(expectErr(await backUpDatabase({ dataDir: dir, file: join(target, 'b'), nowMicros })), {
    code: 'database_missing',
    location: join(dir, 'sotto.sqlite'),
  })
  writeFileSync(join(dir, 'sotto.sqlite'), 'no database, but long enough to be one'.repeat(50))
  t.match(expectErr(await backUpDatabase({ dataDir: dir, file: join(target, 'b'), nowMicros })), {
    code: 'database_damaged',
  })
  t.same(readdirSync(target), [])
})
