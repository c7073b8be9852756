import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredFolder, StoredShareableSecret } from '@sotto/core'
import { createSeededRandom, expectOk, noonMicros, type Samples } from '@sotto/test-kit'
import { test, type Test } from 'tap'
import type { Database } from '../../src/database.ts'
import { open, reportNothing, temporaryDir } from '../support/helpers.ts'
import { createManualTimers } from '../support/manual-timers.ts'
import { addFolder, addLink } from '../support/rows.ts'

/** Secrets that are there already, and those whose commit is measured. */
const stored = 8_000
const measured = 64
const secondMicros = 1_000_000

test('lookups in the order of time write fewer than half the pages of random ones', async (t) => {
  const random = createSeededRandom(5)
  const ordered = (at: number) => {
    const lookup = random.bytes(32)
    Buffer.from(lookup.buffer, lookup.byteOffset).writeUInt32BE(noonMicros / secondMicros + at)
    return lookup
  }
  const pages = {
    ordered: await pagesPerCommit(t, ordered),
    random: await pagesPerCommit(t, () => random.bytes(32)),
  }
  t.ok(pages.ordered * 2 < pages.random, `${pages.ordered} pages and ${pages.random} pages`)
})

/** Pages in the write-ahead log after one commit of secrets, in a file that has many already. */
async function pagesPerCommit(t: Test, lookupOf: (at: number) => Uint8Array): Promise<number> {
  const dir = temporaryDir(t)
  const database = await open(dir, { timers: createManualTimers() })
  const { make, folder } = await addFolder(database)
  for (let at = 0; at < stored; at += 500) await insertAll(database, make, folder, at, 500, lookupOf)
  t.ok(database.erasure.finish(), 'the log is empty')
  await insertAll(database, make, folder, stored, measured, lookupOf)
  const bytes = statSync(join(dir, 'sotto.sqlite-wal')).size
  await database.close()
  return (bytes - walHeaderBytes) / walFrameBytes
}

/** File format, 4.1: a header of 32 bytes, then frames of a header of 24 bytes and a page. */
const walHeaderBytes = 32
const walFrameBytes = 24 + 4_096

async function insertAll(
  { secrets }: Database,
  make: Samples,
  folder: StoredFolder,
  first: number,
  count: number,
  lookupOf: (at: number) => Uint8Array,
): Promise<void> {
  const secretAt = (at: number): StoredShareableSecret => {
    const createdAtMicros = noonMicros + at * secondMicros
    const link = { ...make.link(createdAtMicros), lookup: lookupOf(at) }
    return make.secret(folder, undefined, { link, createdAtMicros })
  }
  const inserted = Array.from({ length: count }, (_, at) => secrets.insert(secretAt(first + at), make.note()))
  for (const each of await Promise.all(inserted)) expectOk(each)
}

test('how long a secret lives is not a rule of the schema', async (t) => {
  const database = await open(temporaryDir(t))
  const { make, folder } = await addFolder(database)
  const lives = [1, 3_600, 86_400, 90 * 86_400].map((seconds) => seconds * secondMicros)
  const secrets = lives.map((micros, at) => {
    const createdAtMicros = noonMicros - at
    const link = { ...make.link(createdAtMicros), expiresAtMicros: createdAtMicros + micros }
    return make.secret(folder, undefined, { link })
  })
  for (const secret of secrets) expectOk(await database.secrets.insert(secret, make.note()))
  const { accountId } = folder
  const listed = async (nowMicros: number) =>
    expectOk(await database.secrets.page({ accountId, nowMicros }, undefined, 10)).map(({ id }) => id)
  t.same(
    await listed(noonMicros),
    secrets.map(({ id }) => id),
    'newest link first, whenever they expire',
  )
  t.same(
    await listed(noonMicros + 2 * secondMicros),
    secrets.slice(1).map(({ id }) => id),
  )
  t.equal(
    expectOk(await database.secrets.eraseExpired(noonMicros + 86_400 * secondMicros, 10, reportNothing)),
    3,
  )
  t.same(await listed(noonMicros), [secrets[3]!.id])
  await database.close()
})

test('a lookup has 32 bytes and belongs to one secret', async (t) => {
  const database = await open(temporaryDir(t))
  const { make, folder, secret } = await addLink(database)
  const insert = async (lookup: Uint8Array) => {
    const link = { ...make.link(), lookup }
    const inserted = await database.secrets.insert(make.secret(folder, undefined, { link }), make.note())
    return inserted.isOk() ? 'inserted' : inserted.error.code
  }
  t.equal(await insert(secret.link.lookup), 'storage_failed')
  t.equal(await insert(make.bytes(31)), 'storage_failed')
  t.equal(await insert(make.bytes(32)), 'inserted')
  await database.close()
})

test('an open limit is positive or absent', async (t) => {
  const database = await open(temporaryDir(t))
  const { make, folder } = await addFolder(database)
  const insert = async (openLimit: number | undefined) => {
    const secret = make.secret(folder, undefined, { openLimit })
    const inserted = await database.secrets.insert(secret, make.note())
    const found = expectOk(await database.secrets.find(folder.accountId, secret.id, noonMicros))
    return inserted.isOk() ? found?.openLimit : inserted.error.code
  }
  t.equal(await insert(undefined), undefined)
  t.equal(await insert(1), 1)
  t.equal(await insert(0), 'storage_failed')
  await database.close()
})
