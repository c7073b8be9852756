import { lastUseEveryMicros } from '@sotto/core'
import { join } from 'node:path'
import { createSamples, expectOk, noonMicros } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { okAsync } from 'neverthrow'
import { test } from 'tap'
import { createEngine } from '../../src/engine/engine.ts'
import { createAccessTokens } from '../../src/access-tokens/access-tokens.ts'
import { migrate } from '../../src/connection/migrations.ts'
import { mainSchema } from '../../src/tables/schema.ts'
import type { Connections } from '../../src/connection/connections.ts'
import { open, temporaryDir } from '../support/helpers.ts'
import { addFolder } from '../support/rows.ts'

test('the use of a token is recorded at most once a minute, by all processes together', async (t) => {
  const dir = temporaryDir(t)
  const [one, other] = [await open(dir), await open(dir)]
  const { make, folder } = await addFolder(one)
  const token = make.accessToken(folder.accountId)
  const digest = make.tokenDigest()
  expectOk(await one.accessTokens.insert(token, digest))
  const watch = new Sqlite(join(dir, 'sotto.sqlite'), { readonly: true })
  const lastUsed = async () => {
    // What was queued before this write is committed before it.
    expectOk(await one.upkeep.canWrite())
    expectOk(await other.upkeep.canWrite())
    return watch.prepare('SELECT last_used_at FROM access_tokens').pluck().get()
  }

  one.accessTokens.recordUse(token.id, noonMicros)
  t.equal(await lastUsed(), noonMicros)
  one.accessTokens.recordUse(token.id, noonMicros + lastUseEveryMicros - 1)
  t.equal(await lastUsed(), noonMicros, 'this process remembers that it was recorded')
  other.accessTokens.recordUse(token.id, noonMicros + lastUseEveryMicros - 1)
  t.equal(await lastUsed(), noonMicros, 'another process finds it recorded')
  one.accessTokens.recordUse(token.id, noonMicros + lastUseEveryMicros)
  t.equal(await lastUsed(), noonMicros + lastUseEveryMicros)
  one.accessTokens.recordUse(token.id, noonMicros - lastUseEveryMicros)
  t.equal(
    await lastUsed(),
    noonMicros - lastUseEveryMicros,
    'after the clock was set back it is recorded again',
  )

  watch.close()
  await Promise.all([one.close(), other.close()])
})

test('a use that could not be recorded is recorded with the next one', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const { make, folder } = await addFolder(database)
  const token = make.accessToken(folder.accountId)
  const digest = make.tokenDigest()
  expectOk(await database.accessTokens.insert(token, digest))
  const other = new Sqlite(join(dir, 'sotto.sqlite'))
  other.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON access_tokens BEGIN SELECT raise(ABORT, 'no'); END`)
  database.accessTokens.recordUse(token.id, noonMicros)
  expectOk(await database.upkeep.canWrite())
  t.equal(expectOk(await database.accessTokens.findUsable(digest, noonMicros))?.lastUsedAtMicros, undefined)
  other.exec('DROP TRIGGER refuse')
  other.close()
  database.accessTokens.recordUse(token.id, noonMicros + 1)
  expectOk(await database.upkeep.canWrite())
  t.equal(
    expectOk(await database.accessTokens.findUsable(digest, noonMicros))?.lastUsedAtMicros,
    noonMicros + 1,
  )
  await database.close()
})

test('a process remembers the last use of ten thousand tokens and no more', (t) => {
  const db = new Sqlite(':memory:')
  migrate(db, mainSchema)
  let writes = 0
  const write = () => {
    writes += 1
    return okAsync()
  }
  const connections = { db, write } as unknown as Connections
  const { recordUse } = createAccessTokens(connections, createEngine(connections))
  const make = createSamples(1)
  const first = make.uuid()
  for (let use = 0; use < 3; use += 1) recordUse(first, noonMicros + use)
  t.equal(writes, 1, 'within a minute nothing is even queued')
  for (let token = 0; token < 10_000; token += 1) recordUse(make.uuid(), noonMicros)
  recordUse(first, noonMicros + 3)
  t.equal(writes, 10_002, 'the first was forgotten in favour of the last')
  db.close()
  t.end()
})
