import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { ok, okAsync } from 'neverthrow'
import { test } from 'tap'
import {
  noAttempts,
  secretLifetimeMicros,
  type StoredNote,
  type StoredSecret,
  type StoredWrappedKey,
} from '@sotto/core'
import { createSamples, expectOk } from '@sotto/test-kit'
import { createDropDeadRows, deadRows, distance, droppable } from '../../src/secrets/dead-rows.ts'
import type { Database } from '../../src/database.ts'
import { addKey, open, reportNothing, temporaryDir, wrongIn } from '../support/helpers.ts'
import { createManualTimers } from '../support/manual-timers.ts'
import { addFolder } from '../support/rows.ts'
import { survivorsIn } from '../support/search.ts'

// Promise (Sealed at rest): Erased data is in no file after a minute: however rows are moved
test('erased ciphertexts are in no file, however rows grow, move and go', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir, { timers: createManualTimers() })
  const { live, erased } = await useDatabase(database, 60)
  t.ok(database.erasure.finish())
  await database.close()
  t.ok(erased.length > 3_000, `${erased.length} ciphertexts were erased`)
  t.equal(survivorsIn(dir, live).size, live.length, 'the search finds every ciphertext that is in use')
  t.same([...survivorsIn(dir, erased)], [])
})

test('the same search finds heads whose rows were moved before they were erased', (t) => {
  const survivors = eraseInFile(temporaryDir(t), 7, ({ file, order, from }) => {
    const grow = file.prepare("UPDATE heads SET more = printf('%.*c', ?, 'x') WHERE nr = ?")
    const erase = file.prepare('DELETE FROM heads WHERE nr = ?')
    file.transaction(() => order.forEach((nr) => grow.run((nr * 37) % 120, nr)))()
    for (const nr of order.slice(from)) erase.run(nr)
  })
  t.ok(survivors > 0, 'though SQLite overwrites what it deletes')
  t.end()
})

test('rows of zeros are deleted only far from rows in use, which would be copied if they were near', (t) => {
  const survivorsWith = (keep: number, seed: number) =>
    eraseInFile(temporaryDir(t), seed, ({ file, order, from }) => {
      const isDead = new Set<number>()
      const zero = file.prepare('UPDATE heads SET head = zeroblob(length(head)) WHERE nr = ?')
      const drop = file.prepare('DELETE FROM heads WHERE nr BETWEEN ? AND ?')
      const left = file.prepare<[], [number, number]>('SELECT nr, length(head) FROM heads ORDER BY nr').raw()
      for (const [at, nr] of order.entries()) {
        if (at < from) continue
        zero.run(nr)
        isDead.add(nr)
        if (at % 25 > 0) continue
        const rows = left.all().map(([nr, bytes]): DeadRow => [nr, Number(isDead.has(nr)), bytes])
        for (const { first, last } of droppable(rows, true, keep)) drop.run(first, last)
      }
    })
  const seeds = [3, 12, 19]
  const left = (keep: number) => seeds.reduce((sum, seed) => sum + survivorsWith(keep, seed), 0)
  t.ok(left(0) > 0)
  t.equal(left(distance), 0)
  t.end()
})

test('rows of erased secrets are deleted, and a number is never used twice', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir, { timers: createManualTimers() })
  const { make, folder } = await addFolder(database)
  const note = make.note(300)
  const insert = (draft: StoredSecret) => database.secrets.insert(draft, note).then(expectOk)
  const file = new Sqlite(join(dir, 'sotto.sqlite'), { readonly: true })
  const ask = (sql: string) => file.prepare<[], number>(sql).pluck().get()
  const drafts = Array.from({ length: 390 }, () => make.draft(folder))
  const remaining = Math.ceil(
    distance / (drafts[0]!.headCiphertext.length + note.wrappedKey.length + note.note.length),
  )
  await Promise.all(drafts.map(insert))
  const others = drafts.filter((_, at) => at !== 5)
  await Promise.all(others.map(({ accountId, id }) => database.drafts.erase(accountId, id).then(expectOk)))

  expectOk(await database.secrets.eraseExpired(0, 1, reportNothing))
  t.equal(ask('SELECT count(*) FROM ciphertexts'), 6 + 2 * remaining, 'those near a row in use stay')
  expectOk(await database.drafts.erase(folder.accountId, drafts[5]!.id))
  expectOk(await database.secrets.eraseExpired(0, 1, reportNothing))
  t.equal(ask('SELECT count(*) FROM ciphertexts'), remaining)
  const next = make.draft(folder)
  await insert(next)
  t.equal(ask('SELECT max(nr) FROM secrets'), drafts.length + 1)
  t.same(await wrongIn(database), [])
  file.close()
  await database.close()
})

test('many rows of erased secrets are deleted by one sweep, in short transactions that let other writes through', async (t) => {
  const dir = temporaryDir(t)
  const database = await open(dir)
  const file = new Sqlite(join(dir, 'sotto.sqlite'))
  file.exec(`INSERT INTO ciphertexts (nr, head, wrap, note)
    WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
    SELECT i, zeroblob(300), zeroblob(120), zeroblob(450) FROM n`)
  const left = file.prepare<[], number>('SELECT count(*) FROM ciphertexts').pluck()
  const state = { isDone: false }
  const erasing = database.secrets.eraseExpired(0, 1, reportNothing).then((erased) => {
    state.isDone = true
    return expectOk(erased)
  })
  const seen: number[] = [left.get()!]
  while (!state.isDone) {
    expectOk(await database.upkeep.canWrite())
    seen.push(left.get()!)
  }
  await erasing
  t.ok(left.get()! < 3_000, `${left.get()} of 12,000 are left`)
  const most = Math.max(...seen.slice(1).map((count, at) => seen[at]! - count))
  t.ok(most <= 2 * 400, `another write waits for the deletion of ${most} rows at most`)
  file.close()
  await database.close()
})

test('where there is little to delete, the rest is left to another time', async (t) => {
  const looked: number[] = []
  const rows = (after: number) => Array.from({ length: 400 }, (_, at): DeadRow => [after + at + 1, 0, 900])
  const statement = { raw: () => ({ all: (after: number) => (looked.push(after), rows(after)) }) }
  const db = { prepare: () => statement } as unknown as Sqlite.Database
  const connections = {
    db,
    read: <T>(query: () => T) => okAsync(query()),
    write: () => t.fail('nothing to write') as never,
    erased: () => undefined,
  }
  const drop = createDropDeadRows(connections, deadRows[0]!)
  expectOk(await drop())
  t.equal(looked.length, 50)
  expectOk(await drop())
  t.equal(looked[50], 50 * 400, 'and begins where this one ended')
})

test('of the rows that were read, those may be deleted that are far from any in use', (t) => {
  const rows = (...lengths: readonly number[]) =>
    lengths
      .flatMap((length, at) => Array.from({ length }, () => at % 2))
      .map((isDead, at): DeadRow => [at + 1, isDead, 96])
  const keep = distance / 96
  const run = (first: number, last: number) => ({ first, last })
  t.same(droppable([], true), [])
  t.same(droppable(rows(500), true), [], 'all in use')
  t.same(droppable(rows(0, 2_000), true), [run(1, 2_000 - keep)], 'none in use')
  t.same(droppable(rows(0, 2_000), false), [run(keep + 1, 2_000 - keep)], 'none of these in use')
  t.same(droppable(rows(1, 2 * keep, 1), true), [])
  t.same(droppable(rows(1, 2 * keep + 1, 1), true), [run(keep + 2, keep + 2)])
  t.same(droppable(rows(1, 2 * keep + 1, 1), false), [run(keep + 2, keep + 2)])
  t.same(droppable(rows(0, keep), true), [])
  t.same(droppable(rows(0, keep + 1, 1), true), [run(1, 1)])
  t.same(droppable(rows(3, 700, 2, 800, 4), false), [
    run(4 + keep, 703 - keep),
    run(706 + keep, 1_505 - keep),
  ])
  t.end()
})

type DeadRow = [nr: number, isDead: number, bytes: number]

/** Heads in a table of a file, and the order in which to erase those from `from` on. */
interface Erasing {
  readonly file: Sqlite.Database
  readonly order: readonly number[]
  readonly from: number
}

/** How many heads can still be found in a file after `erase` has erased them. */
function eraseInFile(dir: string, seed: number, erase: (erasing: Erasing) => void): number {
  const file = new Sqlite(join(dir, 'heads.sqlite'))
  for (const pragma of ['journal_mode = WAL', 'secure_delete = ON', 'synchronous = OFF']) file.pragma(pragma)
  file.exec('CREATE TABLE heads (nr INTEGER PRIMARY KEY, head BLOB, more TEXT)')
  const below = createDice(seed)
  const make = createSamples(seed)
  const heads = Array.from({ length: 3_000 }, () => make.ciphertext(66 + (64 << below(3))))
  const insert = file.prepare('INSERT INTO heads VALUES (?, ?, NULL)')
  file.transaction(() => heads.forEach((head, nr) => insert.run(nr, head)))()
  const order = heads.map((_, nr) => [below(1 << 30), nr] as const).sort(([one], [other]) => one - other)
  const from = 300
  const nrs = order.map(([, nr]) => nr)
  erase({ file, order: nrs, from })
  file.pragma('wal_checkpoint(TRUNCATE)')
  file.close()
  return survivorsIn(
    dir,
    nrs.slice(from).map((nr) => heads[nr]!),
  ).size
}

/** Pseudorandom whole numbers, the same each time. */
function createDice(seed = 7): (bound: number) => number {
  return (bound) => (seed = (seed * 48_271) % 2_147_483_647) % bound
}

interface Row {
  readonly secret: StoredSecret
  /** `undefined` once it is destroyed. */
  readonly note: StoredNote | undefined
}

const ciphertextsOf = ({ secret, note }: Row) => [
  secret.headCiphertext,
  ...(note ? [note.wrappedKey, note.note] : []),
]

interface Used {
  /** Heads, wrapped keys and notes that are still in use, and those that are not. */
  readonly live: readonly Uint8Array[]
  readonly erased: readonly Uint8Array[]
}

/** Creates, shares, opens, rewraps, deletes and sweeps secrets of all sizes, in an arbitrary order. */
async function useDatabase(database: Database, rounds: number): Promise<Used> {
  const { make, folder } = await addFolder(database)
  // With these numbers a row under another key is longer than before.
  const kids = [1, 2, 200, 40_000]
  for (const kid of kids.slice(1)) await addKey(database, kid)
  const below = createDice()
  const rows = new Map<string, Row>()
  const erased: Uint8Array[] = []
  const any = () => [...rows.values()][below(rows.size)]!
  const gone = (row: Row) => {
    rows.delete(row.secret.id)
    erased.push(...ciphertextsOf(row))
  }
  const headLength = () => 66 + (64 << below(5))
  /** Some fit into `ciphertexts`, some do not. */
  const noteLength = () => 33 + (256 << below(4))
  const timeOfSharing = () => 1 + below(rounds * 10)

  async function open(row: Row, lookup: Uint8Array): Promise<void> {
    const destroyNote = below(2) === 0
    const attempts = { ...noAttempts, wrongAtMicros: Array.from({ length: below(5) }, () => 1e15) }
    const change = { opens: 1 + below(300), attempts, destroyNote }
    expectOk(await database.links.update(lookup, undefined, () => ok(change)))
    if (!destroyNote || row.note === undefined) return
    erased.push(row.note.wrappedKey, row.note.note)
    rows.set(row.secret.id, { secret: row.secret, note: undefined })
  }

  async function share({ secret, note }: Row, kid: number): Promise<void> {
    const { id, accountId, headCiphertext } = secret
    const keys = {
      kid,
      headCiphertext: make.ciphertext(headCiphertext.length),
      wrappedKey: make.ciphertext(note!.wrappedKey.length),
    }
    const link = make.link(timeOfSharing())
    erased.push(headCiphertext, note!.wrappedKey)
    rows.set(id, {
      secret: { ...secret, kid, headCiphertext: keys.headCiphertext, link },
      note: { ...note!, wrappedKey: keys.wrappedKey },
    })
    expectOk(
      await database.drafts.share({ accountId, id, expectedHeadCiphertext: headCiphertext }, link, keys),
    )
  }

  async function change(row: Row, at: number, kid: number): Promise<void> {
    const { id, accountId, link } = row.secret
    if (link !== undefined) return open(row, link.lookup)
    if (at % 2 > 0) return share(row, kid)
    gone(row)
    expectOk(await database.drafts.erase(accountId, id))
  }

  async function rewrap(from: StoredWrappedKey, kid: number): Promise<void> {
    const headCiphertext = make.ciphertext(from.secret.headCiphertext.length)
    const wrappedKey = from.wrappedKey && make.ciphertext(from.wrappedKey.length)
    erased.push(from.secret.headCiphertext, ...(from.wrappedKey ? [from.wrappedKey] : []))
    const { note } = rows.get(from.secret.id)!
    rows.set(from.secret.id, {
      secret: { ...from.secret, kid, headCiphertext },
      note: note && { ...note, wrappedKey: wrappedKey! },
    })
    expectOk(await database.rewraps.replaceSecret(from, { kid, headCiphertext, wrappedKey }))
  }

  for (let round = 0; round < rounds; round += 1) {
    const kid = kids[Math.floor((round * kids.length) / rounds)]!
    const added = Array.from({ length: 40 }, () => {
      const with_ = { kid, headCiphertext: make.ciphertext(headLength()) }
      return below(3) === 0 ? make.draft(folder, with_) : make.secret(folder, timeOfSharing(), with_)
    })
    const notes = added.map(() => make.note(noteLength()))
    await Promise.all(added.map((each, at) => database.secrets.insert(each, notes[at]!).then(expectOk)))
    for (const [at, secret] of added.entries()) rows.set(secret.id, { secret, note: notes[at]! })

    await Promise.all(Array.from(new Set(Array.from({ length: 10 }, any)), (row, at) => change(row, at, kid)))
    const stale = expectOk(await database.rewraps.secrets(kid, undefined, 50))
    await Promise.all(stale.map((from) => rewrap(from, kid)))
    const expiredBy = secretLifetimeMicros + round * 10
    expectOk(await database.secrets.eraseExpired(expiredBy, 1_000, reportNothing))
    for (const row of rows.values())
      if ((row.secret.link?.expiresAtMicros ?? Infinity) <= expiredBy) gone(row)
  }
  return { live: [...rows.values()].flatMap(ciphertextsOf), erased }
}
