import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSeededRandom } from '@sotto/test-kit'
import Sqlite from 'better-sqlite3'
import { test, type Test } from 'tap'
import { mainSchema } from '../../src/tables/schema.ts'
import { fillBytes } from '../../src/tables/secret-tables.ts'
import { migrate } from '../../src/connection/migrations.ts'
import { temporaryDir } from '../support/helpers.ts'

/** Seeds for which a table without `fill` leaves something behind. */
const seeds = [1, 2, 3, 4, 5, 6]

test('a note that is erased leaves nothing in the file, however rows were moved', (t) => {
  for (const seed of seeds) t.equal(leftOvers(t, seed, `zeroblob(${fillBytes})`), 0, `seed ${seed}`)
  t.end()
})

test('without the fill some notes remain in the file, despite secure_delete', (t) => {
  const left = seeds.map((seed) => leftOvers(t, seed, `x''`))
  t.ok(Math.max(...left) > 0, `left behind: ${left.join(', ')}`)
  t.end()
})

/** Adds notes and erases most of them, in another order. Returns how many of the erased ones the file still holds a part of. */
function leftOvers(t: Test, seed: number, fill: string): number {
  const path = join(temporaryDir(t), 'sotto.sqlite')
  const random = createSeededRandom(seed)
  const below = (bound: number) => Buffer.from(random.bytes(4)).readUInt32LE() % bound
  const db = openNotes(path)
  const insert = db.prepare(`INSERT INTO long_notes (nr, fill, note) VALUES (?, ${fill}, ?)`)
  const erase = db.prepare('DELETE FROM long_notes WHERE nr = ?')
  const live: { nr: number; bytes: Uint8Array[] }[] = []
  const erased: Uint8Array[] = []
  for (let nr = 1; nr <= 1_200; nr += 1) {
    const bytes = [random.bytes(64 + below(200))]
    insert.run(nr, ...bytes)
    live.push({ nr, bytes })
    if (below(10) < 4) continue
    // Late ones rather than old ones: pages that are filled and emptied at the same time are balanced most.
    const [gone] = live.splice(Math.max(0, live.length - 1 - below(30)), 1)
    if (gone !== undefined && erase.run(gone.nr).changes > 0) erased.push(...gone.bytes)
  }
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  return countIn(readFileSync(path), erased)
}

function openNotes(path: string): Sqlite.Database {
  const db = new Sqlite(path)
  db.pragma('journal_mode = WAL')
  db.pragma('secure_delete = ON')
  db.pragma('foreign_keys = OFF')
  db.pragma('ignore_check_constraints = ON')
  migrate(db, mainSchema)
  return db
}

/** How many of the byte strings have eight consecutive bytes in the file. */
function countIn(file: Buffer, strings: readonly Uint8Array[]): number {
  const windows = new Set<bigint>()
  for (let at = 0; at + 8 <= file.length; at += 1) {
    const window = file.readBigUInt64LE(at)
    if (window !== 0n) windows.add(window)
  }
  const isThere = (bytes: Uint8Array) => {
    const view = Buffer.from(bytes)
    for (let at = 0; at + 8 <= view.length; at += 8) if (windows.has(view.readBigUInt64LE(at))) return true
    return false
  }
  return strings.filter(isThere).length
}
