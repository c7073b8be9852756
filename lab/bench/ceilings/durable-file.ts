import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

/** Opens a file with the durability of the server: WAL, and an fsync for every commit. */
export function openDurableFile(directory: string, name: string): Sqlite.Database {
  const db = new Sqlite(join(directory, name))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  const effective = db.pragma('synchronous', { simple: true })
  if (effective !== 2) throw new Error(`synchronous is ${String(effective)}`)
  return db
}

/** The smallest possible group commit: jobs of one turn of the event loop share one transaction and one fsync. */
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
