import { join } from 'node:path'
import { createSamples, noonMicros } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { okAsync } from 'neverthrow'
import { test } from 'tap'
import { createAccessTokens } from '../src/access-tokens.ts'
import { createKeyCheck } from '../src/key-check.ts'
import { migrate } from '../src/migrations.ts'
import { mainSchema } from '../src/schema.ts'
import type { Storage } from '../src/storage.ts'
import { okOf, open, temporaryDir } from './helpers.ts'
import { addFolder } from './rows.ts'

const minuteMicros = 60_000_000

test('the use of a token is written at most once a minute, by all processes together', async (t) => {
  const dir = temporaryDir(t)
  const [one, other] = [await open(dir), await open(dir)]
  const { make, folder } = await addFolder(one)
  const token = make.accessToken(folder.accountId)
  const hash = make.tokenHash()
  await okOf(one.accessTokens.insert(token, hash))
  const watch = new Sqlite(join(dir, 'sotto.sqlite'), { readonly: true })
  const lastUsed = async () => {
    // What was queued before it is committed before it.
    await okOf(one.upkeep.canWrite())
    await okOf(other.upkeep.canWrite())
    return watch.prepare('SELECT last_used_at FROM access_tokens').pluck().get()
  }

  one.accessTokens.noteUse(token.id, noonMicros)
  t.equal(await lastUsed(), noonMicros)
  one.accessTokens.noteUse(token.id, noonMicros + minuteMicros - 1)
  t.equal(await lastUsed(), noonMicros, 'this process remembers that it was noted')
  other.accessTokens.noteUse(token.id, noonMicros + minuteMicros - 1)
  t.equal(await lastUsed(), noonMicros, 'another process finds it noted')
  one.accessTokens.noteUse(token.id, noonMicros + minuteMicros)
  t.equal(await lastUsed(), noonMicros + minuteMicros)
  one.accessTokens.noteUse(token.id, noonMicros - minuteMicros)
  t.equal(await lastUsed(), noonMicros - minuteMicros, 'after the clock was set back it is noted again')

  watch.close()
  await Promise.all([one.close(), other.close()])
})

test('a note that could not be written is tried again with the next use', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { make, folder } = await addFolder(database)
  const token = make.accessToken(folder.accountId)
  const hash = make.tokenHash()
  await okOf(database.accessTokens.insert(token, hash))
  const other = new Sqlite(join(dir, 'sotto.sqlite'))
  other.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON access_tokens BEGIN SELECT raise(ABORT, 'no'); END`)
  database.accessTokens.noteUse(token.id, noonMicros)
  await okOf(database.upkeep.canWrite())
  t.equal((await okOf(database.accessTokens.findByHash(hash)))?.lastUsedAtMicros, undefined)
  other.exec('DROP TRIGGER refuse')
  other.close()
  database.accessTokens.noteUse(token.id, noonMicros + 1)
  await okOf(database.upkeep.canWrite())
  t.equal((await okOf(database.accessTokens.findByHash(hash)))?.lastUsedAtMicros, noonMicros + 1)
  await database.close()
})

test('a process remembers what it noted, of ten thousand tokens and no more', (t) => {
  const db = new Sqlite(':memory:')
  migrate(db, mainSchema)
  let writes = 0
  const write = () => {
    writes += 1
    return okAsync()
  }
  const storage = { reader: db, writer: db, write } as unknown as Storage
  const { noteUse } = createAccessTokens(storage, createKeyCheck(storage))
  const make = createSamples(1)
  const first = make.uuid()
  for (let use = 0; use < 3; use += 1) noteUse(first, noonMicros + use)
  t.equal(writes, 1, 'within a minute nothing is even asked of the file')
  for (let token = 0; token < 10_000; token += 1) noteUse(make.uuid(), noonMicros)
  noteUse(first, noonMicros + 3)
  t.equal(writes, 10_002, 'the first was forgotten for the last')
  db.close()
  t.end()
})
