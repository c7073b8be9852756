import { done, type Erased, type EraseSecrets } from '@sotto/storage-sql'
import type { Connections } from '../connection/connections.ts'
import { createDestroyNotes } from './secret-rows.ts'

/** The most that one job erases, so that other writes do not wait long: bytes of long notes, and remembered forms and tickets. */
const erasedNoteBytesMax = 1_048_576
const erasedRowsMax = 2_000

/** The columns of `secrets` (as `s`) by which one is erased, in the order of {@link ToErase}. */
export const toErase = 's.nr, coalesce((SELECT octet_length(note) FROM long_notes WHERE nr = s.nr), 0)'

export type ToErase = [nr: number, noteBytes: number]

/**
 * Makes the function that erases, inside a job, secrets and drafts with all that belongs to them, as many of these as a job may. The one at
 * which the bound is reached loses its note immediately, and so its link finds nothing.
 */
export function createEraseSecrets({
  db,
  erased,
}: Pick<Connections, 'db' | 'erased'>): (secrets: readonly ToErase[]) => Erased {
  const eraseForms = db.prepare('DELETE FROM opened_forms WHERE nr = ? ORDER BY nr, form_id LIMIT ?')
  const eraseTickets = db.prepare(
    `DELETE FROM file_tickets WHERE digest IN
       (SELECT digest FROM file_tickets WHERE secret_id = (SELECT id FROM secrets WHERE nr = ?) LIMIT ?)`,
  )
  const eraseSecret = db.prepare('DELETE FROM secrets WHERE nr = ?')
  const destroyNote = createDestroyNotes(db, 'nr = ?')

  return (secrets) => {
    let [rows, bytes, remembered] = [0, 0, 0]
    for (const [nr, noteBytes] of secrets) {
      erased()
      for (const erase of [eraseForms, eraseTickets])
        remembered += erase.run(nr, erasedRowsMax - remembered).changes
      if (remembered >= erasedRowsMax) {
        destroyNote(nr)
        return { rows, more: true }
      }
      eraseSecret.run(nr)
      rows += 1
      bytes += noteBytes
      if (bytes >= erasedNoteBytesMax) return { rows, more: true }
    }
    return { rows, more: false }
  }
}

/** Makes the function by which the shared stores erase the secrets and drafts of an account or a folder. */
export function createEraseSecretsOf(connections: Connections): EraseSecrets {
  const { db } = connections
  const prepare = (owner: 'account_id' | 'folder_id', which: string) =>
    db
      .prepare<[Buffer, number], ToErase>(
        `SELECT ${toErase} FROM secrets s WHERE s.${owner} = ?${which} LIMIT ?`,
      )
      .raw()
  // An account's secrets and its drafts have an index each.
  const queries = {
    account_id: [' AND s.expires_at IS NOT NULL', ' AND s.expires_at IS NULL'].map((which) =>
      prepare('account_id', which),
    ),
    folder_id: [prepare('folder_id', '')],
  }
  const eraseSecrets = createEraseSecrets(connections)
  // These statements run when they are asked for, as the work itself does.
  return (owner, id, most) => {
    for (const query of queries[owner]) {
      const secrets = query.all(id as Buffer, most)
      if (secrets.length > 0) return done({ found: secrets.length, erased: eraseSecrets(secrets).rows })
    }
    return done({ found: 0, erased: 0 })
  }
}
