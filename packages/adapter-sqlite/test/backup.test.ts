import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { err, ok } from 'neverthrow'
import { test } from 'tap'
import { backUpDatabase } from '../src/backup.ts'
import { contentsOf } from '../src/contents.ts'
import { copyOnline } from '../src/copy-online.ts'
import { restoreDatabase } from '../src/restore.ts'
import { errOf, okOf, open, temporaryDir } from './helpers.ts'
import { addFolder } from './rows.ts'

const nowMicros = 1_800_000_000_000_000

/** A database large enough that copying it takes several steps. */
async function large(dir: string) {
  const database = await open(dir)
  const { make, folder } = await addFolder(database)
  const insert = () => okOf(database.secrets.insert(make.draft(folder), make.note(1_000_000)))
  for (let count = 0; count < 12; count += 1) await insert()
  return { database, insert }
}

const countIn = (path: string, table: string) => {
  const db = new Sqlite(path, { readonly: true })
  const count = db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
  db.close()
  return count
}

test('a backup is the state of the moment at which it was begun, whatever is written while it is copied', async (t) => {
  const dir = temporaryDir(t)
  const { database, insert } = await large(dir)
  const file = join(temporaryDir(t), 'backup')
  const writes: Promise<unknown>[] = []
  const steps: number[] = []
  const onProgress = ({ copiedBytes }: { copiedBytes: number }) => {
    steps.push(copiedBytes)
    writes.push(insert())
  }
  const backup = await okOf(backUpDatabase({ dataDir: dir, file, nowMicros, onProgress }))
  await Promise.all(writes)
  t.ok(steps.length >= 3, `${steps.length} steps`)
  t.same(
    [...steps].sort((one, other) => one - other),
    steps,
    'it never begins anew',
  )
  t.equal(backup.contents.drafts, 12)
  t.equal(countIn(file, 'ciphertexts'), 12)
  t.equal(countIn(join(dir, 'sotto.sqlite'), 'ciphertexts'), 12 + writes.length)
  await database.close()
})

test('without a transaction a copy begins anew whenever another connection writes', async (t) => {
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
  t.not(countIn(file, 'ciphertexts'), 12, 'it is the state of a later moment')
  await database.close()
})

test('nothing is left of a backup that cannot be made', async (t) => {
  const [dir, target] = [temporaryDir(t), temporaryDir(t)]
  t.match(await errOf(backUpDatabase({ dataDir: dir, file: join(target, 'b'), nowMicros })), {
    code: 'database_missing',
  })
  writeFileSync(join(dir, 'sotto.sqlite'), 'no database, but long enough to be looked at'.repeat(50))
  t.match(await errOf(backUpDatabase({ dataDir: dir, file: join(target, 'b'), nowMicros })), {
    code: 'database_damaged',
  })
  t.same(readdirSync(target), [])
})

test('a restore asks about the keys before anything is written, and goes no further when they do not fit', async (t) => {
  const [dir, target] = [temporaryDir(t), temporaryDir(t)]
  const database = await open(dir)
  await addFolder(database)
  await okOf(database.keys.add({ kid: 7, checkValue: Buffer.from('unused'), createdAtMicros: 0 }))
  await database.close()
  const file = join(target, 'b')
  await okOf(backUpDatabase({ dataDir: dir, file, nowMicros }))
  const dataDir = join(target, 'deep', 'data')
  const restore = { file, dataDir, nowMicros, keepLimited: false, keepTokens: false }
  const refused = restoreDatabase({
    ...restore,
    checkKeys: ({ instanceId, keys }) => {
      t.same(instanceId, database.instanceId)
      t.match(keys, [
        { kid: 1, checkValue: Buffer.alloc(16, 1), isUsed: true },
        { kid: 7, checkValue: Buffer.from('unused'), isUsed: false },
      ])
      t.same(readdirSync(target), ['b'])
      return err({ code: 'not_mine' as const })
    },
  })
  t.same(await errOf(refused), { code: 'not_mine' })
  t.same(readdirSync(target), ['b'])
  await okOf(restoreDatabase({ ...restore, checkKeys: () => ok([1]) }))
  t.same(readdirSync(dataDir), ['sotto.sqlite'])
  t.equal(statSync(dataDir).mode & 0o777, 0o700)
  const restored = await open(dataDir)
  t.match(
    await okOf(restored.keys.list()),
    [{ kid: 1 }],
    'a key that is not at hand and not used is forgotten',
  )
  t.same((await okOf(restored.upkeep.inspect())).faults, [])
  await restored.close()
})

test('the backup itself is not changed by a restore, and can be restored again', async (t) => {
  const [dir, target] = [temporaryDir(t), temporaryDir(t)]
  const database = await open(dir)
  await addFolder(database)
  await database.close()
  const file = join(target, 'b')
  await okOf(backUpDatabase({ dataDir: dir, file, nowMicros }))
  const before = readFileSync(file)
  for (const place of ['one', 'other']) {
    const dataDir = join(target, place)
    const checkKeys = () => ok([1])
    await okOf(
      restoreDatabase({ file, dataDir, nowMicros, keepLimited: false, keepTokens: false, checkKeys }),
    )
    t.ok(before.equals(readFileSync(file)))
  }
  const db = new Sqlite(file, { readonly: true })
  t.match(contentsOf(db, nowMicros), { accounts: 1, folders: 1, kids: [1] })
  db.close()
})
