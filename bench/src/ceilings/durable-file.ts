import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

/** A file with the durability that the server has: WAL, and an fsync for every commit. */
export function openDurableFile(directory: string, name: string): Sqlite.Database {
  const db = new Sqlite(join(directory, name))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  const inForce = db.pragma('synchronous', { simple: true })
  if (inForce !== 2) throw new Error(`synchronous is ${String(inForce)}`)
  return db
}

/** The least group commit there can be: what arrived within a turn of the event loop shares one transaction and one fsync. */
export function createLeastGroupCommit(db: Sqlite.Database): (job: () => void) => Promise<void> {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  let waiting: { readonly job: () => void; readonly done: () => void }[] = []

  function flush(): void {
    const batch = waiting
    waiting = []
    begin.run()
    for (const { job } of batch) job()
    commit.run()
    for (const { done } of batch) done()
  }

  return (job) =>
    new Promise((done) => {
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({ job, done })
    })
}
