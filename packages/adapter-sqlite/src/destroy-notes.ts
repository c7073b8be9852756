import type Sqlite from 'better-sqlite3'

/**
 * Prepares the destruction of notes: what it returns runs it, inside a transaction, and says how many there were.
 * @param which of the secrets, as an SQL condition
 */
export function createDestroyNotes(
  db: Sqlite.Database,
  which: string,
): (...parameters: readonly number[]) => number {
  const nrs = `SELECT nr FROM secrets WHERE has_note AND ${which}`
  const overwrite = db.prepare<number[]>(
    `UPDATE ciphertexts SET wrap = zeroblob(length(wrap)), note = zeroblob(length(note)) WHERE nr IN (${nrs})`,
  )
  const drop = db.prepare<number[]>(`DELETE FROM long_notes WHERE nr IN (${nrs})`)
  const mark = db.prepare<number[]>(`UPDATE secrets SET has_note = 0 WHERE nr IN (${nrs})`)
  return (...parameters) => {
    overwrite.run(...parameters)
    drop.run(...parameters)
    return mark.run(...parameters).changes
  }
}
