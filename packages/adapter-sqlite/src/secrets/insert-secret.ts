import type { SecretStore } from '@sotto/core'
import { done, type InsertSecret } from '@sotto/storage-sql'
import type { Connections } from '../connection/connections.ts'
import { fillBytes, shortNoteMaxBytes } from '../tables/secret-tables.ts'
import { uuidBytes } from '../engine/codec.ts'
import { noBytes } from './secret-rows.ts'

/** Makes the function that adds a secret or a draft, inside a job. */
export function createInsertSecret({
  db,
}: Pick<Connections, 'db'>): (...row: Parameters<SecretStore['insert']>) => void {
  // The secret's number comes from this row. The last rows stay when their secrets are erased, so no number is used twice.
  const insertCiphertexts = db.prepare('INSERT INTO ciphertexts (head, wrap, note) VALUES (?, ?, ?)')
  const insertSecret = db.prepare(
    `INSERT INTO secrets (nr, id, account_id, folder_id, created_at, link_created_at, expires_at, open_limit,
       notify, has_password, kid, lookup) VALUES (last_insert_rowid(), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertLongNote = db.prepare(
    `INSERT INTO long_notes (nr, fill, note) VALUES (last_insert_rowid(), zeroblob(${fillBytes}), ?)`,
  )
  return (secret, { note, wrappedKey }) => {
    const {
      id,
      accountId,
      folderId,
      createdAtMicros,
      openLimit,
      notify,
      hasPassword,
      link,
      kid,
      headCiphertext,
    } = secret
    const isShort = note.length <= shortNoteMaxBytes
    insertCiphertexts.run(headCiphertext, wrappedKey, isShort ? note : noBytes)
    insertSecret.run(
      uuidBytes(id),
      uuidBytes(accountId),
      uuidBytes(folderId),
      createdAtMicros,
      link?.createdAtMicros,
      link?.expiresAtMicros,
      openLimit,
      Number(notify),
      Number(hasPassword),
      kid,
      link?.lookup,
    )
    if (!isShort) insertLongNote.run(note)
  }
}

/** Makes the function by which the shared stores add a draft. Its statements run when it is called, as the work itself does. */
export function createInsertSecretOf(connections: Pick<Connections, 'db'>): InsertSecret {
  const insert = createInsertSecret(connections)
  return (secret, note) => {
    insert(secret, note)
    return done(undefined)
  }
}
